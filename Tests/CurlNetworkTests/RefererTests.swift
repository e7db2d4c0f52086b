import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

/// Pictures behind a protection against links from other sites.
@Suite(.timeLimit(.minutes(60)))
struct RefererTests {
  private let worker = NetworkWorker.testing()

  /// A host of pictures that accepts a request if the closure accepts its `Referer`.
  private static func host(
    _ accepts: @escaping @Sendable (String?) -> Bool
  ) throws -> LoopbackServer {
    try LoopbackServer { accepts($0["Referer"]) ? .whole([1]) : .whole(status: 403) }
  }

  private func request(
    _ server: LoopbackServer,
    _ path: String = "/a.jpg",
    page: String
  ) throws -> NetworkRequest {
    var request = try server.request(path)
    request.page = WebAddress(page)
    return request
  }

  private func referers(_ server: LoopbackServer) -> [String?] {
    server.requests.map { $0["Referer"] }
  }

  @Test func `a picture that needs no field gets none`() async throws {
    let server = try Self.host { $0 == nil }

    _ = try await worker.fetch(try request(server, page: "http://blog.example/post/1"))

    #expect(referers(server) == [nil])
  }

  @Test func `a refused picture is asked for with its own origin, and then with that of its page`()
    async throws
  {
    let server = try Self.host { $0 == "http://blog.example/" }

    let reply = try await worker.fetch(try request(server, page: "http://blog.example/post/1?a=b"))

    #expect(reply.body == [1])
    #expect(
      referers(server) == [nil, "http://127.0.0.1:\(server.port)/", "http://blog.example/"]
    )
  }

  @Test func `the next picture begins with the field that its host accepted`() async throws {
    let server = try Self.host { $0 == "http://blog.example/" }

    for _ in 1...2 {
      _ = try await worker.fetch(try request(server, page: "http://blog.example/post/1"))
    }

    #expect(referers(server).suffix(2) == ["http://blog.example/", "http://blog.example/"])
    #expect(server.requests.count == 4)
  }

  @Test func `a request may begin with a field, and tells nothing about the next one`() async throws
  {
    let server = try Self.host { _ in true }
    var first = try request(server, page: "http://blog.example/post/1")
    first.referer = .page

    _ = try await worker.fetch(first)
    _ = try await worker.fetch(try request(server, page: "http://blog.example/post/2"))

    #expect(referers(server) == ["http://blog.example/", nil])
  }

  @Test func `a request that begins with a field goes on with the others if it is refused`()
    async throws
  {
    let server = try Self.host { $0 == nil }
    var first = try request(server, page: "http://blog.example/post/1")
    first.referer = .page

    let reply = try await worker.fetch(first)

    #expect(reply.body == [1])
    #expect(referers(server) == ["http://blog.example/", nil])
  }

  @Test func `a page with https is not named to a picture without`() async throws {
    let server = try Self.host { _ in false }

    let reply = try await worker.fetch(try request(server, page: "https://blog.example/"))

    #expect(reply.header.status == 403)
    #expect(referers(server) == [nil, "http://127.0.0.1:\(server.port)/"])
  }

  @Test func `a host that refuses every field gets plain requests after three pictures`()
    async throws
  {
    let server = try Self.host { _ in false }

    for _ in 1...5 {
      _ = try await worker.fetch(try request(server, page: "http://blog.example/"))
    }

    #expect(server.requests.count == 3 * 3 + 2)
  }

  @Test func `a picture under way stops asking when three others are refused with every field`()
    async throws
  {
    let gate = Gate()
    let server = try LoopbackServer { request in
      let refusal = LoopbackResponse.whole(status: 403)
      return request.target == "/late.jpg" ? refusal.held(by: gate) : refusal
    }
    let late = try request(server, "/late.jpg", page: "http://blog.example/")

    async let reply = worker.fetch(late)
    await server.arrivals.reaches(1)
    for _ in 1...3 {
      _ = try await worker.fetch(try request(server, page: "http://blog.example/"))
    }
    gate.open()

    #expect(try await reply.header.status == 403)
    #expect(server.requests.count { $0.target == "/late.jpg" } == 1)
  }

  @Test func `a redirect takes the field along`() async throws {
    let other = try LoopbackServer.always(.whole([1]), on: "127.0.0.2")
    let target = try #require(other.address("/b.jpg")?.text)
    let server = try LoopbackServer { request in
      request["Referer"] == nil ? .whole(status: 403) : .redirect(to: target)
    }

    let reply = try await worker.fetch(try request(server, page: "http://blog.example/"))

    #expect(reply.body == [1])
    #expect(reply.header.address.text == target)
    #expect(referers(other) == ["http://127.0.0.1:\(server.port)/"])
  }

  @Test func `a redirect from https to http does not take a page with https along`() async throws {
    let other = try LoopbackServer.always(.whole([1]))
    let target = try #require(other.address("/b.jpg")?.text)
    let ways = LoopbackWays(security: try LoopbackSecurity(.valid))
    let server = try LoopbackServer(ways) { request in
      request["Referer"] == "https://blog.example/" ? .redirect(to: target) : .whole(status: 403)
    }
    let worker = NetworkWorker(
      userAgent: "gallery/test",
      timeouts: .patient,
      certificateFile: LoopbackCertificate.authorityFile,
      environment: [:]
    )

    let reply = try await worker.fetch(try request(server, page: "https://blog.example/post/1"))

    #expect(reply.body == [1])
    #expect(referers(other) == [nil])
  }

  @Test func `gives up when the redirects of a picture with the field do not end`() async throws {
    let server = try LoopbackServer { request in
      request["Referer"] == nil ? .whole(status: 403) : .redirect(to: "/again.jpg")
    }

    let failure = await worker.failure(of: try request(server, page: "http://blog.example/"))

    #expect(failure?.reason == .tooManyRedirects(limit: 10))
  }

  @Test func `a document that is refused is not asked for again`() async throws {
    let server = try Self.host { _ in false }

    let reply = try await worker.fetch(try server.request())

    #expect(reply.header.status == 403)
    #expect(referers(server) == [nil])
  }

  @Test func `a field of the user takes precedence`() async throws {
    let server = try Self.host { $0 == "https://my.example/" }
    let own = OriginFields(
      for: try #require(server.address("/")),
      [OriginFields.Field(name: "Referer", value: "https://my.example/")]
    )
    let worker = NetworkWorker.testing(originFields: [own])

    _ = try await worker.fetch(try request(server, page: "http://blog.example/"))

    #expect(referers(server) == ["https://my.example/"])
  }
}
