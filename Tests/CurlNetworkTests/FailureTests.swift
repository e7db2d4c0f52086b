import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
  @Test func `reports a server that cannot be reached, without secrets`() async throws {
    let server = try LoopbackServer.always(.whole())
    let address = try #require(server.address("/?token=hidden", user: "moon:secret"))
    server.stop()

    let failure = await NetworkWorker.testing()
      .failure(of: NetworkRequest(address: address, reach: .anywhere, byteLimit: 1))

    #expect(failure?.reason == .unreachable)
    #expect(failure?.address == address)
    #expect(failure?.message.isEmpty == false)
    #expect(failure?.message.contains("secret") == false)
    #expect(failure?.message.contains("hidden") == false)
  }

  @Test func `gives up on a server that stops sending`() async throws {
    let gate = Gate()
    defer { gate.open() }
    var timeouts = NetworkTimeouts()
    timeouts.stall = .seconds(1)
    let server = try LoopbackServer.always(.halted([1], [2], by: gate))

    let failure = await NetworkWorker.testing(timeouts: timeouts, retries: .never)
      .failure(of: try server.request())

    #expect(failure?.reason == .timedOut)
  }

  @Test func `gives up on a server that never answers`() async throws {
    let gate = Gate()
    defer { gate.open() }
    var timeouts = NetworkTimeouts()
    timeouts.stall = .seconds(1)
    let server = try LoopbackServer.always(.whole().held(by: gate))

    let failure = await NetworkWorker.testing(timeouts: timeouts, retries: .never)
      .failure(of: try server.request())

    #expect(failure?.reason == .timedOut)
  }

  @Test func `gives up on connecting`() async throws {
    var timeouts = NetworkTimeouts()
    timeouts.connecting = .milliseconds(200)
    let gate = Gate()
    defer { gate.open() }
    // The server takes the connection and then says nothing, so that TLS is never agreed on.
    let server = try LoopbackServer.always(.whole().held(by: gate))
    let address = try #require(WebAddress("https://127.0.0.1:\(server.port)/"))

    let failure = await NetworkWorker.testing(timeouts: timeouts, retries: .never)
      .failure(of: NetworkRequest(address: address, reach: .anywhere, byteLimit: 1))

    #expect(failure?.reason == .timedOut)
  }

  @Test func `reports a peer that does not speak TLS`() async throws {
    let server = try LoopbackServer.always(.whole())
    let address = try #require(WebAddress("https://127.0.0.1:\(server.port)/"))
    let worker = NetworkWorker.testing()

    let task = Task {
      await worker.failure(of: NetworkRequest(address: address, reach: .anywhere, byteLimit: 1))
    }
    await server.connections.reaches(1)
    server.stop()

    #expect(await task.value?.reason == .insecure)
  }
}
