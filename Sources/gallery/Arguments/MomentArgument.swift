import ArgumentParser
import FoundationEssentials
import Models
import Scenes

/// The value of an option for a time: a day, a day with a time, or an age.
///
/// `today` and `yesterday` are days.
///
/// A day with a time is in ISO 8601: `2026-11-01`, `2026-11-01T08:30`, `2026-11-01T08:30:15Z`,
/// `2026-11-01T08:30+01:00`. Without a zone, the time zone of this machine applies, in which a day alone begins at
/// midnight. `3h`, `7d` and `2w` are ages in hours, in days of 24 hours and in weeks.
enum MomentArgument {
  /// Reads a value.
  ///
  /// - Parameters:
  ///   - text: The value.
  ///   - now: The moment to which ages are relative.
  ///   - offset: The seconds by which the clocks of this machine are ahead of UTC at a moment.
  /// - Returns: The moment; nil for anything else, including a day that does not exist.
  static func date(_ text: String, now: Date, offset: (Date) -> Int) -> Date? {
    ago(text, now: now) ?? named(text, now: now, offset) ?? written(text, offset)
  }

  /// Reads the value, or throws a message with examples.
  static func parse(_ text: String) throws -> Date {
    guard let date = date(text, now: Date(), offset: LocalTime.offset) else {
      throw ValidationError(
        "'\(text)' is not a date; 2026-11-01, 2026-11-01T08:30Z, yesterday, 7d and 3h are"
      )
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

  /// The beginning of today or yesterday, by the clocks of this machine.
  private static func named(_ text: String, now: Date, _ offset: (Date) -> Int) -> Date? {
    let days = ["today": 0, "yesterday": 1]
    guard let ago = days[text.lowercased()] else { return nil }
    let clock = now.timeIntervalSince1970 + TimeInterval(offset(now))
    let midnight = ((clock / 86_400).rounded(.down) - Double(ago)) * 86_400
    return LocalTime.date(atClock: Date(timeIntervalSince1970: midnight), offset: offset)
  }

  private static func written(_ text: String, _ offset: (Date) -> Int) -> Date? {
    let form =
      /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?/
    guard let match = text.wholeMatch(of: form) else { return nil }
    let numbers = [match.1, match.2, match.3, match.4 ?? "0", match.5 ?? "0", match.6 ?? "0"]
    guard let clock = clock(numbers.compactMap { Int($0) }) else { return nil }
    guard let zone = match.7 else { return LocalTime.date(atClock: clock, offset: offset) }
    return seconds(ofZone: zone).map { clock - TimeInterval($0) }
  }

  /// The moment at which the clocks of UTC show a year, month, day, hour, minute and second; nil when they never do.
  private static func clock(_ numbers: [Int]) -> Date? {
    guard numbers.count == 6, numbers[3] < 24, numbers[4] < 60, numbers[5] < 60 else { return nil }
    let day = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2])
    guard day.parts == (numbers[0], numbers[1], numbers[2]) else { return nil }
    let seconds = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5]
    return Date(timeIntervalSince1970: TimeInterval(day.daysSince1970 * 86_400 + seconds))
  }

  /// The seconds by which a zone is ahead of UTC.
  private static func seconds(ofZone text: Substring) -> Int? {
    if text == "Z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 24,
      minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return text.hasPrefix("-") ? -seconds : seconds
  }
}
