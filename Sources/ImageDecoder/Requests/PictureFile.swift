internal import CLinux
import Glibc

/// The open file of a picture; closed when it is done with.
struct PictureFile: ~Copyable {
  let descriptor: Int32

  init(taking descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Its length in bytes.
  var length: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Its first bytes: enough to tell the format, and what the boxes of HEIC say of its items.
  func beginning() -> [UInt8] { Self.bytes(of: descriptor, at: 0, atMost: 65_536) }

  /// So many bytes from a place on; nil when they are not all there.
  func bytes(at place: Int, count: Int) -> [UInt8]? {
    guard place >= 0, count >= 0, count <= length - place else { return nil }
    let bytes = Self.bytes(of: descriptor, at: place, atMost: count)
    return bytes.count == count ? bytes : nil
  }

  /// Bytes of an open file from a place on, fewer at its end.
  static func bytes(of descriptor: Int32, at place: Int, atMost most: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      count = 0
      while count < most {
        let rest = buffer.baseAddress.map { $0 + count }
        let read = pread(descriptor, rest, most - count, off_t(place + count))
        guard read > 0 else { return }
        count += read
      }
    }
  }
}
