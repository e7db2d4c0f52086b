import FoundationEssentials

/// One point in time by two clocks: one that only goes forward, and the one that servers go by.
struct Moment: Sendable {
  var instant: MonotonicInstant
  var date: Date

  /// When a date will come, or came.
  func instant(of date: Date) -> MonotonicInstant {
    instant + .seconds(date.timeIntervalSince(self.date))
  }

  func advanced(by duration: Duration) -> Moment {
    Moment(instant: instant + duration, date: date.addingTimeInterval(duration.seconds))
  }
}
