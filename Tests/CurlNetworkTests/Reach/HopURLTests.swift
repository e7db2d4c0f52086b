import Testing

@testable import CurlNetwork

struct HopURLTests {
  @Test(arguments: [
    ("http://Example.ORG:8080/a", "http", "example.org"),
    ("HTTPS://user:pass@example.org", "https", "example.org"),
    ("http://0x7f.1/", "http", "127.0.0.1"), ("http://2130706433/", "http", "127.0.0.1"),
    ("http://0177.0.0.1/", "http", "127.0.0.1"), ("http://127.1/", "http", "127.0.0.1"),
    ("http://%31%32%37.0.0.1/", "http", "127.0.0.1"), ("http://[::1]:80/", "http", "[::1]"),
    ("http://localhost./", "http", "localhost."),
    ("http://a.example\\@b.example/", "http", "b.example"),
  ])
  func `reads the host as libcurl will ask for it`(text: String, scheme: String, host: String)
    throws
  {
    let url = try #require(HopURL(text))

    #expect(url.scheme == scheme)
    #expect(url.isAt(host), "\(url.host)")
    #expect(!url.hasZone)
  }

  @Test(arguments: ["http://[fe80::1%25eth0]/", "http://[::1%25lo]:80/"])
  func `sees a zone`(text: String) throws {
    #expect(try #require(HopURL(text)).hasZone)
  }

  @Test(arguments: ["", "http://", "http://a b/", "http://%ff/", "http://%00/"])
  func `reads nothing where there is no host`(text: String) {
    #expect(HopURL(text) == nil)
  }

  @Test func `takes no two spellings for one name`() throws {
    #expect(try !#require(HopURL("http://caf\u{E9}.example/")).isAt("cafe\u{301}.example"))
    #expect(try !#require(HopURL("http://\u{212A}.example/")).isAt("k.example"))
  }
}
