import Testing

@testable import LibraryFiles

/// The examples of FIPS 180-4, and other properties that the program needs.
struct SHA256Tests {
  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ]
  )
  func `has the digits of the standard`(text: String, digits: String) throws {
    #expect(try SHA256.digits(of: Array(text.utf8), path: "a") == digits)
  }

  @Test func `goes on after its digits were asked for`() throws {
    var hash = try SHA256(of: "a")
    hash.update(Array("a".utf8))
    #expect(hash.digits == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb")
    #expect(hash.digits == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb")

    hash.update("bc".utf8)

    #expect(hash.digits == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `takes no bytes for none`() throws {
    var hash = try SHA256(of: "a")
    hash.update([])

    #expect(hash.digits == (try SHA256.digits(of: [], path: "a")))
  }

  @Test(arguments: ["", "../..", String(repeating: "A", count: 64)])
  func `only lower-case digits are a stored hash`(text: String) {
    #expect(!text.isSHA256)
    #expect(String(repeating: "a", count: 64).isSHA256)
  }
}
