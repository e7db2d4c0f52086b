import Models
import Testing

struct WebAddressTests {
  @Test func `keeps the text as it was written`() throws {
    let address = try #require(WebAddress("HTTPS://Host.Example:8443/a%2Fb?x=%3D&y#End"))

    #expect(address.text == "HTTPS://Host.Example:8443/a%2Fb?x=%3D&y#End")
    #expect(address.scheme == "https")
    #expect(address.host == "host.example")
    #expect(address.path == "/a%2Fb")
    #expect(address.query == "x=%3D&y")
  }

  @Test(arguments: [
    "", "photo.jpg", "/photo.jpg", "//host/photo.jpg", "1http://host/", ":", "a b:c",
  ])
  func `takes no address without a scheme`(_ text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test(arguments: [
    ("http://user:secret@host.example:80/", "host.example"),
    ("http://user@other@host.example/", "host.example"),
    ("https://[2001:DB8::1]:443/a", "[2001:db8::1]"),
    ("https://host.example?query", "host.example"),
    ("file:///home/ann/feed.xml", ""),
    ("mailto:ann@host.example", nil),
  ])
  func `tells the host from user-info and port`(_ text: String, _ host: String?) throws {
    #expect(try #require(WebAddress(text)).host == host)
  }

  @Test(arguments: [
    ("https://host.example/a", true), ("HTTP://host.example", true), ("http:///a", false),
    ("ftp://host.example/a", false), ("file:///a", false), ("data:image/png;base64,AA==", false),
  ])
  func `knows what a transfer may ask for`(_ text: String, _ isWeb: Bool) throws {
    #expect(try #require(WebAddress(text)).isWeb == isWeb)
  }
}
