internal import CLinux
import Glibc
import Workers

/// A picture as an open file that a decoder can read and nobody can change through.
///
/// A file is passed as it is, which costs nothing however long it is: its decoder reads what it
/// needs of it, wherever that lies. Bytes become a file in memory, so that there is one way only;
/// 4 MB take 7 ms that way, where a socket takes 1 ms but leaves a decoder that looks at the end
/// of a file first with nothing until all has come. Large originals are files.
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
