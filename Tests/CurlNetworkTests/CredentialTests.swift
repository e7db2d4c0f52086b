import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(10)))
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

  private func worker() -> NetworkWorker {
    // The worker reads the file in its initializer, so the test can delete it afterwards.
    defer { try? FileManager.default.removeItem(at: netrc) }
    return .testing(netrcFile: netrc.path)
  }

  private func authorizations(_ server: LoopbackServer) -> [String?] {
    server.requests.map { $0["Authorization"] }
  }
}
