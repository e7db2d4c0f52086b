import CCrypto
package import Workers

/// The key pair of a library: an Ed25519 key (RFC 8032), computed by OpenSSL's libcrypto.
package struct SigningKey: LibrarySigning {
  package let key: LibraryKey
  package let secret: [UInt8]

  /// Makes the pair of a private key.
  ///
  /// - Throws: when libcrypto is missing, or does not offer Ed25519.
  package init(secret: [UInt8]) throws(StoreError) {
    var bytes = [UInt8](repeating: 0, count: Int(CCRYPTO_ED25519_BYTES))
    guard secret.count == bytes.count, ccrypto_ed25519_public(secret, &bytes) == 1,
      let key = LibraryKey(HexadecimalBytes.encoded(bytes))
    else { throw Self.problem }
    (self.secret, self.key) = (secret, key)
  }

  /// A new pair, from 32 random bytes (getrandom(2)).
  package static func random() throws(StoreError) -> SigningKey {
    var generator = SystemRandomNumberGenerator()
    let secret = (0..<CCRYPTO_ED25519_BYTES).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    return try SigningKey(secret: secret)
  }

  package func signature(of message: [UInt8]) throws(StoreError) -> String {
    var signature = [UInt8](repeating: 0, count: Int(CCRYPTO_ED25519_SIGNATURE_BYTES))
    guard ccrypto_ed25519_sign(secret, message, message.count, &signature) == 1 else {
      throw Self.problem
    }
    return HexadecimalBytes.encoded(signature)
  }

  package func hash(of bytes: [UInt8]) throws(StoreError) -> String {
    try SHA256.digits(of: bytes, path: "a signed document")
  }

  /// The reason why no key can be used on this machine.
  fileprivate static var problem: StoreError {
    let reason = ccrypto_load().map { String(cString: $0) } ?? "it does not offer Ed25519"
    return StoreError(
      reason: .other,
      path: "OpenSSL's libcrypto",
      message: "signatures cannot be made or checked: \(reason)"
    )
  }
}

/// Checks signatures of other galleries by OpenSSL's libcrypto.
package struct SignatureChecker: SignedDocumentChecking {
  package init() {}

  package func hash() throws(StoreError) -> any DocumentHash { try RunningHash() }

  package func isRight(
    _ signature: DocumentSignature,
    of message: [UInt8]
  ) throws(StoreError) -> Bool {
    guard let key = HexadecimalBytes.decoded(signature.key.text),
      let bytes = HexadecimalBytes.decoded(signature.text),
      bytes.count == CCRYPTO_ED25519_SIGNATURE_BYTES
    else { return false }
    let answer = ccrypto_ed25519_verify(key, message, message.count, bytes)
    // OpenSSL refuses a key only when the algorithm is missing.
    guard answer >= 0 else { throw SigningKey.problem }
    return answer == 1
  }
}

private final class RunningHash: DocumentHash {
  private let hash: Locked<SHA256>

  init() throws(StoreError) { hash = Locked(try SHA256(of: "a signed document")) }

  func update(_ bytes: ArraySlice<UInt8>) { hash.withLock { $0.update(bytes) } }

  var digits: String { hash.withLock { $0.digits } }
}
