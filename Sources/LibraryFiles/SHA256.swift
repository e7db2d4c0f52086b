import CCrypto
import CLinux
import Dispatch
import Glibc
package import Models
package import Workers

/// A SHA-256 hash, computed piece by piece by OpenSSL's libcrypto.
///
/// It is Sendable although it contains a pointer. A value cannot be copied, so it has one owner, and OpenSSL does not
/// bind a hash to a thread.
package struct SHA256: ~Copyable, @unchecked Sendable {
  private let hash: OpaquePointer

  /// Begins a hash.
  ///
  /// - Parameter path: The file to hash, for the error.
  /// - Throws: when libcrypto cannot be loaded.
  package init(of path: String) throws(StoreError) {
    guard let hash = ccrypto_sha256() else {
      let reason = ccrypto_load().map { String(cString: $0) } ?? "no memory is left"
      throw StoreError(
        reason: .other,
        path: path,
        message: "cannot compute a hash without OpenSSL's libcrypto: \(reason)"
      )
    }
    self.hash = hash
  }

  deinit { ccrypto_free(hash) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // OpenSSL fails here only for a finished hash, and a hash is not finished before `deinit`.
    precondition(ccrypto_update(hash, bytes.baseAddress, bytes.count) == 1)
  }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if done == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// The hash of all bytes so far; more bytes may follow.
  package var digest: SHA256Digest {
    var words = SIMD4<UInt64>()
    withUnsafeMutableBytes(of: &words) { bytes in
      // This finishes a copy of the hash, which fails only when memory runs out.
      precondition(ccrypto_digest(hash, bytes.baseAddress) == 1)
    }
    for index in 0..<4 { words[index] = UInt64(bigEndian: words[index]) }
    return SHA256Digest(words: words)
  }

  /// The hash of all bytes so far, in lower-case hexadecimal digits; more bytes may follow.
  var digits: String { digest.hexadecimal }

  /// The hash of an array of bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - path: The file that the bytes belong to, for the error.
  /// - Returns: The hash.
  /// - Throws: when libcrypto cannot be loaded.
  package static func digest(of bytes: [UInt8], path: String) throws(StoreError) -> SHA256Digest {
    var hash = try SHA256(of: path)
    hash.update(bytes)
    return hash.digest
  }

  /// The hash of an array of bytes, in lower-case hexadecimal digits.
  package static func digits(of bytes: [UInt8], path: String) throws(StoreError) -> String {
    try digest(of: bytes, path: path).hexadecimal
  }

  /// The hash of a thumbnail's bytes, in lower-case hexadecimal digits.
  package static func ofThumbnail(_ bytes: [UInt8]) throws(StoreError) -> String {
    try digits(of: bytes, path: "a thumbnail")
  }
}

extension String {
  /// Whether it is a stored hash, and so can be part of a file's name; in a damaged library, it could be `../..`.
  package var isSHA256: Bool {
    utf8.count == 2 * CCRYPTO_SHA256_BYTES
      && utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }
}

/// The SHA-256 of bytes that arrive in pieces.
///
/// A separate queue hashes them while they are written and the next ones arrive, because hashing takes about as long as
/// writing.
final class ArrivalHash: Sendable {
  private let queue = DispatchQueue(label: "gallery.hash")
  private let room = DispatchSemaphore(value: FileLimits.piecesUnhashed)
  private let hash: Locked<SHA256>

  init(of path: String) throws(StoreError) { hash = Locked(try SHA256(of: path)) }

  /// Appends a piece; blocks while too many pieces wait to be hashed.
  func append(_ bytes: [UInt8]) {
    room.wait()
    queue.async { [self] in
      hash.withLock { $0.update(bytes) }
      room.signal()
    }
  }

  /// The hash of all appended bytes, in lower-case hexadecimal digits.
  var digits: String {
    queue.sync {}
    return hash.withLock { $0.digits }
  }
}

/// The SHA-256 of a file's content, read in pieces.
package enum FileHash {
  private static let pieceLength = 1 << 20

  /// Hashes the first bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - length: The number of bytes to read.
  /// - Returns: The hash; nil when the file is missing or shorter.
  /// - Throws: when the file cannot be read.
  package static func sha256(
    ofFileAt path: String,
    length: Int
  ) throws(StoreError) -> SHA256Digest? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw StoreError(errno: errno, path: path)
    }
    defer { close(file) }
    let read = try sha256(of: file, length: length, path: path)
    return read.bytes == length ? read.hash : nil
  }

  /// Hashes a whole file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Receives each piece.
  /// - Returns: The hash and the length of the file in bytes.
  /// - Throws: when the file cannot be read, or when `body` throws.
  static func sha256(
    ofFileAt path: String,
    _ body: (ArraySlice<UInt8>) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> (hash: SHA256Digest, bytes: Int) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    defer { close(file) }
    return try sha256(of: file, path: path, body)
  }

  /// Copies the first bytes of a file, in one step if the file system can share blocks.
  ///
  /// - Parameters:
  ///   - source: The open file.
  ///   - file: The file to write, open and empty.
  ///   - path: The path of that file, for errors.
  ///   - length: The number of bytes to copy.
  /// - Returns: The hash of the bytes; nil when the file is shorter.
  /// - Throws: when a file cannot be read or written.
  static func copy(
    _ source: Int32,
    to file: Int32,
    path: String,
    length: Int
  ) throws(StoreError) -> SHA256Digest? {
    var status = stat()
    let isWhole = fstat(source, &status) == 0 && Int(status.st_size) == length
    let isCloned = isWhole && clinux_clone(file, source) == 0
    let read = try sha256(of: source, length: length, path: path) { (piece) throws(StoreError) in
      if !isCloned { try FileSystem.write(Array(piece), to: file, path: path) }
    }
    return read.bytes == length ? read.hash : nil
  }

  /// Hashes an open file to its end, or up to a number of bytes.
  static func sha256(
    of file: Int32,
    length most: Int = .max,
    path: String,
    _ body: (ArraySlice<UInt8>) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> (hash: SHA256Digest, bytes: Int) {
    var hash = try SHA256(of: path)
    var length = 0
    var piece = [UInt8](repeating: 0, count: pieceLength)
    while length < most {
      let room = min(pieceLength, most - length)
      let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, room) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, path: path) }
      if count == 0 { break }
      hash.update(piece[..<count])
      try body(piece[..<count])
      length += count
    }
    return (hash.digest, length)
  }
}
