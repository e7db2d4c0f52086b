import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct ConnectionTests {
  @Test func `uses a connection again`() async throws {
    let worker = NetworkWorker.testing()
    let server = try LoopbackServer.always(.whole([1]))

    for _ in 0..<20 { _ = try await worker.fetch(try server.request()) }

    #expect(server.arrivals.count == 20)
    #expect(server.connections.count == 1)
  }

  @Test func `asks one host over six connections at most`() async throws {
    let worker = NetworkWorker.testing()
    let gate = Gate()
    let server = try LoopbackServer.always(.whole([1]).held(by: gate))
    let request = try server.request()

    let fetches = (0..<30).map { _ in Task { try await worker.fetch(request).body } }
    await server.arrivals.reaches(6)
    let connectionsWhileHeld = server.connections.count
    gate.open()
    for fetch in fetches { #expect(try await fetch.value == [1]) }

    #expect(connectionsWhileHeld == 6)
    #expect(server.connections.count == 6)
    #expect(server.arrivals.count == 30)
  }

  @Test func `asks all hosts together for no more than the limit`() async throws {
    let worker = NetworkWorker.testing(limits: ConnectionLimits(jobs: 3))
    let gate = Gate()
    let arrivals = Tally()
    let servers = try (0..<3).map { _ in
      try LoopbackServer { _ in
        arrivals.add()
        return .whole().held(by: gate)
      }
    }
    let requests = try servers.flatMap { server in
      try (0..<3).map { try server.request("/\($0)") }
    }

    let fetches = requests.map { request in Task { await worker.failure(of: request) } }
    await arrivals.reaches(3)
    let arrivedWhileHeld = arrivals.count
    gate.open()
    for fetch in fetches { #expect(await fetch.value == nil) }

    #expect(arrivedWhileHeld == 3)
    #expect(arrivals.count == 9)
  }

  @Test func `does not let a busy host hold up another`() async throws {
    let worker = NetworkWorker.testing()
    let gate = Gate()
    let busy = try LoopbackServer.always(.whole().held(by: gate))
    let free = try LoopbackServer.always(.whole([2]))
    let request = try busy.request()

    let fetches = (0..<20).map { _ in Task { await worker.failure(of: request) } }
    await busy.arrivals.reaches(6)
    let reply = try await worker.fetch(try free.request())
    gate.open()
    for fetch in fetches { #expect(await fetch.value == nil) }

    #expect(reply.body == [2])
  }

  @Test func `keeps to the limit of a host that redirects lead to, however long it takes`()
    async throws
  {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .seconds(3)
    let worker = NetworkWorker.testing(timeouts: timeouts)
    let gate = Gate()
    let target = try LoopbackServer.always(.whole([1]).held(by: gate))
    let place = try #require(target.address("/")?.text)
    let servers = try (0..<3).map { _ in try LoopbackServer.always(.redirect(to: place)) }
    let unread = try LoopbackServer.always(.endless())

    let body = try await worker.open(try unread.request(limit: .max)).body
    let fetches = try servers.flatMap { server in
      try (0..<6).map { try server.request("/\($0)") }
    }
    .map { request in Task { await worker.failure(of: request) } }
    await target.arrivals.reaches(6)
    // Tenths of a second: longer than a connection may take.
    await unread.blockedSends.reaches(35)
    let connectionsWhileHeld = target.connections.count
    gate.open()

    for fetch in fetches { #expect(await fetch.value == nil) }
    #expect(connectionsWhileHeld == 6)
    #expect(body.wireBytes > 0)
  }
}
