import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct PauseTests {
  private let worker = NetworkWorker.testing()

  @Test func `waits as long as the host asks, with all of its transfers`() async throws {
    let worker = NetworkWorker.testing(limits: ConnectionLimits(jobs: 1))
    let server = try LoopbackServer.inTurn(
      .whole(status: 429, fields: ["Retry-After: 1"]),
      .whole([1])
    )
    let requests = try (0..<8).map { try server.request("/\($0)") }
    let fetches = requests.map { request in Task { try await worker.fetch(request).body } }
    for fetch in fetches { #expect(try await fetch.value == [1]) }

    let times = server.arrivalTimes
    #expect(times.count == 9)
    #expect(times[1] - times[0] >= .seconds(1))
  }

  @Test func `asks another host meanwhile`() async throws {
    let worker = NetworkWorker.testing(limits: ConnectionLimits(jobs: 1))
    let paused = try LoopbackServer.always(.whole(status: 429, fields: ["Retry-After: 50"]))
    let open = try LoopbackServer.always(.whole([1]))
    let request = try paused.request()
    let fetch = Task { await worker.failure(of: request) }
    await paused.arrivals.reaches(1)

    #expect(try await worker.fetch(try open.request()).body == [1])
    fetch.cancel()
    #expect(await fetch.value?.reason == .cancelled)
    #expect(paused.arrivals.count == 1)
  }

  @Test func `does not wait for a long pause, and asks nothing until it is over`() async throws {
    let server = try LoopbackServer.always(.whole([9], status: 429, fields: ["Retry-After: 3600"]))
    let before = Date()

    let reply = try await worker.fetch(try server.request())
    let failure = await worker.failure(of: try server.request("/other"))

    #expect(reply.header.status == 429)
    #expect(reply.body == [9])
    let end = try #require(reply.header.retryAfter)
    #expect(end >= before.addingTimeInterval(3600))
    #expect(failure?.reason == .paused(until: end))
    #expect(server.arrivals.count == 1)
  }

  @Test(arguments: [429, 503])
  func `asks during a pause what the user wants even so, and a good answer ends the pause`(
    _ status: Int
  ) async throws {
    let server = try LoopbackServer { request in
      request.target == "/bad"
        ? .whole(status: status, fields: ["Retry-After: 3600"]) : .whole([1])
    }
    let pauses = MemoryPauses()
    _ = try await NetworkWorker.testing(pauses: pauses).fetch(try server.request("/bad"))
    let later = NetworkWorker.testing(pauses: pauses)
    let refusal = await later.failure(of: try server.request("/good"))

    let reply = try await later.fetch(try server.wanted("/good"))
    let picture = try await later.fetch(try server.request("/picture"))

    guard case .paused? = refusal?.reason else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(reply.body == [1])
    #expect(picture.body == [1])
    #expect(server.requests.map(\.target) == ["/bad", "/good", "/picture"])
    #expect(pauses.pauses.count == 1)
  }

  @Test func `asks once during a pause, and a further refusal keeps the pause`() async throws {
    let server = try LoopbackServer.always(.whole(status: 503, fields: ["Retry-After: 3600"]))
    _ = try await worker.fetch(try server.request())

    let reply = try await worker.fetch(try server.wanted("/"))
    let failure = await worker.failure(of: try server.request("/other"))

    #expect(reply.header.status == 503)
    guard case .paused? = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(server.arrivals.count == 2)
  }

  @Test func `follows a redirect to a host that has asked for a pause`() async throws {
    let target = try LoopbackServer { request in
      request.target == "/bad"
        ? .whole(status: 503, fields: ["Retry-After: 3600"]) : .whole([1])
    }
    let server = try LoopbackServer.always(
      .whole(status: 302, fields: ["Location: http://127.0.0.1:\(target.port)/feed"])
    )
    _ = try await worker.fetch(try target.request("/bad"))

    #expect(try await worker.fetch(try server.wanted("/")).body == [1])
  }

  @Test func `fails what waits for its turn when the pause is a long one`() async throws {
    let gate = Gate()
    let answer = LoopbackResponse.whole(status: 503, fields: ["Retry-After: 3600"])
    let server = try LoopbackServer.always(answer.held(by: gate))
    let request = try server.request()
    let fetches = (0..<9).map { _ in
      Task { () -> Int? in
        do { return try await worker.fetch(request).header.status } catch { return nil }
      }
    }
    await server.arrivals.reaches(6)
    gate.open()
    var statuses: [Int?] = []
    for fetch in fetches { statuses.append(await fetch.value) }

    #expect(statuses.count { $0 == 503 } == 6)
    #expect(statuses.count { $0 == nil } == 3)
    #expect(server.arrivals.count == 6)
  }

  @Test func `notes the pause, and obeys one that is noted`() async throws {
    let server = try LoopbackServer.always(.whole(status: 429, fields: ["Retry-After: 3600"]))
    let pauses = MemoryPauses()
    _ = try await NetworkWorker.testing(pauses: pauses).fetch(try server.request())
    let later = NetworkWorker.testing(pauses: pauses)

    let noted = try #require(pauses.pauses["127.0.0.1:\(server.port)"])
    let failure = await later.failure(of: try server.request())

    guard case .paused(let end)? = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(abs(end.timeIntervalSince(noted)) < 1)
    #expect(server.arrivals.count == 1)
  }

  @Test func `is not held up by a store that fails`() async throws {
    let server = try LoopbackServer.inTurn(
      .whole(status: 503, fields: ["Retry-After: 1"]),
      .whole([1])
    )
    let worker = NetworkWorker.testing(pauses: MemoryPauses(isBroken: true))

    #expect(try await worker.fetch(try server.request()).body == [1])
  }

  @Test func `does not follow a redirect to a host that has asked for a pause`() async throws {
    let paused = try LoopbackServer.inTurn(
      .whole(status: 429, fields: ["Retry-After: 1"]),
      .whole([1])
    )
    let place = try #require(paused.address("/b")?.text)
    let server = try LoopbackServer.always(.redirect(to: place))
    let isPaused = Gate()
    var waiting = try paused.request("/a")
    waiting.waits = NetworkWaits { _ in isPaused.open() }
    let first = waiting
    let second = try server.request("/c")

    let direct = Task { try await worker.fetch(first).body }
    await isPaused.passed()
    let redirected = Task { try await worker.fetch(second).body }

    #expect(try await direct.value == [1])
    #expect(try await redirected.value == [1])
    let times = paused.arrivalTimes
    #expect(times[1] - times[0] >= .seconds(1))
  }

  @Test func `charges a pause to the host that asks for it and not to one that led there`()
    async throws
  {
    let paused = try LoopbackServer.always(.whole(status: 429, fields: ["Retry-After: 3600"]))
    let place = try #require(paused.address("/b")?.text)
    let server = try LoopbackServer { request in
      request.target == "/to" ? .redirect(to: place) : .whole([1])
    }

    #expect(try await worker.fetch(try server.request("/to")).header.status == 429)
    #expect(try await worker.fetch(try server.request("/here")).body == [1])
    guard case .paused? = await worker.failure(of: try server.request("/to"))?.reason else {
      Issue.record("the redirect was followed")
      return
    }
    #expect(paused.arrivals.count == 1)
  }

  @Test func `gives up at once on a host that is down`() async throws {
    let server = try LoopbackServer.always(.whole())
    let requests = try (0..<500).map { try server.request("/\($0)") }
    server.stop()

    let fetches = requests.map { request in Task { await worker.failure(of: request)?.reason } }
    for fetch in fetches { #expect(await fetch.value == .unreachable) }
    let later = await worker.failure(of: try server.request())

    #expect(later?.reason == .unreachable)
    #expect(later?.message.isEmpty == false)
  }
}

extension LoopbackServer {
  /// A request that the user wants during a pause, too.
  fileprivate func wanted(_ target: String) throws -> NetworkRequest {
    var request = try request(target)
    request.ignoresPause = true
    return request
  }
}
