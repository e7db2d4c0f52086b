internal import CLinux
import Glibc
import Workers

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

  /// Its first bytes: enough to tell the format.
  func beginning() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }
}
