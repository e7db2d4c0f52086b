import Models
import Testing

@testable import CurlNetwork

struct WebAddressSendingTests {
  @Test(arguments: [
    ("http://Host/a", "host"), ("https://u:p@host:8080", "host:8080"),
    ("http://[::1]:80?a@b", "[::1]:80"), ("http://host#a/b", "host"),
  ])
  func `finds host and port`(text: String, host: String) throws {
    #expect(try #require(WebAddress(text)).hostAndPort == host)
  }

  @Test func `leaves a host beyond ASCII to libcurl`() throws {
    let address = try #require(WebAddress("https://m\u{FC}nchen.example/\u{FC} b?\u{FC}"))

    #expect(address.asSent == "https://m\u{FC}nchen.example/%C3%BC%20b?%C3%BC")
  }

  @Test func `tells schemes without case`() throws {
    #expect(try #require(WebAddress("FILE:///a")).isOnDisk)
    #expect(try #require(WebAddress("Https://a")).isSecure)
    #expect(try #require(WebAddress("http://a")).isSecure == false)
  }
}
