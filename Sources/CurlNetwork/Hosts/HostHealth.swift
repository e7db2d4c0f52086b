import FoundationEssentials
import Models
import Workers

/// Whether a transfer of a host may start.
enum HostVerdict: Equatable {
  case open
  /// The host has as many running transfers as it may have; one of them has to end first.
  case busy
  case wait(until: MonotonicInstant)
  case closed(HostRefusal)
}

/// The reason why a transfer fails, or why a host's transfers fail without an attempt.
struct HostRefusal: Equatable {
  var reason: NetworkError.Reason
  /// The cause, as in a `NetworkError`.
  var cause: NetworkError.Cause?
  /// The message, without secrets of an address.
  var message: String
}

/// The health of a host, computed from its responses and failures; time and random numbers are parameters.
///
/// Trouble begins when the host asks for a pause or a connection fails. After that, one transfer runs at a time. Each
/// normal response allows one more, until the limits of connections are the lower ones.
struct HostHealth {
  private struct Pause {
    var end: MonotonicInstant
    var date: Date
    /// Whether transfers fail instead of waiting for its end.
    var isTooLong: Bool
  }

  private struct Trouble {
    /// When it began; nil after a normal response.
    var since: MonotonicInstant?
    /// When it was last observed; transfers that began earlier carry no new information.
    var noted: MonotonicInstant
    /// The number of pauses without a length that the host asked for.
    var rounds = 0
    /// How many transfers that began after `noted` may run, and how many are running.
    var window = 1
    var running = 0
  }

  private struct Down {
    var until: MonotonicInstant
    var refusal: HostRefusal
  }

  /// The number of parallel transfers above which the trouble is over.
  private static let widestWindow = 64

  let policy: RetryPolicy
  private var pause: Pause?
  private var trouble: Trouble?
  private var down: Down?
  private var connectionFailures = 0
  private var failures = 0

  init(policy: RetryPolicy) { self.policy = policy }

  /// Whether transfers of the host may be retried.
  var mayRetry: Bool { failures < policy.failuresUntilNoRetry }

  /// The end of the current pause; nil outside a pause.
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

  /// Records the start of a transfer.
  mutating func started(at instant: MonotonicInstant) {
    if isNews(instant) { trouble?.running += 1 }
  }

  /// Records the end of a transfer.
  mutating func ended(begun: MonotonicInstant) {
    if isNews(begun) { trouble?.running -= 1 }
  }

  /// Records a transfer that failed after all attempts.
  mutating func gaveUp() { failures += 1 }

  /// Records a response to a transfer that began at an instant.
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

  /// Records a pause until a date.
  mutating func pause(until date: Date, at moment: Moment) {
    pause(until: moment.instant(of: date), date: date, at: moment)
  }

  /// Forgets the pause; until a normal response, one transfer runs at a time.
  mutating func endPause() { pause = nil }

  /// Records a failure to connect; several failures at the same time count as one.
  ///
  /// If the host is one of many that do not respond, it counts as down after its first failure.
  mutating func failedToConnect(
    _ refusal: HostRefusal,
    isOneOfMany: Bool = false,
    begun: MonotonicInstant,
    at moment: Moment,
    random: Double
  ) {
    guard isNews(begun) else { return }
    connectionFailures += 1
    let delay = policy.delay(beforeRetry: connectionFailures, random: random)
    if isOneOfMany || connectionFailures >= policy.failuresUntilDown {
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

  /// Whether a transfer began after trouble was last observed.
  private func isNews(_ begun: MonotonicInstant) -> Bool {
    trouble.map { begun >= $0.noted } ?? true
  }
}

/// The two clocks for hosts; they are separate, because reading both for each transfer would take time.
struct HostClock: Sendable {
  /// A monotonic clock.
  var instant: @Sendable () -> MonotonicInstant
  /// The clock that servers use.
  var date: @Sendable () -> Date

  static let system = HostClock(instant: { .now }, date: { Date() })

  /// The time by both clocks.
  ///
  /// The date is read first: if the thread has to wait in between, a pause until a date ends later, and never too early.
  var moment: Moment {
    let date = date()
    return Moment(instant: instant(), date: date)
  }
}

/// A point in time by both clocks.
struct Moment: Sendable {
  var instant: MonotonicInstant
  var date: Date

  /// The instant of a date.
  func instant(of date: Date) -> MonotonicInstant {
    instant + .seconds(date.timeIntervalSince(self.date))
  }

  func advanced(by duration: Duration) -> Moment {
    Moment(instant: instant + duration, date: date.addingTimeInterval(duration.seconds))
  }
}

/// A point in time of a monotonic clock, which also advances while the machine sleeps.
///
/// The size of `ContinuousClock.Instant` is known only at run time, which makes every type that
/// contains one slow to copy. A transfer contains several.
struct MonotonicInstant: Comparable, Sendable {
  private static let origin = ContinuousClock.now

  /// The time since the clock was first read.
  private let elapsed: Duration

  static var now: MonotonicInstant {
    MonotonicInstant(elapsed: origin.duration(to: .now))
  }

  static func < (one: MonotonicInstant, other: MonotonicInstant) -> Bool {
    one.elapsed < other.elapsed
  }

  static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
    MonotonicInstant(elapsed: instant.elapsed + duration)
  }

  /// The time from an earlier instant to a later one.
  static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Duration {
    later.elapsed - earlier.elapsed
  }
}

extension Duration {
  /// Whole milliseconds, at least 1, because 0 selects libcurl's default.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let rest = Int(attoseconds / 1_000_000_000_000_000)
    return max(1, Int(seconds).multiplied(by: 1000).adding(rest))
  }

  var seconds: TimeInterval {
    let (seconds, attoseconds) = components
    return TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
  }
}
