internal import CLinux
import Glibc
import Workers

/// A picture as an open file that a decoder can read and nobody can change through.
///
/// A file is passed as it is; bytes become a file in memory. A descriptor costs the same for a
/// picture of any length: passing 4 MB takes 1.3 ms through memory and 2.5 ms through a socket,
/// whose reader would have to keep all of them before it can look at the end.
struct PassedPicture: ~Copyable {
  let descriptor: Int32

  init(_ picture: PictureSource) throws(ImagingError) {
    switch picture {
    case .bytes(let bytes): descriptor = try Self.memory(bytes)
    case .file(let path): descriptor = try Self.file(path)
    }
  }

  deinit { close(descriptor) }

  private static func file(_ path: String) throws(ImagingError) -> Int32 {
    // Something else than a file could make the opening wait, or be a terminal.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(path: path, message: "not a file")
    }
    return descriptor
  }

  private static func unreadable(_ path: String, _ code: Int32) -> ImagingError {
    .unreadable(path: path, message: String(cString: strerror(code)))
  }

  private static func memory(_ bytes: [UInt8]) throws(ImagingError) -> Int32 {
    let descriptor = clinux_memory_file("picture")
    guard descriptor >= 0 else { throw noMemory(errno) }
    guard write(bytes, to: descriptor), clinux_seal(descriptor) == 0 else {
      let code = errno
      close(descriptor)
      throw noMemory(code)
    }
    return descriptor
  }

  private static func noMemory(_ code: Int32) -> ImagingError {
    .cannotStart(message: String(cString: strerror(code)))
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno != EINTR { return false }
        written += max(0, count)
      }
      return true
    }
  }
}
