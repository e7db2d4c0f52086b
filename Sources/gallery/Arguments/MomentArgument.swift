import ArgumentParser
import Foundation

/// The value of an option for a time: a day, a day with a time, or an age.
///
/// A day with a time is in ISO 8601: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15Z`,
/// `2026-11-01T08:30+01:00`. Without a zone, the time zone of this machine applies, in which a day alone begins at
/// midnight. `3h`, `7d` and `2w` are ages in hours, in days of 24 hours and in weeks.
enum MomentArgument {
  /// Reads a value; nil for anything else, including a day that does not exist.
  static func date(_ text: String, now: Date, timeZone: TimeZone) -> Date? {
    ago(text, now: now) ?? written(text, timeZone: timeZone)
  }

  /// Reads the value, or throws a message with examples.
  static func parse(_ text: String) throws -> Date {
    guard let date = date(text, now: Date(), timeZone: .current) else {
      throw ValidationError("'\(text)' is no date; 2026-11-01, 2026-11-01T08:30Z, 7d and 3h are")
    }
    return date
  }

  private static func ago(_ text: String, now: Date) -> Date? {
    guard let match = text.wholeMatch(of: /(\d{1,5})([hdw])/), let number = Double(match.1) else {
      return nil
    }
    let hours: [Substring: Double] = ["h": 1, "d": 24, "w": 7 * 24]
    return hours[match.2].map { now - number * $0 * 3_600 }
  }

  private static func written(_ text: String, timeZone: TimeZone) -> Date? {
    let form =
      /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?/
    guard let match = text.wholeMatch(of: form) else { return nil }
    let zone = match.7.map(zone) ?? timeZone
    guard let zone else { return nil }
    let numbers = [match.1, match.2, match.3, match.4 ?? "0", match.5 ?? "0", match.6 ?? "0"]
    return date(numbers.compactMap { Int($0) }, in: zone)
  }

  /// The moment of a year, month, day, hour, minute and second; nil when it does not exist.
  private static func date(_ numbers: [Int], in zone: TimeZone) -> Date? {
    guard numbers.count == 6 else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let components = DateComponents(
      year: numbers[0],
      month: numbers[1],
      day: numbers[2],
      hour: numbers[3],
      minute: numbers[4],
      second: numbers[5]
    )
    guard (1...12).contains(numbers[1]), numbers[3] < 24, numbers[4] < 60, numbers[5] < 60,
      let date = calendar.date(from: components),
      calendar.component(.day, from: date) == numbers[2]
    else { return nil }
    return date
  }

  private static func zone(_ text: Substring) -> TimeZone? {
    if text == "Z" { return .gmt }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 24,
      minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return TimeZone(secondsFromGMT: text.hasPrefix("-") ? -seconds : seconds)
  }
}
