import Testing

@testable import LibraryFiles

/// The second example of RFC 2202, section 3, and of RFC 4231.
struct HMACTests {
  private static let codes = [
    "sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    """
    sha384=af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649
    """,
    """
    sha512=164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdca\
    eab1a34d4a6b4b636e070a38bce737
    """,
  ]

  /// Whether a signature is accepted, with the message in two pieces.
  private func isRight(_ signature: String, secret: String = "Jefe") -> Bool? {
    guard let mac = HMAC(signature: signature, secret: secret) else { return nil }
    for piece in ["what do ya want ", "", "for nothing?"] {
      Array(piece.utf8).withUnsafeBytes { mac.update($0) }
    }
    return mac.isRight()
  }

  @Test(arguments: codes)
  func `knows the codes of the standards`(signature: String) {
    #expect(isRight(signature) == true)
    #expect(isRight(signature.uppercased()) == true)
    #expect(isRight(signature, secret: "jefe") == false)
    #expect(isRight(signature.dropLast() + (signature.hasSuffix("0") ? "1" : "0")) == false)
  }

  @Test(arguments: [
    "", "sha256", "sha256=", "md5=750c783e6ab0b503eaa86e310a5db738",
    "sha1=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec384",
    "sha256=zbdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    "=5bdcc146", "sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c7é",
  ])
  func `takes no signature of another form`(signature: String) {
    #expect(isRight(signature) == nil)
  }
}
