import Glibc
import Workers

/// Reads pictures out of packs.
///
/// It takes no lock: what a row names is never written again, and what no row names any more may be
/// gone, which the checksum tells.
enum PackReader {
  /// A picture's bytes; nil when they are not all there as they were stored.
  static func bytes(at place: PackPlace, in folder: LibraryFolder) throws(StoreError) -> [UInt8]? {
    let path = folder.pack(place.packID)
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR || errno == ELOOP { return nil }
      throw StoreError(reason: .forbidden, path: path, message: String(cString: strerror(errno)))
    }
    defer { close(file) }
    guard isAllThere(place, in: file) else { return nil }
    let bytes = try bytes(at: place, of: file, path: path)
    return PictureChecksum.of(bytes) == place.checksum ? bytes : nil
  }

  /// Looked at before there is memory for it: a damaged row can name any number.
  private static func isAllThere(_ place: PackPlace, in file: Int32) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0, case .file(let size) = FileKind(status) else { return false }
    return place.position >= 0 && place.count >= 0 && place.range.upperBound <= size
  }

  private static func bytes(
    at place: PackPlace,
    of file: Int32,
    path: String
  ) throws(StoreError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: place.count) { buffer, read in
      while read < place.count {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[read...])
        let count = pread(file, rest.baseAddress, rest.count, off_t(place.position + read))
        if count < 0, errno == EINTR { continue }
        if count < 0 { code = errno }
        // A file that has become shorter gives fewer bytes, which the checksum tells.
        guard count > 0 else { return }
        read += count
      }
    }
    if code != 0 { throw StoreError(errno: code, path: path) }
    return bytes
  }
}
