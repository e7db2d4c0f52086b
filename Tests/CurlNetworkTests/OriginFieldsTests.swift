import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

/// Request fields and cookies that the user has configured for an origin.
@Suite(.timeLimit(.minutes(60)))
struct OriginFieldsTests {
  private func worker(for server: LoopbackServer) throws -> NetworkWorker {
    let address = try #require(server.address("/feed.xml"))
    let cookie = OriginFields.Cookie(
      domain: "127.0.0.1",
      path: "/",
      isSecure: false,
      expires: nil,
      name: "session",
      value: "c00kie"
    )
    let field = OriginFields.Field(name: "X-Key", value: "k3y")
    return NetworkWorker.testing(
      originFields: [OriginFields(for: address, [field], cookies: [cookie])]
    )
  }

  private func sent(_ server: LoopbackServer) -> [String?] {
    server.requests.flatMap { [$0["X-Key"], $0["Cookie"]] }
  }

  @Test func `sends them with each request to the origin`() async throws {
    let server = try LoopbackServer.always(.whole())
    let worker = try worker(for: server)

    _ = try await worker.fetch(try server.request("/a.jpg"))
    _ = try await worker.fetch(try server.request("/b.jpg"))

    #expect(sent(server) == ["k3y", "session=c00kie", "k3y", "session=c00kie"])
  }

  @Test func `sends them to no other port, also of the same host`() async throws {
    let server = try LoopbackServer.always(.whole())
    let other = try LoopbackServer.always(.whole())
    let worker = try worker(for: server)

    _ = try await worker.fetch(try other.request())
    _ = try await worker.fetch(try server.request())
    // libcurl reuses the handle that carried the fields, now for another origin.
    _ = try await worker.fetch(try other.request())

    #expect(sent(other) == [nil, nil, nil, nil])
  }

  @Test func `takes them along on a redirect within the origin`() async throws {
    let server = try LoopbackServer.inTurn(.redirect(to: "/b"), .whole(Array("b".utf8)))
    let reply = try await worker(for: server).fetch(try server.request())

    #expect(sent(server) == ["k3y", "session=c00kie", "k3y", "session=c00kie"])
    #expect(reply.body == Array("b".utf8))
    #expect(reply.header.address.path == "/b")
  }

  @Test func `takes them along on no redirect to another origin, nor back from there`() async throws
  {
    let server = try LoopbackServer { request in
      request.target == "/back" ? .whole() : .redirect(to: String(request.target.dropFirst()))
    }
    let home = "http://127.0.0.1:\(server.port)/back"
    let other = try LoopbackServer.always(.redirect(to: home))
    let address = try #require(server.address("/http://127.0.0.1:\(other.port)/"))

    let reply = try await worker(for: server)
      .fetch(NetworkRequest(address: address, reach: .anywhere, byteLimit: 100))

    #expect(reply.header.status == 200)
    #expect(sent(other) == [nil, nil])
    #expect(sent(server) == ["k3y", "session=c00kie", nil, nil])
  }

  @Test func `ends after as many redirects as any transfer`() async throws {
    let server = try LoopbackServer.always(.redirect(to: "/"))
    let failure = await (try worker(for: server)).failure(of: try server.request())

    #expect(failure?.reason == .tooManyRedirects(limit: 10))
    #expect(server.requests.count == 11)
  }

  @Test func `shows no value`() throws {
    let address = try #require(WebAddress("https://example.com/"))
    let fields = OriginFields(for: address, [.init(name: "X-Key", value: "k3y")])

    #expect("\(fields)" == "1 fields and 0 cookies for https://example.com/")
  }

  // MARK: Cookies

  @Test(arguments: [
    ("example.com", "/", false, "https://example.com/a", true),
    ("example.com", "/", false, "https://www.example.com/a", false),
    (".example.com", "/", false, "https://www.example.com/a", true),
    (".example.com", "/", false, "https://badexample.com/a", false),
    ("example.com", "/a", false, "https://example.com/a/b", true),
    ("example.com", "/a", false, "https://example.com/ab", false),
    ("example.com", "/", true, "http://example.com/", false),
    ("example.com", "/", true, "https://example.com", true),
  ])
  func `sends a cookie where it belongs`(
    domain: String,
    path: String,
    isSecure: Bool,
    asked: String,
    isSent: Bool
  ) throws {
    let address = try #require(WebAddress(asked))
    let cookie = OriginFields.Cookie(
      domain: domain,
      path: path,
      isSecure: isSecure,
      expires: Date(timeIntervalSince1970: 100),
      name: "a",
      value: "b"
    )
    let fields = OriginFields(for: address, [], cookies: [cookie])

    let sent = fields.fields(for: address, at: Date(timeIntervalSince1970: 99))
    #expect(sent.map(\.value) == (isSent ? ["a=b"] : []))
    #expect(fields.fields(for: address, at: Date(timeIntervalSince1970: 100)) == [])
  }
}
