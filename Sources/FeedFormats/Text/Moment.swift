import FoundationEssentials
import Models

/// A date and time of day as written, before it becomes a moment.
struct Moment {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0.0
  /// Seconds east of Greenwich.
  var offset = 0

  /// The moment; nil when the numbers are out of range.
  var date: Date? {
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...24).contains(hour), (0...59).contains(minute), (0..<62).contains(second),
      abs(offset) <= 24 * 3600
    else { return nil }
    let day = CalendarDay(year: year, month: month, day: day)
    let whole = ((day.daysSince1970 * 24 + hour) * 60 + minute) * 60 - offset
    return Date(timeIntervalSince1970: Double(whole) + second)
  }
}
