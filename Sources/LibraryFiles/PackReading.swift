import Glibc
package import Workers

/// A pack that is open for reading from any thread.
///
/// It takes no lock. Bytes that a row names are never overwritten. Bytes that no row names any more may be gone, and
/// the checksum detects that.
package final class PackReader: Sendable {
  private let file: Int32
  private let path: String

  private init(_ file: Int32, path: String) {
    self.file = file
    self.path = path
  }

  deinit { close(file) }

  /// Reads a picture from a pack that is opened only for it; nil when the stored bytes are missing or damaged.
  package static func bytes(
    at location: PackLocation,
    in folder: LibraryFolder
  ) throws(StoreError) -> [UInt8]? {
    try open(location.packID, in: folder)?.bytes(at: location)
  }

  /// Nil when the file does not exist.
  static func open(_ id: Int64, in folder: LibraryFolder) throws(StoreError) -> PackReader? {
    let path = folder.pack(id)
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file >= 0 { return PackReader(file, path: path) }
    if errno == ENOENT || errno == ENOTDIR || errno == ELOOP { return nil }
    throw StoreError.lastError(.forbidden, path: path)
  }

  /// Reads a picture's bytes; nil when the stored bytes are missing or damaged.
  func bytes(at location: PackLocation) throws(StoreError) -> [UInt8]? {
    guard isAllThere(location) else { return nil }
    let bytes = try allBytes(at: location)
    return PictureChecksum.of(bytes) == location.checksum ? bytes : nil
  }

  /// Whether the file contains the whole range; checked before memory is allocated, because a damaged row can name any
  /// number.
  private func isAllThere(_ location: PackLocation) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0, case .file(let size) = FileKind(status) else { return false }
    return location.offset >= 0 && location.count >= 0 && location.range.upperBound <= size
  }

  private func allBytes(at location: PackLocation) throws(StoreError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: location.count) { buffer, read in
      while read < location.count {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[read...])
        let count = pread(file, rest.baseAddress, rest.count, off_t(location.offset + read))
        if count < 0, errno == EINTR { continue }
        if count < 0 { code = errno }
        // A truncated file yields fewer bytes, which the checksum detects.
        guard count > 0 else { return }
        read += count
      }
    }
    if code != 0 { throw StoreError(errno: code, path: path) }
    return bytes
  }
}

/// Reads pictures from packs, and keeps the packs open for later reads.
///
/// Pack numbers are never reused, so an open file stays the right one.
package final class OpenPacks: Sendable {
  private let folder: LibraryFolder
  private let packs = Locked<[Int64: PackReader]>([:])

  package init(_ folder: LibraryFolder) { self.folder = folder }

  /// Reads a picture's bytes; nil when the stored bytes are missing or damaged.
  package func bytes(at location: PackLocation) throws(StoreError) -> [UInt8]? {
    try pack(location.packID)?.bytes(at: location)
  }

  private func pack(_ id: Int64) throws(StoreError) -> PackReader? {
    if let pack = packs.withLock({ $0[id] }) { return pack }
    guard let pack = try PackReader.open(id, in: folder) else { return nil }
    packs.withLock { packs in
      if packs.count >= FileLimits.openPacks, let other = packs.keys.first { packs[other] = nil }
      packs[id] = pack
    }
    return pack
  }
}
