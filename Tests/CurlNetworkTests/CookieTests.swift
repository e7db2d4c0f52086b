import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

/// Cookies that a server sets with a redirect, and wants back at once (RFC 6265, section 3).
@Suite(.timeLimit(.minutes(60)))
struct CookieTests {
  /// A server whose `/feed` sends clients without the cookie to a path that sets it.
  private static func server(settingAt path: String) throws -> LoopbackServer {
    try LoopbackServer { request in
      let knows = request["Cookie"]?.contains("seen=1") == true
      if request.target == path, !knows {
        return .whole(status: 302, fields: ["Set-Cookie: seen=1; path=/", "Location: /feed"])
      }
      return knows ? .whole([7]) : .redirect(to: path)
    }
  }

  @Test(arguments: ["/feed", "/authorize"])
  func `a redirect gets back the cookie that it set`(path: String) async throws {
    let server = try Self.server(settingAt: path)

    let reply = try await NetworkWorker.testing().fetch(try server.request("/feed"))

    #expect(reply.body == [7])
    #expect(server.requests.last?["Cookie"] == "seen=1")
  }

  @Test func `the next transfer begins without a cookie`() async throws {
    let server = try Self.server(settingAt: "/feed")
    let worker = NetworkWorker.testing()

    for _ in 1...2 { _ = try await worker.fetch(try server.request("/feed")) }

    #expect(server.requests.map { $0["Cookie"] } == [nil, "seen=1", nil, "seen=1"])
  }

  @Test func `another host gets no cookie`() async throws {
    let other = try LoopbackServer(on: "127.0.0.2") { _ in .whole() }
    let target = try #require(other.address("/")?.text)
    let server = try LoopbackServer.always(
      .whole(status: 302, fields: ["Set-Cookie: seen=1; path=/", "Location: \(target)"])
    )

    _ = try await NetworkWorker.testing().fetch(try server.request())

    #expect(other.requests.map { $0["Cookie"] } == [nil])
  }

  @Test func `the user's cookies and those of a redirect go out in one field`() async throws {
    let server = try Self.server(settingAt: "/feed")
    let address = try #require(server.address("/feed"))
    let fields = [
      OriginFields.Field(name: "Cookie", value: "a=b"),
      OriginFields.Field(name: "X-Key", value: "k"),
    ]
    let worker = NetworkWorker.testing(originFields: [OriginFields(for: address, fields)])

    let reply = try await worker.fetch(try server.request("/feed"))

    #expect(reply.body == [7])
    #expect(server.requests.map { $0["Cookie"] } == ["a=b", "seen=1; a=b"])
    #expect(server.requests.map { $0["X-Key"] } == ["k", "k"])
  }
}
