import Testing
import Workers

@testable import LibraryFiles

/// Ed25519 with examples of RFC 8032, section 7.1.
struct SigningKeyTests {
  struct Example: Sendable {
    var secret: String
    var key: String
    var message: String
    var signature: String
  }

  private static let examples = [
    Example(
      secret: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature: """
        e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b\
        d25bf5f0595bbe24655141438e7a100b
        """
    ),
    Example(
      secret: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
      signature: """
        92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c\
        387b2eaeb4302aeeb00d291612bb0c00
        """
    ),
    Example(
      secret: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature: """
        6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659\
        4a7c15e9716ed28dc027beceea1ec40a
        """
    ),
    // The SHA-512 hash of "abc".
    Example(
      secret: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      key: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: """
        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd\
        454d4423643ce80e2a9ac94fa54ca49f
        """,
      signature: """
        dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030\
        3dca179c138ac17ad9bef1177331a704
        """
    ),
  ]

  private func bytes(_ digits: String) throws -> [UInt8] {
    try #require(HexadecimalBytes.decoded(digits))
  }

  @Test(arguments: examples)
  func `signs as the standard says, and knows right signatures from wrong ones`(
    example: Example
  ) throws {
    let key = try SigningKey(secret: bytes(example.secret))
    let message = try bytes(example.message)

    #expect(key.key.text == example.key)
    #expect(try key.signature(of: message) == example.signature)
    let right = DocumentSignature(key: key.key, text: example.signature)
    #expect(try SignatureChecker().isRight(right, of: message))
    #expect(try !SignatureChecker().isRight(right, of: message + [0]))
    for other in [String(example.signature.reversed()), String(repeating: "f", count: 128), ""] {
      let wrong = DocumentSignature(key: key.key, text: other)
      #expect(try !SignatureChecker().isRight(wrong, of: message))
    }
  }

  @Test func `each new pair is another one`() throws {
    let (one, other) = (try SigningKey.random(), try SigningKey.random())

    #expect(one.key != other.key && one.secret != other.secret)
    let signature = DocumentSignature(key: other.key, text: try one.signature(of: [1]))
    #expect(try !SignatureChecker().isRight(signature, of: [1]))
  }

  @Test func `a document carries its signature at its end, and readers find it there`() throws {
    let key = try SigningKey.random()
    let document = Array("{\"a\":1}\n{\"b\":2}\n".utf8)

    let signed = try DocumentSignature.sign(document, named: "changes -", by: key)

    let text = String(decoding: signed, as: UTF8.self)
    let members = ",\"key\":\"\(key.key.text)\",\"signature\":\""
    #expect(text.hasPrefix("{\"a\":1}\n{\"b\":2\(members)") && text.hasSuffix("\"}\n"))
    let (content, signature) = try #require(DocumentSignature.split(signed.dropLast()))
    #expect(Array(content) == document.dropLast(2))
    let message = DocumentSignature.message("changes -", hash: try key.hash(of: Array(content)))
    #expect(try SignatureChecker().isRight(signature, of: message))
    #expect(DocumentSignature.split(Array(document.dropLast())) == nil)
    #expect(try DocumentSignature.sign([], named: "changes -", by: key) == [])
  }

  @Test(arguments: ["\"key\":\"AB", "\"kez\":\"ab", "\"key\":\"a\"b"])
  func `members of another form are no signature`(members: String) throws {
    let key = try SigningKey.random()
    let signed = try DocumentSignature.sign(Array("{\"a\":1}\n".utf8), named: "x", by: key)
    var bytes = Array(signed.dropLast())
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: ",")))
    bytes.replaceSubrange(start + 1..<start + 1 + members.utf8.count, with: members.utf8)

    #expect(DocumentSignature.split(bytes) == nil)
  }
}
