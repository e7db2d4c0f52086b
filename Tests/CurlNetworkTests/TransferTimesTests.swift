import Models
import TestSupport
import Testing
import Workers

@testable import CurlNetwork

@Suite(.timeLimit(.minutes(60)))
struct TransferTimesTests {
  private let stopwatch = Stopwatch()

  @Test func `takes the moments of a transfer apart`() {
    let times = TransferTimes(name: 2, connection: 5, security: 9, ready: 10, first: 30, end: 100)

    #expect(times == expected(2, 3, 4, 20, 70))
  }

  @Test func `knows a connection that was there already`() {
    let times = TransferTimes(name: 2, connection: 2, security: 0, ready: 3, first: 30, end: 100)

    #expect(times == expected(2, 0, 0, 27, 70))
  }

  @Test func `spends all on the connection until there is one`() {
    let unnamed = TransferTimes(name: 0, connection: 0, security: 0, ready: 0, first: 0, end: 50)
    let unmade = TransferTimes(name: 4, connection: 0, security: 0, ready: 0, first: 0, end: 50)

    #expect(unnamed == expected(0, 50, 0, 0, 0))
    #expect(unmade == expected(4, 46, 0, 0, 0))
  }

  @Test func `waits to the end for a response that does not come`() {
    let times = TransferTimes(name: 2, connection: 5, security: 0, ready: 10, first: 0, end: 100)

    #expect(times == expected(2, 3, 0, 90, 0))
  }

  @Test func `counts requests, responses and the connections that they went over`() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/old": .redirect(to: "/new")
      case "/same": .whole([], status: 304, fields: ["ETag: \"a\""])
      default: .whole([1, 2, 3])
      }
    }
    let worker = worker()
    var same = try server.request("/same")
    same.validators = Validators(entityTag: "\"a\"")

    let replies = [
      try await worker.fetch(server.request("/new")),
      try await worker.fetch(server.request("/old")),
      try await worker.fetch(same),
    ]

    let counts = stopwatch.timings.counts
    #expect(counts.requests == 4)
    #expect(counts.responses == 4)
    #expect(counts.unchanged == 1)
    #expect(counts.connections == 1)
    #expect(counts.bytes == replies.reduce(0) { $0 + $1.wireBytes })
  }

  @Test func `counts each try`() async throws {
    let tries = Locked(0)
    let server = try LoopbackServer { _ in
      .whole(
        [1],
        status: tries.withLock { tries in
          tries += 1
          return tries < 3 ? 503 : 200
        }
      )
    }

    _ = try await worker().fetch(server.request())

    #expect(stopwatch.timings.counts.requests == 3)
    #expect(stopwatch.timings.counts.responses == 3)
  }

  @Test func `has counted a streamed body when its reader knows that it has ended`() async throws {
    let server = try LoopbackServer.always(.whole([UInt8](repeating: 1, count: 100_000)))

    let response = try await worker().open(server.request())
    _ = try await response.body.all()

    #expect(stopwatch.timings.counts.bytes == response.body.wireBytes)
    #expect(stopwatch.timings.counts.bytes > 100_000)
  }

  private func worker() -> NetworkWorker {
    NetworkWorker(
      userAgent: "gallery/test",
      timeouts: .patient,
      retries: .quick,
      environment: [:],
      stopwatch: stopwatch
    )
  }

  private func expected(
    _ lookingUp: Int,
    _ connecting: Int,
    _ securing: Int,
    _ waiting: Int,
    _ receiving: Int
  ) -> TransferTimes {
    var times = TransferTimes(name: 0, connection: 0, security: 0, ready: 0, first: 0, end: 0)
    (times.lookingUp, times.connecting) = (lookingUp, connecting)
    (times.securing, times.waiting, times.receiving) = (securing, waiting, receiving)
    return times
  }
}
