import Foundation
import Testing
import Workers

@testable import CurlNetwork

struct HostRegistryTests {
  private let clock = Locked(Moment.start)

  @Test func `notes the pause that a host asks for`() {
    let pauses = MemoryPauses()
    let book = book(pauses)
    book.answered(
      HostAnswer(status: 429, retryAfter: Moment.after(5).date),
      from: "a",
      begun: .start
    )

    #expect(pauses.pauses == ["a": Moment.after(5).date])
    #expect(book.verdict(on: "a") == .wait(until: .start + .seconds(5)))
    #expect(book.takeChanged() == ["a"])
  }

  @Test func `notes no pause of its own making`() {
    let pauses = MemoryPauses()
    let book = book(pauses)
    book.answered(HostAnswer(status: 429, retryAfter: nil), from: "a", begun: .start)

    #expect(pauses.pauses == [:])
    #expect(book.verdict(on: "a") != .open)
  }

  @Test func `obeys a pause that another process has noted, once a second has passed`() {
    let pauses = MemoryPauses()
    let book = book(pauses)
    #expect(book.verdict(on: "a") == .open)
    pauses.set("a", until: Moment.after(9).date)

    move(to: 0.9)
    #expect(book.verdict(on: "a") == .open)
    move(to: 1)
    #expect(book.verdict(on: "a") == .wait(until: Moment.after(9).instant))
  }

  @Test func `looks a host up once a second at most`() {
    let pauses = MemoryPauses()
    let book = book(pauses)
    for _ in 0..<5 { _ = book.verdict(on: "a") }
    _ = book.verdict(on: "b")
    move(to: 1)
    _ = book.verdict(on: "a")

    #expect(pauses.looks == 3)
  }

  @Test(arguments: [-1.0, 90_000, 1e9])
  func `passes over noted pauses that are over or cannot be true`(seconds: Double) {
    let book = book(MemoryPauses(["a": Moment.after(seconds).date]))

    #expect(book.verdict(on: "a") == .open)
  }

  @Test func `goes by what it knows itself when the store fails`() {
    let book = book(MemoryPauses(isBroken: true))
    #expect(book.verdict(on: "a") == .open)
    book.answered(
      HostAnswer(status: 429, retryAfter: Moment.after(5).date),
      from: "a",
      begun: .start
    )

    #expect(book.verdict(on: "a") == .wait(until: .start + .seconds(5)))
  }

  @Test func `hosts that fail to connect one after another fail at once, until one answers`() {
    let refusal = HostRefusal(reason: .unreachable, message: "refused")
    let book = book(MemoryPauses())
    let count = RetryPolicy().hostsUntilNoRetry
    for number in 0..<count { book.failedToConnect(to: "\(number)", refusal, begun: .start) }
    #expect(book.verdict(on: "\(count - 1)") != .closed(refusal))

    book.failedToConnect(to: "one more", refusal, begun: .start)
    #expect(book.verdict(on: "one more") == .closed(refusal))

    book.answered(HostAnswer(status: 200, retryAfter: nil), from: "good", begun: .start)
    book.failedToConnect(to: "the next", refusal, begun: .start)
    #expect(book.verdict(on: "the next") != .closed(refusal))
  }

  @Test func `tells other machines of a host that does not answer, unless many do not`() {
    let refusal = HostRefusal(reason: .unreachable, message: "refused")
    let (pauses, policy) = (MemoryPauses(), RetryPolicy())
    let registry = book(pauses)
    var start = 0.0
    for _ in 0..<policy.failuresUntilDown {
      registry.failedToConnect(to: "a", refusal, begun: .start + .seconds(start))
      start += 100
      move(to: start)
    }

    let end = Moment.after(start - 100).advanced(by: policy.downTime).date
    #expect(pauses.silences == ["a": end])

    for number in 0..<20 { registry.failedToConnect(to: "\(number)", refusal, begun: .start) }
    #expect(pauses.silences == ["a": end])
  }

  @Test func `a thread that is held up between its looks at the two clocks ends no pause early`() {
    @Sendable func read() -> Moment {
      clock.withLock { moment in
        defer { moment = moment.advanced(by: .milliseconds(400)) }
        return moment
      }
    }
    let slow = HostClock(instant: { read().instant }, date: { read().date })
    let registry = HostRegistry(policy: RetryPolicy(), store: nil, logger: nil, clock: slow)
    let answer = HostAnswer(status: 429, retryAfter: Moment.after(5).date)
    registry.answered(answer, from: "a", begun: .start)

    let verdict = registry.verdict(on: "a")
    guard case .wait(let end) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(end >= Moment.after(5).instant)
  }

  private func book(_ pauses: MemoryPauses) -> HostRegistry {
    let clock = HostClock(
      instant: { [clock] in clock.withLock { $0.instant } },
      date: { [clock] in clock.withLock { $0.date } }
    )
    return HostRegistry(policy: RetryPolicy(), store: pauses, logger: nil, clock: clock)
  }

  private func move(to seconds: Double) { clock.withLock { $0 = .after(seconds) } }
}

/// Pauses of hosts in memory, which count their lookups and can fail.
final class MemoryPauses: HostPausing {
  private struct State: Sendable {
    var pauses: [String: Date] = [:]
    var silences: [String: Date] = [:]
    var looks = 0
    var isBroken = false
  }

  private let state = Locked(State())

  init(_ pauses: [String: Date] = [:], isBroken: Bool = false) {
    state.withLock { state in
      state.pauses = pauses
      state.isBroken = isBroken
    }
  }

  var pauses: [String: Date] { state.withLock { $0.pauses } }
  var silences: [String: Date] { state.withLock { $0.silences } }
  var looks: Int { state.withLock { $0.looks } }

  func set(_ host: String, until date: Date) { state.withLock { $0.pauses[host] = date } }

  func pause(of host: String) throws(StoreError) -> Date? {
    try check()
    return state.withLock { state in
      state.looks += 1
      return state.pauses[host]
    }
  }

  func notePause(of host: String, until date: Date) throws(StoreError) {
    try check()
    set(host, until: date)
  }

  func noteSilence(of host: String, until date: Date) throws(StoreError) {
    try check()
    state.withLock { $0.silences[host] = date }
  }

  private func check() throws(StoreError) {
    guard state.withLock({ $0.isBroken }) else { return }
    throw StoreError(reason: .busy, path: "/library", message: "database is locked")
  }
}

extension MonotonicInstant {
  /// The time at which the tests of pure values begin.
  static let start = MonotonicInstant.now
}

extension Moment {
  static let start = Moment(instant: .start, date: Date(timeIntervalSince1970: 1_795_248_000))

  /// The moment that many seconds after the start.
  static func after(_ seconds: Double) -> Moment { start.advanced(by: .seconds(seconds)) }
}
