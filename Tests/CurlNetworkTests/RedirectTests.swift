import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct RedirectTests {
  private let worker = NetworkWorker.testing()

  @Test func `follows redirects and answers from the last place`() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/a": .whole([9], status: 301, fields: ["Location: /b", "ETag: \"a\""])
      case "/b": .redirect(to: "c?d=e", status: 307)
      default: .whole([1])
      }
    }

    let reply = try await worker.fetch(try server.request("/a"))

    #expect(reply.header.address == server.address("/c?d=e"))
    #expect(reply.header.validators == Validators())
    #expect(reply.body == [1])
    #expect(server.requests.map(\.target) == ["/a", "/b", "/c?d=e"])
  }

  @Test(arguments: [
    ([301], 1), ([308, 301], 2), ([301, 302, 301], 1), ([302, 301], nil), ([307], nil),
    ([301, 303], 1), ([], nil),
  ])
  func `tells how far an address has moved for good`(statuses: [Int], hops: Int?) async throws {
    let server = try LoopbackServer { request in
      let hop = Int(request.target.dropFirst()) ?? 0
      return hop < statuses.count
        ? .redirect(to: "\(hop + 1)", status: statuses[hop]) : .whole([1])
    }

    let header = try await worker.fetch(try server.request("/0")).header

    #expect(header.permanentAddress == hops.flatMap { server.address("/\($0)") })
    #expect(header.address == server.address("/\(statuses.count)"))
  }

  @Test func `gives up when redirects do not end`() async throws {
    let server = try LoopbackServer.always(.redirect(to: "/again"))

    let failure = await worker.failure(of: try server.request())

    #expect(failure?.reason == .tooManyRedirects(limit: 10))
    #expect(server.arrivals.count == 11)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/a"])
  func `refuses a redirect that leaves the web`(target: String) async throws {
    let server = try LoopbackServer.always(.redirect(to: target))

    #expect(await worker.failure(of: try server.request())?.reason == .refused)
  }

  @Test(arguments: ["ftp://127.0.0.1/a", "data:,a", "http://"])
  func `refuses addresses that are not of the web`(text: String) async throws {
    let request = NetworkRequest(
      address: try #require(WebAddress(text)),
      reach: .anywhere,
      byteLimit: 1
    )

    #expect(await worker.failure(of: request)?.reason == .refused)
  }

  @Test func `keeps credentials from other origins and later requests`() async throws {
    let other = try LoopbackServer.always(.whole())
    let target = try #require(other.address("/there")?.text)
    let server = try LoopbackServer { request in
      request.target == "/" ? .redirect(to: target) : .whole()
    }
    let address = try #require(server.address("/", user: "moon:secret"))

    _ = try await worker.fetch(NetworkRequest(address: address, reach: .anywhere, byteLimit: 1))
    _ = try await worker.fetch(try server.request("/later"))

    #expect(server.requests.map { $0["Authorization"] } == ["Basic bW9vbjpzZWNyZXQ=", nil])
    #expect(other.requests.map { $0["Authorization"] } == [nil])
  }
}
