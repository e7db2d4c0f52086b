package import FoundationEssentials
import Models
import Workers

/// The only place where facts become sentences, for all presenters and for the start of the program.
///
/// A message has the form `cannot <verb> '<thing>': <reason> — <consequence>`. It is in lower case without a full
/// stop, with the user's words in quotes. A hint in it is a value, which each medium puts into words.
package enum Wording {
  /// A message without a consequence.
  package static func cannot(_ verb: String, _ thing: String, because reason: String) -> String {
    "cannot \(verb) \(thing): \(reason)"
  }

  /// A message with its consequence, or with a hint.
  static func cannot(
    _ verb: String,
    _ thing: String,
    because reason: String,
    but rest: HintedText?
  ) -> HintedText {
    let message = cannot(verb, thing, because: reason)
    return rest.map { "\(message) — \($0)" } ?? "\(message)"
  }

  /// The name of a thing in quotes, as the user or the feed wrote it.
  package static func quoted(_ name: String) -> String { Words.quoted(name) }

  /// Makes an external message part of our sentence.
  ///
  /// It removes the full stop, and makes the first letter lower case unless another capital follows it, as in "TLS".
  static func clause(_ text: String) -> String {
    var clause = text
    while let last = clause.last, last == "." || last.isWhitespace { clause.removeLast() }
    let initials = clause.prefix(2)
    guard initials.count == 2, let first = initials.first, let second = initials.last,
      first.isUppercase, second.isLowercase
    else { return clause }
    return first.lowercased() + clause.dropFirst()
  }
}

// MARK: Quantities

extension Wording {
  /// A number and its noun: "1 image", "12,345 images".
  package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    Words.count(number, noun, plural: plural)
  }

  /// The numbers above zero, with their words: "2 new", "1 gone".
  static func parts(_ numbers: [(number: Int, word: String)]) -> [String] {
    numbers.filter { $0.number > 0 }.map { "\(grouped($0.number)) \($0.word)" }
  }

  /// A number of bytes in 1024-based units, which are also those of options: "512 B", "4.2 MiB".
  package static func size(_ bytes: Int) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1_000, unit < units.count - 1 {
      value /= 1_024
      unit += 1
    }
    return "\(unit == 0 ? String(bytes) : decimal(value)) \(units[unit])"
  }

  /// A length of time: "0.4 s", "12 s", "3 min 20 s".
  package static func duration(_ duration: Duration) -> String {
    let seconds = seconds(duration)
    if seconds < 10 { return "\(decimal(seconds)) s" }
    let whole = Int(saturating: seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
  }

  /// A moment as ISO 8601 in UTC, to the second: "2026-11-02T08:00:00Z".
  package static func timestamp(_ date: Date) -> String {
    let seconds = date.storedSeconds
    let day = CalendarDay(ofSecond: seconds)
    let second = Int(seconds) - day.daysSince1970 * 86_400
    var text = DateText()
    text.append(day)
    text.append("T")
    text.append(twoDigits: second / 3_600)
    text.append(":")
    text.append(twoDigits: second / 60 % 60)
    text.append(":")
    text.append(twoDigits: second % 60)
    text.append("Z")
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// A moment in local time, to the minute: "2026-11-02 08:00".
  ///
  /// A moment that has passed is rounded down, as clocks show it. One that is still to come is rounded up (`.up`), so that
  /// something has happened by then.
  static func localTime(
    _ date: Date,
    rounded rule: FloatingPointRoundingRule = .down,
    offset: (Date) -> Int = LocalTime.offset
  ) -> String {
    let seconds = (date.timeIntervalSince1970 / 60).rounded(rule) * 60
    let text = timestamp(Date(timeIntervalSince1970: seconds + TimeInterval(offset(date))))
    return String(text.dropLast(":00Z".count)).replacing("T", with: " ")
  }

  /// A moment in the format of RFC 822 with a four-digit year: "Mon, 02 Nov 2026 08:00:00 GMT".
  ///
  /// HTTP uses this format, too (RFC 9110, section 5.6.7).
  package static func mailDate(_ date: Date) -> String {
    let timestamp = timestamp(date)
    let calendarDay = CalendarDay(ofSecond: date.storedSeconds)
    let (days, (year, month, day)) = (calendarDay.daysSince1970, calendarDay.parts)
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let weekday = weekdays[((days % 7) + 7) % 7]
    let time = timestamp.drop { $0 != "T" }.dropFirst().prefix(8)
    return "\(weekday), \(twoDigits(day)) \(months[month - 1]) \(year) \(time) GMT"
  }

  static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The answer to a key without a meaning.
  package static func unknownKey(_ key: String) -> String {
    "\(quoted(key)) does nothing here; ? lists the keys"
  }

  /// The day of a timestamp: "2026-11-02".
  static func day(of timestamp: String) -> String {
    String(timestamp.prefix { $0 != "T" })
  }

  /// Seconds, rounded to a hundredth.
  static func roundedSeconds(_ duration: Duration) -> Double {
    (seconds(duration) * 100).rounded() / 100
  }

  /// Seconds, rounded to a thousandth.
  static func roundedThousandths(_ duration: Duration) -> Double {
    (seconds(duration) * 1_000).rounded() / 1_000
  }

  /// Seconds with three decimal digits, for a column: "0.012 s", "1,234.500 s".
  static func thousandths(_ duration: Duration) -> String {
    let all = Int(saturating: (seconds(duration) * 1_000).rounded())
    let rest = String(all % 1_000)
    return "\(grouped(all / 1_000)).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
  }

  static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// A number with one decimal digit, or without one from 100 on.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int(saturating: (value * 10).rounded())
    return tenths < 1_000 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
  }

  /// A number with commas between groups of three digits: "12,345".
  package static func grouped(_ number: Int) -> String { Words.grouped(number) }
}

/// The text of a date, made byte by byte, because a long list has one for each image.
///
/// With interpolated strings, `list --json` would take 11 % more instructions.
struct DateText {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity("2026-11-02T08:00:00Z".utf8.count) }

  mutating func append(_ mark: Unicode.Scalar) { bytes.append(UInt8(ascii: mark)) }

  /// A number from 0 to 99, always with two digits.
  mutating func append(twoDigits number: Int) {
    append(digit: number / 10)
    append(digit: number % 10)
  }

  /// Year, month and day, joined by hyphens.
  mutating func append(_ day: CalendarDay) {
    let (year, month, dayOfMonth) = day.parts
    append(year: year)
    append("-")
    append(twoDigits: month)
    append("-")
    append(twoDigits: dayOfMonth)
  }

  /// At least four digits; years before 0 have a minus sign.
  private mutating func append(year: Int) {
    if year < 0 { append("-") }
    let number = abs(year)
    if number > 9_999 {
      bytes += String(number).utf8
    } else {
      append(twoDigits: number / 100)
      append(twoDigits: number % 100)
    }
  }

  private mutating func append(digit: Int) {
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
  }
}
