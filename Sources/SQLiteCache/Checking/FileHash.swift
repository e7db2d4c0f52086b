import Glibc
import Workers

/// The SHA-256 of a file's content, read in pieces.
enum FileHash {
  private static let pieceLength = 1 << 20

  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Hears each piece.
  /// - Returns: Its hash in lower-case hexadecimal digits, and its length in bytes.
  /// - Throws: when it cannot be read.
  static func sha256(
    ofFileAt path: String,
    _ body: ([UInt8]) -> Void = { _ in }
  ) throws(StoreError) -> (hash: String, bytes: Int) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    defer { close(file) }
    var hash = try SHA256(of: path)
    var length = 0
    var piece = [UInt8](repeating: 0, count: pieceLength)
    while true {
      let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, path: path) }
      if count == 0 { return (hash.digits, length) }
      let bytes = Array(piece.prefix(count))
      hash.update(bytes)
      body(bytes)
      length += count
    }
  }
}
