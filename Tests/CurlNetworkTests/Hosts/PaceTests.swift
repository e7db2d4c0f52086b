import TestSupport
import Testing
import Workers

@testable import CurlNetwork

struct PaceTests {
  private let start = MonotonicInstant.start

  @Test func `each piece takes the time that the rate allows for it, whoever receives it`() {
    var pace = Pace(TransferRates(bytesPerSecond: 1_000))

    #expect(pace.nextPiece(from: "a") == nil)
    pace.received(500, from: "a", at: start)
    pace.received(1_000, from: "b", at: start)
    #expect(pace.nextPiece(from: "c") == start + .seconds(1.5))

    // Idle time does not allow a higher rate later.
    pace.received(100, from: "a", at: start + .seconds(10))
    #expect(pace.nextPiece(from: "a") == start + .seconds(10) + .seconds(0.1))
  }

  @Test func `a host has a rate of its own besides that of all`() {
    var pace = Pace(
      TransferRates(bytesPerSecond: 1_000),
      hosts: ["a": TransferRates(bytesPerSecond: 100)]
    )
    pace.received(100, from: "a", at: start)

    #expect(pace.nextPiece(from: "a") == start + .seconds(1))
    #expect(pace.nextPiece(from: "b") == start + .seconds(0.1))
  }

  @Test func `lets held transfers go on in their order, when they may`() {
    var pace = Pace(hosts: ["a": TransferRates(bytesPerSecond: 100)])
    pace.received(100, from: "a", at: start)
    pace.hold(1, from: "a")
    pace.hold(2, from: "b")
    pace.hold(3, from: "a")

    #expect(pace.takeHeld(at: start) == 2)
    #expect(pace.takeHeld(at: start) == nil)
    #expect(pace.nextHeld(at: start) == start + .seconds(1))
    #expect(pace.takeHeld(at: start + .seconds(1)) == 1)
    #expect(pace.takeHeld(at: start + .seconds(1)) == 3)
    #expect(pace.nextHeld(at: start) == nil)
  }

  @Test func `spaces the requests to each host`() {
    var pace = Pace(
      TransferRates(requestsPerSecond: 2),
      hosts: ["a": TransferRates(requestsPerSecond: 0.5)]
    )
    pace.asked("a", at: start)
    pace.asked("b", at: start)

    #expect(pace.nextRequest(to: "a") == start + .seconds(2))
    #expect(pace.nextRequest(to: "b") == start + .seconds(0.5))
    #expect(pace.nextRequest(to: "c") == nil)
  }

  @Test func `a host waits for its turn, but no redirect does`() {
    let now = Locked(MonotonicInstant.start)
    let hosts = HostRegistry(
      policy: RetryPolicy(),
      store: nil,
      logger: nil,
      pace: Pace(TransferRates(requestsPerSecond: 2)),
      clock: HostClock(instant: { now.withLock { $0 } }, date: { Moment.start.date })
    )
    hosts.started(on: "a", at: .start)

    #expect(hosts.turn(on: "a") == .wait(until: .start + .seconds(0.5)))
    #expect(hosts.verdict(on: "a") == .open)
    #expect(hosts.turn(on: "b") == .open)
    now.withLock { $0 = .start + .seconds(0.5) }
    #expect(hosts.turn(on: "a") == .open)
  }

  @Test func `without a bound nothing waits`() {
    var pace = Pace()
    pace.asked("a", at: start)
    pace.received(1_000_000, from: "a", at: start)

    #expect(pace.nextRequest(to: "a") == nil)
    #expect(pace.nextPiece(from: "a") == nil)
  }
}

/// The limits on real transfers, with rates that cost a test little time.
@Suite(.timeLimit(.minutes(60)))
struct BoundedTransferTests {
  @Test func `every byte comes in spite of a bound, of many transfers at once`() async throws {
    let body = [UInt8](repeating: 7, count: 300_000)
    let server = try LoopbackServer.always(.whole(body))
    let worker = NetworkWorker.testing(
      rates: TransferRates(bytesPerSecond: 20_000_000, requestsPerSecond: 500)
    )
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for index in 0..<10 {
        let request = try server.request("/\(index)")
        group.addTask { try await worker.fetch(request).body }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(bodies.count == 10)
    #expect(bodies.allSatisfy { $0 == body })
  }
}
