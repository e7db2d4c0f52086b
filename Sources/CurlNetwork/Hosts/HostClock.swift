import FoundationEssentials

/// The clocks by which hosts are dealt with; each is asked by itself, since every transfer asks often.
struct HostClock: Sendable {
  /// One that only goes forward.
  var instant: @Sendable () -> MonotonicInstant
  /// The one that servers go by.
  var date: @Sendable () -> Date

  static let system = HostClock(instant: { .now }, date: { Date() })

  /// Both at once.
  var moment: Moment { Moment(instant: instant(), date: date()) }
}
