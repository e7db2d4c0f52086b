import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct CredentialTests {
  private static let moon = "Basic bW9vbjpzZWNyZXQ="
  private let netrc: URL

  init() throws {
    netrc = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("machine 127.0.0.1 login moon password secret\ndefault login a password b".utf8)
      .write(to: netrc)
  }

  @Test func `sends the login that the netrc file has for a host`() async throws {
    let worker = worker()
    let server = try LoopbackServer.always(.whole())

    _ = try await worker.fetch(try server.request())

    #expect(authorizations(server) == [Self.moon])
  }

  @Test func `keeps a login from another port, host and later requests without one`() async throws {
    let worker = worker()
    let other = try LoopbackServer.always(.whole())
    let ports = try LoopbackServer.always(.redirect(to: "http://127.0.0.1:\(other.port)/"))
    let names = try LoopbackServer.always(.redirect(to: "http://localhost:\(other.port)/"))

    _ = try await worker.fetch(try ports.request())
    _ = try await worker.fetch(try names.request())
    let named = try #require(WebAddress("http://localhost:\(other.port)/"))
    _ = try await worker.fetch(NetworkRequest(address: named, reach: .anywhere, byteLimit: 1))

    #expect(authorizations(ports) == [Self.moon])
    #expect(authorizations(names) == [Self.moon])
    #expect(authorizations(other) == [nil, nil, nil])
  }

  @Test func `keeps a login for a redirect within its origin`() async throws {
    let worker = worker()
    let server = try LoopbackServer.inTurn(.redirect(to: "/b"), .whole())

    _ = try await worker.fetch(try server.request())

    #expect(authorizations(server) == [Self.moon, Self.moon])
  }

  @Test func `prefers what the address says, and sends that nowhere else`() async throws {
    let worker = worker()
    let other = try LoopbackServer.always(.whole())
    let server = try LoopbackServer.always(.redirect(to: "http://127.0.0.1:\(other.port)/"))
    let address = try #require(server.address("/", user: "sun:s"))

    _ = try await worker.fetch(NetworkRequest(address: address, reach: .anywhere, byteLimit: 1))

    #expect(authorizations(server) == ["Basic c3VuOnM="])
    #expect(authorizations(other) == [nil])
  }

  @Test func `sends a login again with each try`() async throws {
    let worker = worker()
    let server = try LoopbackServer.inTurn(.whole(status: 500), .whole())

    _ = try await worker.fetch(try server.request())

    #expect(authorizations(server) == [Self.moon, Self.moon])
  }

  @Test func `keeps secrets out of the message when a redirect leads to a dead host`() async throws
  {
    let dead = try LoopbackServer.always(.whole())
    let place = try #require(dead.address("/?api_key=hidden", user: "moon:secret")?.text)
    dead.stop()
    let server = try LoopbackServer.always(.redirect(to: place))
    let request = NetworkRequest(
      address: try #require(server.address("/?sig=hidden", user: "moon:secret")),
      reach: .anywhere,
      byteLimit: 1
    )

    let failure = await NetworkWorker.testing().failure(of: request)

    #expect(failure?.reason == .unreachable)
    #expect(failure?.message.contains("hidden") == false)
    #expect(failure?.message.contains("secret") == false)
  }

  @Test(arguments: ["/a.jpg", "/deep/b.jpg?c=d"])
  func `the login of a feed's address counts for other addresses of its origin`(
    path: String
  ) async throws {
    let server = try LoopbackServer.always(.whole())
    var request = try server.request(path)
    request.feed = server.address("/feed.xml", user: "sun:a%20b%3A")

    _ = try await NetworkWorker.testing().fetch(request)

    #expect(authorizations(server) == ["Basic c3VuOmEgYjo="])
  }

  @Test func `another port, and another host, get no login of a feed's address`() async throws {
    let server = try LoopbackServer.always(.whole())
    let feed = try LoopbackServer.always(.whole())
    let named = try #require(feed.address("/feed.xml", user: "sun:s"))
    for text in ["http://127.0.0.1:\(server.port)/a", "http://localhost:\(server.port)/a"] {
      let address = try #require(WebAddress(text))
      var request = NetworkRequest(address: address, reach: .anywhere, byteLimit: 100)
      request.feed = named
      _ = try await NetworkWorker.testing().fetch(request)
    }

    #expect(authorizations(server) == [nil, nil])
  }

  @Test(arguments: ["", "sun:s@"])
  func `no login goes out over http for a feed that was named with https`(
    user: String
  ) async throws {
    let server = try LoopbackServer.always(.whole())
    let text = "http://\(user)127.0.0.1:\(server.port)/a.jpg"
    let address = try #require(WebAddress(text))
    var request = NetworkRequest(address: address, reach: .anywhere, byteLimit: 100)
    request.feed = WebAddress("https://sun:s@127.0.0.1:\(server.port)/feed.xml")

    _ = try await worker().fetch(request)

    #expect(authorizations(server) == [nil])
  }

  @Test func `a picture's own login still goes to its own host`() async throws {
    let server = try LoopbackServer.always(.whole())
    let address = try #require(server.address("/a.jpg", user: "moon:secret"))
    var request = NetworkRequest(address: address, reach: .anywhere, byteLimit: 100)
    request.feed = WebAddress("https://sun:s@blog.example/feed.xml")

    _ = try await NetworkWorker.testing().fetch(request)

    #expect(authorizations(server) == [Self.moon])
  }

  private func worker() -> NetworkWorker {
    // The worker reads the file in its initializer, so the test can delete it afterwards.
    defer { try? FileManager.default.removeItem(at: netrc) }
    return .testing(netrcFile: netrc.path)
  }

  private func authorizations(_ server: LoopbackServer) -> [String?] {
    server.requests.map { $0["Authorization"] }
  }
}
