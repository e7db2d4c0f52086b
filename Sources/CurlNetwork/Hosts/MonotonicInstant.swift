/// A point in time of a clock that only goes forward, also while the machine sleeps.
///
/// `ContinuousClock`'s own instant has a size that is known at run time only, so that whatever holds one is
/// read and copied by way of its metadata; each transfer holds several.
struct MonotonicInstant: Comparable, Sendable {
  private static let origin = ContinuousClock.now

  /// How long after the first look at the clock.
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

  /// How long one comes after another.
  static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Duration {
    later.elapsed - earlier.elapsed
  }
}
