import CCrypto
package import Workers

/// A SHA-256 hash that is computed piece by piece, by OpenSSL's libcrypto.
///
/// It is Sendable although it holds a pointer: a value has one owner, since it cannot be copied, and
/// OpenSSL binds no hash to a thread.
struct SHA256: ~Copyable, @unchecked Sendable {
  private let hash: OpaquePointer

  /// Begins a hash.
  ///
  /// - Parameter path: The file to hash, which the error names.
  /// - Throws: when libcrypto cannot be loaded.
  init(of path: String) throws(StoreError) {
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

  mutating func update(_ bytes: some Collection<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if done == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// The hash of all bytes so far, in lower-case hexadecimal digits; more may follow.
  var digits: String {
    var digest = [UInt8](repeating: 0, count: CCRYPTO_SHA256_BYTES)
    // A copy is made to finish it, which fails only when no memory is left.
    precondition(ccrypto_digest(hash, &digest) == 1)
    return digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The hash of some bytes of a file, or about it.
  static func digits(of bytes: [UInt8], path: String) throws(StoreError) -> String {
    var hash = try SHA256(of: path)
    hash.update(bytes)
    return hash.digits
  }
}

extension SQLiteLibrary {
  /// SHA-256 of bytes as a library writes it, in lower-case hexadecimal digits.
  ///
  /// - Throws: when libcrypto cannot be loaded.
  package static func sha256(of bytes: [UInt8]) throws(StoreError) -> String {
    try SHA256.digits(of: bytes, path: "a thumbnail")
  }
}

extension String {
  /// Whether it is a hash as it is stored, and so can be part of a file's name: in a damaged library it
  /// could be `../..` just as well.
  var isSHA256: Bool {
    utf8.count == 2 * CCRYPTO_SHA256_BYTES
      && utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }
}
