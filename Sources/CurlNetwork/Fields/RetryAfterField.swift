import FoundationEssentials

/// The `Retry-After` field in either of its forms (RFC 9110, section 10.2.3).
enum RetryAfterField {
  case seconds(Int)
  case date(Date)

  /// nil for what is neither.
  init?(_ value: FieldLine.Bytes) {
    if let seconds = FieldLine.number(value) {
      self = .seconds(seconds)
    } else if let date = FieldDate.date(value) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// When the pause that it asks for ends, by our own clock.
  ///
  /// A date is compared with the server's own, so that a clock that is wrong here or there makes no
  /// difference.
  ///
  /// - Returns: nil when it asks for none, or for one that is over.
  func end(now: Date, serverDate: Date?, longest: Duration) -> Date? {
    let seconds: TimeInterval
    switch self {
    case .seconds(let number): seconds = TimeInterval(number)
    case .date(let date): seconds = date.timeIntervalSince(serverDate ?? now)
    }
    guard seconds > 0 else { return nil }
    return now.addingTimeInterval(min(seconds, longest.seconds))
  }
}
