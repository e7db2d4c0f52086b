import FoundationEssentials
import Workers

/// What a host's answers and failures say of asking it again; pure, with time and chance given.
///
/// Trouble begins with a pause that the host asks for, or with a failure to connect. While it lasts,
/// transfers start again one at a time, and with each answer as it should be one more, until the
/// limits of connections are the narrower ones.
struct HostHealth {
  private struct Pause {
    var end: MonotonicInstant
    var date: Date
    /// Whether it is longer than anyone waits for.
    var isTooLong: Bool
  }

  private struct Trouble {
    /// When it began; nil once the host has answered as it should.
    var since: MonotonicInstant?
    /// When it was last seen: what began before says nothing new.
    var noted: MonotonicInstant
    /// How often a pause was called for without saying how long.
    var rounds = 0
    /// How many may be started since `noted`, and are.
    var window = 1
    var running = 0
  }

  private struct Down {
    var until: MonotonicInstant
    var refusal: HostRefusal
  }

  /// With so many at once, trouble is over.
  private static let widestWindow = 64

  let policy: RetryPolicy
  private var pause: Pause?
  private var trouble: Trouble?
  private var down: Down?
  private var connectionFailures = 0
  private var failures = 0

  init(policy: RetryPolicy) { self.policy = policy }

  /// Whether a transfer that failed may be tried again at all.
  var mayRetry: Bool { failures < policy.failuresUntilNoRetry }

  /// The end of the pause that is under way at a moment.
  func pauseEnd(at moment: Moment) -> Date? {
    pause.flatMap { $0.end > moment.instant ? $0.date : nil }
  }

  func verdict(at instant: MonotonicInstant) -> HostVerdict {
    if let down, instant < down.until { return .closed(down.refusal) }
    if let pause, instant < pause.end {
      guard pause.isTooLong else { return .wait(until: pause.end) }
      return .closed(
        HostRefusal(reason: .paused(until: pause.date), message: "the host asks for a pause")
      )
    }
    if let trouble, trouble.running >= trouble.window { return .busy }
    return .open
  }

  /// Notes the start of a transfer.
  mutating func started(at instant: MonotonicInstant) {
    if isNews(instant) { trouble?.running += 1 }
  }

  /// Notes the end of a transfer, however it came.
  mutating func ended(begun: MonotonicInstant) {
    if isNews(begun) { trouble?.running -= 1 }
  }

  /// Notes a transfer that has failed after all of its tries.
  mutating func gaveUp() { failures += 1 }

  /// Notes a response to a transfer that was begun at an instant.
  mutating func answered(
    _ answer: HostAnswer,
    begun: MonotonicInstant,
    at moment: Moment,
    random: Double
  ) {
    connectionFailures = 0
    down = nil
    if answer.pausesHost {
      askedForPause(until: answer.retryAfter, begun: begun, at: moment, random: random)
    } else if !answer.isRetryable {
      answeredWell(begun: begun)
    }
  }

  /// Notes a pause of which a moment says how long it lasts.
  mutating func pause(until date: Date, at moment: Moment) {
    pause(until: moment.instant(of: date), date: date, at: moment)
  }

  /// Notes that no connection came about; several at the same time count as one.
  mutating func failedToConnect(
    _ refusal: HostRefusal,
    begun: MonotonicInstant,
    at moment: Moment,
    random: Double
  ) {
    guard isNews(begun) else { return }
    connectionFailures += 1
    let delay = policy.delay(beforeRetry: connectionFailures, random: random)
    if connectionFailures >= policy.failuresUntilDown {
      enterTrouble(at: moment)
      down = Down(until: moment.instant + policy.downTime, refusal: refusal)
    } else {
      let end = moment.advanced(by: delay)
      pause(until: end.instant, date: end.date, at: moment)
    }
  }

  private mutating func askedForPause(
    until date: Date?,
    begun: MonotonicInstant,
    at moment: Moment,
    random: Double
  ) {
    if let date { return pause(until: date, at: moment) }
    guard isNews(begun) else { return }
    let rounds = (trouble?.rounds ?? 0) + 1
    let end = moment.advanced(by: policy.delay(beforeRetry: rounds, random: random))
    pause(until: end.instant, date: end.date, at: moment)
    trouble?.rounds = rounds
  }

  private mutating func pause(
    until end: MonotonicInstant,
    date: Date,
    at moment: Moment
  ) {
    let since = trouble?.since ?? moment.instant
    enterTrouble(at: moment)
    if let pause, pause.end >= end { return }
    pause = Pause(end: end, date: date, isTooLong: end - since > policy.budget)
  }

  private mutating func enterTrouble(at moment: Moment) {
    let since = trouble?.since ?? moment.instant
    trouble = Trouble(since: since, noted: moment.instant, rounds: trouble?.rounds ?? 0)
  }

  private mutating func answeredWell(begun: MonotonicInstant) {
    failures = 0
    guard isNews(begun) else { return }
    trouble?.since = nil
    trouble?.rounds = 0
    trouble?.window += 1
    if let trouble, trouble.window > Self.widestWindow { self.trouble = nil }
  }

  /// Whether something was begun after trouble was last seen.
  private func isNews(_ begun: MonotonicInstant) -> Bool {
    trouble.map { begun >= $0.noted } ?? true
  }
}
