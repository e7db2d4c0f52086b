import Models
import Testing

@testable import CurlNetwork

struct WebAddressHostTests {
  @Test(arguments: [
    ("http://Host/a", "host"), ("https://host:443/", "host"), ("http://host:80/", "host"),
    ("http://u:p@host:/", "host"), ("https://host:80/", "host:80"),
    ("http://host:443/", "host:443"), ("http://[::1]:80?a@b", "[::1]"),
    ("http://host:8080", "host:8080"), ("http://a@b@Host/c@d", "host"), ("http:///Host/", "host"),
    ("http://Ä.example/", "ä.example"), ("http://host#@a", "host"), ("http:", ""),
  ])
  func `names a host for its pauses`(text: String, key: String) throws {
    #expect(try #require(WebAddress(text)).hostKey == key)
  }
}
