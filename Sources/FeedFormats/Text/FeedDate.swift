import FoundationEssentials
import Models

/// Reads the dates of feeds: RFC 822 and RFC 3339 / ISO 8601, and their usual deviations.
///
/// A date without a zone counts as universal time, the only guess that is the same everywhere.
enum FeedDate {
  /// The moment that `text` names; nil when it is not a readable date.
  static func read(_ text: Span<UInt8>) -> Date? {
    let trimmed = text.extracting(text.trimmedRange)
    guard !trimmed.isEmpty else { return nil }
    if beginsWithYear(trimmed) { return InternetDate.read(trimmed) }
    return MailDate.read(trimmed)
  }

  /// The moment that `text` names; nil when it is not a readable date.
  static func read(_ text: String) -> Date? { read(text.utf8Span.span) }

  /// The moment for a number of seconds or milliseconds after 1970.
  static func read(number: Double) -> Date? {
    guard number > 0, number < 1e14 else { return nil }
    return Date(timeIntervalSince1970: number > 1e11 ? number / 1000 : number)
  }

  private static func beginsWithYear(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 4 else { return false }
    for index in 0..<4 where !text[index].isDigit { return false }
    return text.count == 4 || !text[4].isLetter && text[4] != 0x20 && text[4] != UInt8(ascii: ":")
  }
}

/// RFC 3339 and its common variants: `2002-10-02T13:00:00Z`, `2002-10-02 13:00`, `2015-1-3`,
/// `20021002T130000+0200`, `2002-10`, `2002`.
enum InternetDate {
  static func read(_ text: Span<UInt8>) -> Date? {
    var scanner = DateScanner(text)
    guard let year = scanner.number(digits: 4) else { return nil }
    var moment = Moment(year: year)
    _ = scanner.take("-/")
    if let month = scanner.number(digits: 2) { moment.month = month }
    _ = scanner.take("-/")
    if let day = scanner.number(digits: 2) { moment.day = day }
    _ = scanner.take("Tt")
    scanner.skipSeparators()
    scanner.time(into: &moment)
    scanner.skipSeparators()
    moment.offset = scanner.numericOffset() ?? TimeZoneName.offset(of: scanner.word()) ?? 0
    return moment.date
  }
}

