import CCrypto
package import Workers

/// A keyed hash of a message (RFC 2104), computed piece by piece by OpenSSL's libcrypto.
///
/// Only one task may use it at a time.
package final class HMAC: SignatureChecking {
  /// The digests of WebSub, section 8, with the lengths of their codes in bytes.
  private static let digests = ["sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64]

  private let mac: OpaquePointer
  private let expected: [UInt8]
  private var isSound = true

  /// Begins to check a message's code; nil for an invalid signature, and without libcrypto.
  ///
  /// - Parameters:
  ///   - signature: The digest and the code in hexadecimal digits, such as `sha256=0f3a…`.
  ///   - secret: The key.
  package init?(signature: String, secret: String) {
    let parts = signature.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let length = Self.digests[parts[0].lowercased()],
      let expected = Self.bytes(parts[1]), expected.count == length,
      let mac = Self.begin(parts[0].uppercased(), secret)
    else { return nil }
    self.mac = mac
    self.expected = expected
  }

  deinit { ccrypto_mac_free(mac) }

  private static func begin(_ digest: String, _ secret: String) -> OpaquePointer? {
    var secret = secret
    return secret.withUTF8 { ccrypto_hmac(digest, $0.baseAddress, $0.count) }
  }

  /// The HMAC-SHA-256 of a message, 32 bytes.
  ///
  /// - Throws: when libcrypto cannot be loaded.
  package static func sha256(of message: [UInt8], key: [UInt8]) throws(StoreError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(CCRYPTO_MOST_MAC_BYTES))
    let mac = key.withUnsafeBytes { ccrypto_hmac("SHA256", $0.baseAddress, $0.count) }
    guard let mac else {
      throw StoreError(reason: .other, path: "OpenSSL's libcrypto", message: "it has no HMAC")
    }
    defer { ccrypto_mac_free(mac) }
    let isTaken = message.withUnsafeBytes { ccrypto_mac_update(mac, $0.baseAddress, $0.count) } == 1
    let count = code.withUnsafeMutableBufferPointer { ccrypto_mac_finish(mac, $0.baseAddress) }
    // OpenSSL fails here only when it is out of memory.
    precondition(isTaken && count == CCRYPTO_SHA256_BYTES)
    return Array(code.prefix(count))
  }

  /// Nil for a text that is not pairs of hexadecimal digits.
  private static func bytes(_ digits: Substring) -> [UInt8]? {
    let values = digits.utf8.map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 16) }
    guard values.count % 2 == 0, values.allSatisfy({ $0 < 16 }) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    isSound = ccrypto_mac_update(mac, bytes.baseAddress, bytes.count) == 1 && isSound
  }

  /// Whether the signature matches all bytes; a failure of OpenSSL counts as a mismatch.
  ///
  /// The comparison does not branch on a byte, so its time does not reveal how many bytes match.
  package func isRight() -> Bool {
    var code = [UInt8](repeating: 0, count: Int(CCRYPTO_MOST_MAC_BYTES))
    let count = code.withUnsafeMutableBufferPointer { ccrypto_mac_finish(mac, $0.baseAddress) }
    guard isSound, count == expected.count else { return false }
    return zip(code, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
