import Foundation
import Testing
import Workers

@testable import CurlNetwork

struct HostHealthTests {
  private static let refusal = HostRefusal(reason: .unreachable, message: "refused")
  private var health = HostHealth(policy: RetryPolicy())

  @Test func `is open until something is wrong`() {
    #expect(health.verdict(at: .start) == .open)
    #expect(health.mayRetry)
  }

  @Test mutating func `waits as long as it was asked to`() {
    answer(429, retryAfter: 7)

    #expect(verdict(after: 6.9) == .wait(until: .start + .seconds(7)))
    #expect(verdict(after: 7) == .open)
  }

  @Test mutating func `waits for 503 only when it says how long`() {
    answer(503)
    #expect(verdict(after: 0) == .open)
    answer(503, retryAfter: 3)
    #expect(verdict(after: 0) == .wait(until: .start + .seconds(3)))
  }

  @Test(arguments: [408, 500, 502, 504, 404, 200])
  mutating func `does not wait after other answers`(status: Int) {
    answer(status)

    #expect(verdict(after: 0) == .open)
  }

  @Test mutating func `keeps the later of two pauses`() {
    answer(429, retryAfter: 9)
    answer(429, retryAfter: 2, at: 1)

    #expect(verdict(after: 8) == .wait(until: .start + .seconds(9)))
  }

  @Test mutating func `keeps a pause when a transfer that was under way succeeds`() {
    answer(429, retryAfter: 9, at: 1)
    answer(200, begun: 0.5, at: 2)

    #expect(verdict(after: 8) == .wait(until: .start + .seconds(10)))
  }

  @Test mutating func `is closed for a pause that no transfer waits for, until its end`() {
    answer(429, retryAfter: 61)

    let date = Moment.after(61).date
    let refusal = HostRefusal(reason: .paused(until: date), message: "the host asks for a pause")
    #expect(verdict(after: 60) == .closed(refusal))
    #expect(verdict(after: 61) == .open)
  }

  @Test mutating func `is closed when pauses follow each other for longer than anyone waits`() {
    answer(429, retryAfter: 40)
    answer(429, retryAfter: 19, begun: 40, at: 40)
    #expect(verdict(after: 50) == .wait(until: .start + .seconds(59)))
    answer(429, retryAfter: 19, begun: 59, at: 59)

    #expect(isClosed(after: 60))
  }

  @Test mutating func `counts pauses from zero after a good answer`() {
    answer(429, retryAfter: 40)
    answer(200, begun: 40, at: 41)
    answer(429, retryAfter: 40, begun: 42, at: 42)

    #expect(verdict(after: 50) == .wait(until: .start + .seconds(82)))
  }

  @Test mutating func `backs off further with each 429 that does not say how long`() {
    answer(429)
    #expect(verdict(after: 0) == .wait(until: .start + .seconds(1)))
    answer(429, begun: 1, at: 1)
    #expect(verdict(after: 1) == .wait(until: .start + .seconds(3)))
    answer(429, begun: 3, at: 3)
    #expect(verdict(after: 3) == .wait(until: .start + .seconds(7)))
  }

  @Test mutating func `takes answers to what was under way together as one`() {
    answer(429, begun: 0, at: 1)
    answer(429, begun: 0.5, at: 1.5)

    #expect(verdict(after: 1.5) == .wait(until: .start + .seconds(2)))
  }

  @Test mutating func `starts one at a time after a pause, and more with each good answer`() {
    answer(429, retryAfter: 1)
    health.started(at: Moment.after(1).instant)
    #expect(verdict(after: 1) == .busy)

    answer(200, begun: 1, at: 2)
    #expect(verdict(after: 2) == .open)
    health.started(at: Moment.after(2).instant)
    #expect(verdict(after: 2) == .busy)
    health.ended(begun: Moment.after(1).instant)
    #expect(verdict(after: 2) == .open)
  }

  @Test mutating func `does not count what began before the trouble`() {
    health.started(at: .start)
    answer(429, retryAfter: 1, at: 1)
    health.ended(begun: .start)
    health.started(at: Moment.after(2).instant)

    #expect(verdict(after: 2) == .busy)
  }

  @Test mutating func `counts as down after a few failures to connect, for a while`() {
    failToConnect(at: 0)
    #expect(verdict(after: 0) == .wait(until: .start + .seconds(1)))
    failToConnect(at: 1)
    #expect(verdict(after: 1) == .wait(until: .start + .seconds(3)))
    failToConnect(at: 3)
    #expect(verdict(after: 4) == .closed(Self.refusal))
    #expect(verdict(after: 62.9) == .closed(Self.refusal))
    #expect(verdict(after: 63) == .open)
    failToConnect(at: 63)
    #expect(verdict(after: 64) == .closed(Self.refusal))
  }

  @Test mutating func `takes failures to connect at the same time as one`() {
    for _ in 0..<6 {
      health.failedToConnect(Self.refusal, begun: .start, at: .after(0.5), random: 1)
    }

    #expect(verdict(after: 0.5) == .wait(until: .start + .seconds(1.5)))
  }

  @Test mutating func `is up again with any answer`() {
    for second in [0.0, 1, 3] { failToConnect(at: second) }
    answer(500, begun: 2, at: 5)
    #expect(verdict(after: 5) == .open)
    failToConnect(at: 6)

    #expect(verdict(after: 6) == .wait(until: .start + .seconds(7)))
  }

  @Test mutating func `gets no more retries once many transfers failed, until it answers well`() {
    for _ in 0..<9 { health.gaveUp() }
    #expect(health.mayRetry)
    health.gaveUp()
    #expect(!health.mayRetry)
    answer(500)
    #expect(!health.mayRetry)
    answer(404)
    #expect(health.mayRetry)
  }

  private mutating func answer(
    _ status: Int,
    retryAfter: Double? = nil,
    begun: Double = 0,
    at seconds: Double = 0
  ) {
    let now = Moment.after(seconds)
    let end = retryAfter.map { now.date.addingTimeInterval($0) }
    health.answered(
      HostAnswer(status: status, retryAfter: end),
      begun: Moment.after(begun).instant,
      at: now,
      random: 1
    )
  }

  private mutating func failToConnect(at seconds: Double) {
    let now = Moment.after(seconds)
    health.failedToConnect(Self.refusal, begun: now.instant, at: now, random: 1)
  }

  private func verdict(after seconds: Double) -> HostVerdict {
    health.verdict(at: Moment.after(seconds).instant)
  }

  private func isClosed(after seconds: Double) -> Bool {
    if case .closed = verdict(after: seconds) { true } else { false }
  }
}