/// RFC 822 and its common variants: `Wed, 02 Oct 2002 13:00:00 GMT`, also without weekday or
/// seconds, with a year of two digits, with a month in full, in front or as a number, and with a
/// named zone.
enum MailDate {
  static func read(_ text: Span<UInt8>) -> Date? {
    if let seconds = text.withUnsafeBytes({ FixedDate.seconds($0) }) {
      return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
    return readFreely(text)
  }

  private static func readFreely(_ text: Span<UInt8>) -> Date? {
    var scanner = DateScanner(text)
    var month = skipWeekday(&scanner)
    scanner.skipSeparators()
    guard let day = scanner.number(digits: 2) else { return nil }
    _ = scanner.take("-")
    if month == nil {
      scanner.skipSeparators()
      month = scanner.next.isDigit ? scanner.number(digits: 2) : self.month(named: scanner.word())
    }
    _ = scanner.take("-")
    scanner.skipSeparators()
    guard let month, let year = year(&scanner) else { return nil }
    var moment = Moment(year: year, month: month, day: day)
    scanner.skipSeparators()
    scanner.time(into: &moment)
    readHalfDay(&scanner, into: &moment)
    return moment.date
  }

  /// Skips a weekday; returns the month when the word is a month instead.
  private static func skipWeekday(_ scanner: inout DateScanner) -> Int? {
    let first = scanner.word()
    if let month = month(named: first) { return month }
    scanner.skipSeparators()
    return month(named: scanner.word())
  }

  private static func year(_ scanner: inout DateScanner) -> Int? {
    guard let year = scanner.number(digits: 4) else { return nil }
    if year >= 100 { return year }
    return year < 70 ? year + 2000 : year + 1900
  }

  private static func readHalfDay(_ scanner: inout DateScanner, into moment: inout Moment) {
    scanner.skipSeparators()
    if let offset = scanner.numericOffset() {
      moment.offset = offset
      return
    }
    var word = scanner.word()
    if word == "am" || word == "pm" {
      moment.hour = moment.hour % 12 + (word == "pm" ? 12 : 0)
      scanner.skipSeparators()
      word = scanner.word()
    }
    moment.offset = (TimeZoneName.offset(of: word) ?? 0) + (scanner.numericOffset() ?? 0)
  }

  /// The month whose name begins with a word of at least three letters.
  private static func month(named name: String) -> Int? {
    guard name.utf8.count >= 3 else { return nil }
    return months.firstIndex { $0.hasPrefix(name) }.map { $0 + 1 }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
}

/// Reads the text of a date: one number, word or sign at a time.
struct DateScanner {
  private let text: [UInt8]
  private var index = 0

  init(_ text: Span<UInt8>) { self.text = text.withUnsafeBufferPointer { Array($0) } }

  var isAtEnd: Bool { index >= text.count }

  /// The next byte; 0 at the end.
  var next: UInt8 { index < text.count ? text[index] : 0 }

  /// Takes one byte of `bytes`, given in ASCII; false when the next byte is not among them.
  mutating func take(_ bytes: StaticString) -> Bool {
    guard index < text.count else { return false }
    let byte = text[index]
    let isThere = bytes.withUTF8Buffer { $0.contains(byte) }
    if isThere { index += 1 }
    return isThere
  }

  /// Takes a number of at most `digits` digits; nil if it is missing.
  mutating func number(digits: Int) -> Int? {
    let start = index
    var value = 0
    while index < text.count, index - start < digits, text[index].isDigit {
      value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    return index > start ? value : nil
  }

  /// Takes the digits of a decimal fraction.
  mutating func fraction() -> Double {
    var value = 0.0
    var unit = 0.1
    while index < text.count, text[index].isDigit {
      value += Double(text[index] - UInt8(ascii: "0")) * unit
      unit /= 10
      index += 1
    }
    // Round to a microsecond: the sum above carries the rounding error of every digit.
    return (value * 1e6).rounded() / 1e6
  }

  /// Takes a word of ASCII letters, in lower case; empty if it is missing.
  mutating func word() -> String {
    let start = index
    while index < text.count, text[index].isLetter { index += 1 }
    return String(decoding: text[start..<index].map { $0 | 0x20 }, as: UTF8.self)
  }

  /// Skips blanks, commas and full stops.
  mutating func skipSeparators() {
    while take(" \t\r\n,.") {}
  }

  /// Takes `+02:00`, `-0500`, `+2`; nil when the next byte is not a sign.
  mutating func numericOffset() -> Int? {
    let isWest = next == UInt8(ascii: "-")
    guard take("+-"), let hours = number(digits: 2) else { return nil }
    _ = take(":")
    let minutes = number(digits: 2) ?? 0
    return (hours * 60 + minutes) * (isWest ? -60 : 60)
  }

  /// Takes `13:05:09.5` or the shorter `13:05`, into `moment`.
  mutating func time(into moment: inout Moment) {
    guard let hour = number(digits: 2) else { return }
    moment.hour = hour
    guard take(":") || next.isDigit else { return }
    moment.minute = number(digits: 2) ?? 0
    guard take(":") || next.isDigit else { return }
    moment.second = Double(number(digits: 2) ?? 0)
    if take(".,") { moment.second += fraction() }
  }
}

/// A date and time of day as written, before its conversion to a moment.
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

/// The names of time zones in the dates of feeds.
enum TimeZoneName {
  /// Seconds east of Greenwich; nil for a name that is not in the table.
  ///
  /// The name must be in lower case. RFC 822 defined the single letters with the wrong sign, so
  /// they count as universal time, as RFC 5322, section 4.3, requires.
  static func offset(of name: String) -> Int? {
    if name.utf8.count == 1 { return 0 }
    return hours[name].map { Int($0 * 3600) }
  }

  private static let hours: [String: Double] = [
    "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "met": 1, "cest": 2,
    "mest": 2, "eet": 2, "sast": 2, "eest": 3, "msk": 3, "msd": 4, "gst": 4, "pkt": 5, "ist": 5.5,
    "wib": 7, "ict": 7, "hkt": 8, "sgt": 8, "awst": 8, "jst": 9, "kst": 9, "acst": 9.5,
    "aest": 10, "acdt": 10.5, "aedt": 11, "nzst": 12, "nzdt": 13, "brt": -3, "art": -3,
    "nst": -3.5, "ndt": -2.5, "ast": -4, "adt": -3, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
    "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8, "hst": -10,
  ]
}
