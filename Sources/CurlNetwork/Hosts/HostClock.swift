import FoundationEssentials

/// The two clocks for hosts, separate because reading both for each transfer would take time.
struct HostClock: Sendable {
  /// A clock that only goes forward.
  var instant: @Sendable () -> MonotonicInstant
  /// The clock that servers use.
  var date: @Sendable () -> Date

  static let system = HostClock(instant: { .now }, date: { Date() })

  /// The time by both clocks.
  var moment: Moment { Moment(instant: instant(), date: date()) }
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

/// A point in time of a clock that only goes forward, even while the machine sleeps.
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

  /// The time from one instant to a later one.
  static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Duration {
    later.elapsed - earlier.elapsed
  }
}

extension Duration {
  /// Whole milliseconds, at least 1, because 0 means libcurl's default.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }

  var seconds: TimeInterval {
    let (seconds, attoseconds) = components
    return TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
  }
}
