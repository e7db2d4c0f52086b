import Models
import TestSupport
import Testing
import Workers

@testable import CurlNetwork

/// Host names and paths beyond ASCII (UTS #46; RFC 3987, section 3.1).
@Suite(.timeLimit(.minutes(60)))
struct InternationalNameTests {
  @Test(arguments: [
    ("https://exämple.org/a", "https://xn--exmple-cua.org/a"),
    ("https://EXÄMPLE.org:8443/ü?ä=ö", "https://xn--exmple-cua.org:8443/%C3%BC?%C3%A4=%C3%B6"),
    ("https://exa\u{308}mple.org/", "https://xn--exmple-cua.org/"),
    ("https://ex%C3%A4mple.org/", "https://xn--exmple-cua.org/"),
    ("https://straße.example/", "https://xn--strae-oqa.example/"),
    ("https://日本語。jp/", "https://xn--wgv71a119e.jp/"),
    ("https://jö:pä@пример.example/", "https://j%C3%B6:p%C3%A4@xn--e1afmkfd.example/"),
    ("https://example.org/año.xml", "https://example.org/a%C3%B1o.xml"),
    ("https://example.org/a b", "https://example.org/a%20b"),
    ("http://[fe80::1%25eth0]/a", "http://[fe80::1%25eth0]/a"),
    ("https://example.org/%C3%B1", "https://example.org/%C3%B1"),
    ("https://a%2Fb.example/", "https://a%2Fb.example/"),
    ("https://a%40b.example/", "https://a%40b.example/"),
    ("https://a%00b.example/", "https://a%00b.example/"),
    ("https://example.org\u{2100}.b/", "https://example.org\u{2100}.b/"),
  ])
  func `an address goes out in ASCII, and never with another host`(
    text: String,
    sent: String
  ) throws {
    #expect(try #require(WebAddress(text)).asSent == sent)
  }

  @Test(
    arguments: [
      ("https://пример.example:8443/a", "https://xn--e1afmkfd.example:8443/"),
      ("https://jo@Bücher.example/ä", "https://xn--bcher-kva.example/"),
      ("https://A.example/b", "https://a.example/"), ("https://example.org\u{2100}.b/", nil),
    ] as [(String, String?)]
  )
  func `an origin goes out in ASCII, or not at all`(text: String, origin: String?) throws {
    let address = try #require(WebAddress(text))
    let request = NetworkRequest(address: address, reach: .anywhere, byteLimit: 1)

    #expect(request.origin(for: .own) == origin)
  }

  @Test func `a picture under an international name is fetched`() async throws {
    let server = try LoopbackServer.always(.whole([1]))
    let address = try #require(WebAddress("http://bücher.localhost:\(server.port)/ä.jpg"))

    let reply = try await NetworkWorker.testing()
      .fetch(NetworkRequest(address: address, reach: .anywhere, byteLimit: 100))

    #expect(reply.body == [1])
    #expect(server.requests.map(\.target) == ["/%C3%A4.jpg"])
    #expect(server.requests.map { $0["Host"] } == ["xn--bcher-kva.localhost:\(server.port)"])
  }

  @Test func `a redirect to an international name is followed`() async throws {
    let other = try LoopbackServer.always(.whole([1]))
    let target = "http://bücher.localhost:\(other.port)/b"
    // The server's fields have a byte in each scalar.
    let bytes = String(String.UnicodeScalarView(target.utf8.map { Unicode.Scalar($0) }))
    let server = try LoopbackServer.always(.redirect(to: bytes))

    let reply = try await NetworkWorker.testing().fetch(try server.request())

    #expect(reply.body == [1])
    #expect(other.requests.map { $0["Host"] } == ["xn--bcher-kva.localhost:\(other.port)"])
  }
}
