import CCrypto
import CLinux
import Dispatch
import Glibc
package import Models
package import Workers

/// A SHA-256 hash that is computed piece by piece, by OpenSSL's libcrypto.
///
/// It is Sendable although it holds a pointer: a value has one owner, since it cannot be copied, and
/// OpenSSL binds no hash to a thread.
package struct SHA256: ~Copyable, @unchecked Sendable {
  private let hash: OpaquePointer

  /// Begins a hash.
  ///
  /// - Parameter path: The file to hash, which the error names.
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
    // OpenSSL fails here only for a hash that has ended, and no hash ends before `deinit`.
    precondition(ccrypto_update(hash, bytes.baseAddress, bytes.count) == 1)
  }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if done == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// The hash of all bytes so far; more may follow.
  package var digest: SHA256Digest {
    var words = SIMD4<UInt64>()
    withUnsafeMutableBytes(of: &words) { bytes in
      // A copy is made to finish it, which fails only when no memory is left.
      precondition(ccrypto_digest(hash, bytes.baseAddress) == 1)
    }
    for index in 0..<4 { words[index] = UInt64(bigEndian: words[index]) }
    return SHA256Digest(words: words)
  }

  /// The hash of all bytes so far, in lower-case hexadecimal digits; more may follow.
  var digits: String { digest.hexadecimal }

  /// The hash of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - path: The file that they are of or about, which the error names.
  /// - Returns: The hash.
  /// - Throws: when libcrypto cannot be loaded.
  package static func digest(of bytes: [UInt8], path: String) throws(StoreError) -> SHA256Digest {
    var hash = try SHA256(of: path)
    hash.update(bytes)
    return hash.digest
  }

  /// The same in lower-case hexadecimal digits.
  package static func digits(of bytes: [UInt8], path: String) throws(StoreError) -> String {
    try digest(of: bytes, path: path).hexadecimal
  }

  /// The hash of a thumbnail's bytes, in lower-case hexadecimal digits.
  package static func ofThumbnail(_ bytes: [UInt8]) throws(StoreError) -> String {
    try digits(of: bytes, path: "a thumbnail")
  }
}

extension String {
  /// Whether it is a hash as it is stored, and so can be part of a file's name: in a damaged library it
  /// could be `../..` just as well.
  package var isSHA256: Bool {
    utf8.count == 2 * CCRYPTO_SHA256_BYTES
      && utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }
}

/// The SHA-256 of bytes that arrive one piece after another, computed while they are written and the
/// next ones come: it takes about as long as writing them.
final class ArrivalHash: Sendable {
  private let queue = DispatchQueue(label: "gallery.hash")
  private let room = DispatchSemaphore(value: FileLimits.piecesUnhashed)
  private let hash: Locked<SHA256>

  init(of path: String) throws(StoreError) { hash = Locked(try SHA256(of: path)) }

  /// Takes the next piece; waits when too many are waiting.
  func append(_ bytes: [UInt8]) {
    room.wait()
    queue.async { [self] in
      hash.withLock { $0.update(bytes) }
      room.signal()
    }
  }

  /// The hash of all that was appended, in lower-case hexadecimal digits.
  var digits: String {
    queue.sync {}
    return hash.withLock { $0.digits }
  }
}

/// The SHA-256 of a file's content, read in pieces.
package enum FileHash {
  private static let pieceLength = 1 << 20

  /// Reads the beginning of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - length: How many bytes to read.
  /// - Returns: Their hash; nil when the file is missing or shorter.
  /// - Throws: when it cannot be read.
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

  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Takes each piece.
  /// - Returns: Its hash, and its length in bytes.
  /// - Throws: when it cannot be read, or what `body` throws.
  static func sha256(
    ofFileAt path: String,
    _ body: (ArraySlice<UInt8>) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> (hash: SHA256Digest, bytes: Int) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    defer { close(file) }
    return try sha256(of: file, path: path, body)
  }

  /// Copies the beginning of a file to another one, in one step where the file system shares blocks.
  ///
  /// - Parameters:
  ///   - source: The open file.
  ///   - file: The file to write, open and empty.
  ///   - path: Its path, which errors name.
  ///   - length: How many bytes to copy.
  /// - Returns: Their hash; nil when the file is shorter.
  /// - Throws: when it cannot be read or written.
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

  /// Reads an open file to its end, or at most some bytes of it.
  private static func sha256(
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
