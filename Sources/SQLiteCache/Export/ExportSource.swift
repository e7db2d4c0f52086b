import Glibc
import Models
import Workers

/// The bytes of a picture that is copied: in memory, or in its file.
enum ExportSource {
  case bytes([UInt8])
  case file(path: String, sha256: String)

  private static let chunk = 256 << 10

  init(_ picture: ExportedPicture) {
    switch picture {
    case .thumbnail(let bytes): self = .bytes(bytes)
    case .original(let original):
      self = .file(path: original.path, sha256: original.sha256)
    }
  }

  /// Writes all of it, and finds out on the way whether it is what was stored.
  func copy(
    to descriptor: Int32,
    named name: String,
    isFinal: Bool = true
  ) throws(ExportError) {
    switch self {
    case .bytes(let bytes): try Self.write(bytes[...], to: descriptor, named: name)
    case .file(let path, let sha256):
      let copied = try Self.copyFile(path, to: descriptor, named: name)
      if copied != sha256 { throw .damaged(path: path, isSpilt: isFinal) }
    }
  }

  /// Answers with the hash of what it has copied.
  private static func copyFile(
    _ path: String,
    to descriptor: Int32,
    named name: String
  ) throws(ExportError) -> String {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw unreadable(path) }
    defer { close(source) }
    var buffer = [UInt8](repeating: 0, count: chunk)
    var hash = try hash(of: path)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { return hash.digits }
      hash.update(buffer.prefix(count))
      try write(buffer[..<count], to: descriptor, named: name)
    }
  }

  private static func hash(of path: String) throws(ExportError) -> SHA256 {
    do throws(StoreError) {
      return try SHA256(of: path)
    } catch {
      throw .unreadable(path: path, message: error.message)
    }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>,
    to descriptor: Int32,
    named name: String
  ) throws(ExportError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw .closed
      } else if errno != EINTR {
        throw .unwritable(path: name)
      }
    }
  }

  private static func unreadable(_ path: String) -> ExportError {
    .unreadable(path: path, message: String(cString: strerror(errno)))
  }
}
