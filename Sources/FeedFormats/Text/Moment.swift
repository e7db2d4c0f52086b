import FoundationEssentials

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
    let whole = ((daysSince1970 * 24 + hour) * 60 + minute) * 60 - offset
    return Date(timeIntervalSince1970: Double(whole) + second)
  }

  /// The proleptic Gregorian calendar, with years that begin in March so that the leap day is last.
  private var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
