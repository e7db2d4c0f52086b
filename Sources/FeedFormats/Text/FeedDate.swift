import FoundationEssentials
import Models

/// Reads the dates of feeds: RFC 822 and RFC 3339 / ISO 8601, and their usual deviations.
///
/// A date without a zone counts as universal time, the only guess that is the same everywhere. A
/// date that cannot be read whole is no date, because a wrong one moves an image in every list.
enum FeedDate {
  /// The moment that `text` names; nil when it is not a readable date.
  static func read(_ text: Span<UInt8>) -> Date? {
    let trimmed = text.extracting(text.trimmedRange)
    guard !trimmed.isEmpty else { return nil }
    guard trimmed[0].isDigit else { return MailDate.read(trimmed) }
    if let number = NumberDate(trimmed) { return read(number: number.value) }
    if beginsWithYear(trimmed) { return InternetDate.read(trimmed) }
    return MailDate.read(trimmed)
  }

  /// The moment that `text` names; nil when it is not a readable date.
  static func read(_ text: String) -> Date? { read(text.utf8Span.span) }

  /// The moment for a number of seconds, milliseconds or microseconds after 1970.
  static func read(number: Double) -> Date? {
    guard number > 0, number < 1e17 else { return nil }
    let scale = number > 1e14 ? 1e6 : number >= 1e10 ? 1e3 : 1
    return Date(timeIntervalSince1970: number / scale)
  }

  /// Whether a text begins with four digits and a sign that may follow a year.
  private static func beginsWithYear(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 4 else { return false }
    for index in 0..<4 where !text[index].isDigit { return false }
    if text.count == 4 { return true }
    if text[4] == UInt8(ascii: ":") { return text.count >= 10 && text[7] == text[4] }
    return text[4] != 0x20 && (!text[4].isLetter || text[4] | 0x20 == UInt8(ascii: "w"))
  }
}

/// A date that is only a number: seconds, milliseconds or microseconds after 1970.
private struct NumberDate {
  let value: Double

  /// Reads a number of 9 to 13 digits, or of 16; nil for any other text.
  ///
  /// Eleven digits are milliseconds, and so are twelve unless they begin like a year, as in
  /// `200210021300`.
  init?(_ text: Span<UInt8>) {
    guard text.count >= 9 else { return nil }
    var digits = 0
    while digits < text.count, text[digits].isDigit { digits += 1 }
    var end = digits
    if end < text.count, text[end] == UInt8(ascii: ".") {
      end += 1
      while end < text.count, text[end].isDigit { end += 1 }
    }
    let isYear = text.begins(with: "19", at: 0) || text.begins(with: "20", at: 0)
    guard end == text.count,
      [9, 10, 11, 13, 16].contains(digits) || digits == 12 && !isYear,
      let value = Double(text.text)
    else { return nil }
    self.value = value
  }
}

/// RFC 3339 and its common variants: `2002-10-02T13:00:00Z`, `2002-10-02 13:00`, `2015-1-3`,
/// `20021002T130000+0200`, `2002-10`, `2002`; also EXIF's `2002:10:02 13:00:00`, ISO 8601's week
/// `2002-W40-3` and day of the year `2002-275`, and the Chinese and Korean notation
/// `2002年10月2日 13:00`.
enum InternetDate {
  static func read(_ text: Span<UInt8>) -> Date? {
    for index in text.indices where text[index] > 0x7F {
      guard let plain = EastAsianDate.plain(text.text) else { return nil }
      return read(plain.utf8Span.span)
    }
    var scanner = DateScanner(text)
    // `2002`, `200210`, `2002275`, `20021002`, `200210021300`, `20021002130000`.
    guard [4, 6, 7, 8, 12, 14].contains(scanner.digitsAhead),
      let year = scanner.number(digits: 4), year >= 1000
    else { return nil }
    var moment = Moment(year: year)
    _ = scanner.take("-/:")
    if scanner.take("Ww") {
      guard readWeek(&scanner, into: &moment) else { return nil }
    } else if scanner.digitsAhead == 3 || scanner.digitsAhead == 7 {
      moment.day = scanner.number(digits: 3) ?? 0
      moment.isOrdinal = true
      guard (1...days(in: year)).contains(moment.day) else { return nil }
    } else {
      readDay(&scanner, into: &moment)
    }
    _ = scanner.take("Tt")
    scanner.skipSeparators()
    scanner.time(into: &moment)
    guard scanner.readEnd(into: &moment) else { return nil }
    return moment.date
  }

  private static func readDay(_ scanner: inout DateScanner, into moment: inout Moment) {
    if let month = scanner.number(digits: 2) { moment.month = month }
    _ = scanner.take("-/:")
    if let day = scanner.number(digits: 2) { moment.day = day }
  }

  private static func days(in year: Int) -> Int {
    CalendarDay(year: year + 1, month: 1, day: 1).daysSince1970
      - CalendarDay(year: year, month: 1, day: 1).daysSince1970
  }

  /// Reads the week and the day in it; the first week has the year's first Thursday (ISO 8601).
  private static func readWeek(_ scanner: inout DateScanner, into moment: inout Moment) -> Bool {
    guard let week = scanner.number(digits: 2), (1...53).contains(week) else { return false }
    _ = scanner.take("-")
    let weekday = scanner.digitsAhead == 1 ? scanner.number(digits: 1) ?? 1 : 1
    guard (1...7).contains(weekday) else { return false }
    let fourth = CalendarDay(year: moment.year, month: 1, day: 4).daysSince1970
    // January 1st of 1970 was a Thursday.
    let monday = fourth - ((fourth + 3) % 7 + 7) % 7
    let first = CalendarDay(year: moment.year, month: 1, day: 1).daysSince1970
    moment.day = monday + 7 * (week - 1) + weekday - first
    moment.isOrdinal = true
    return true
  }
}

/// The dates of Chinese, Japanese and Korean texts.
private enum EastAsianDate {
  /// The date as `2002-10-02 13:00:00 pm`; nil when it has other characters.
  static func plain(_ text: String) -> String? {
    var result = ""
    var half = ""
    for scalar in withoutWeekday(text).unicodeScalars {
      switch scalar {
      case "年", "月", "년", "월": result += "-"
      case "日", "일", "秒", "초", "\u{A0}", "\u{3000}": result += " "
      case "时", "時", "点", "點", "시", "분", "分": result += ":"
      case "上", "오", "전", "후", "午", "下": half.unicodeScalars.append(scalar)
      case " " where result.hasSuffix("-"): break
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: return nil
      }
    }
    while result.last == " " || result.last == ":" { result.removeLast() }
    switch half {
    case "": return result
    case "上午", "오전", "午前": return result + " am"
    case "下午", "오후", "午後": return result + " pm"
    default: return nil
    }
  }

  /// The text without the day of the week: `(火)`, `火曜日`, `星期二`, `周二`, `(화)`, `화요일`.
  private static func withoutWeekday(_ text: String) -> String {
    text
      .replacing(#/(?:星期|[周週])[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일/#, with: "")
      .replacing(#/[(（][月火水木金土日월화수목금토일一二三四五六]?[)）]/#, with: " ")
  }
}

/// RFC 822 and its common variants: `Wed, 02 Oct 2002 13:00:00 GMT`, also without weekday or
/// seconds, with a year of two digits, with a month in full, in front or as a number, and with a
/// named zone; also the form of C's `asctime` (RFC 9110, section 5.6.7), `Wed Oct  2 13:00:00 2002`.
enum MailDate {
  static func read(_ text: Span<UInt8>) -> Date? {
    if let seconds = text.withUnsafeBytes({ FixedDate.seconds($0) }) {
      let date = Date(timeIntervalSince1970: TimeInterval(seconds))
      return date < FixedYear.first ? nil : date
    }
    return readFreely(text)
  }

  private static func readFreely(_ text: Span<UInt8>) -> Date? {
    var scanner = DateScanner(text)
    var month = skipWeekday(&scanner)
    scanner.skipSeparators()
    guard let day = scanner.number(digits: 2) else { return nil }
    let isSlash = scanner.take("/")
    if !isSlash { _ = scanner.take("-") }
    if month == nil {
      scanner.skipSeparators()
      // `03/05/2019` has the month in front in some countries, and the day in others.
      if isSlash, scanner.next.isDigit { return nil }
      month = scanner.next.isDigit ? scanner.number(digits: 2) : self.month(named: scanner.word())
    }
    _ = scanner.take("-/")
    scanner.skipSeparators()
    guard let month else { return nil }
    var moment = Moment(year: 0, month: month, day: day)
    let isEarlyTime = scanner.isAtTime
    if isEarlyTime {
      scanner.time(into: &moment)
      scanner.skipSeparators()
      moment.offset = scanner.next.isLetter ? TimeZoneName.offset(of: scanner.word()) ?? 0 : 0
      scanner.skipSeparators()
    }
    guard let year = year(&scanner) else { return nil }
    moment.year = year
    if !isEarlyTime {
      scanner.skipSeparators()
      scanner.skipDash()
      scanner.time(into: &moment)
    }
    guard scanner.readEnd(into: &moment) else { return nil }
    return moment.date
  }

  /// Skips a weekday; returns the month when the word is a month instead.
  private static func skipWeekday(_ scanner: inout DateScanner) -> Int? {
    let first = scanner.word()
    if let month = month(named: first) { return month }
    scanner.skipSeparators()
    return month(named: scanner.word())
  }

  /// Takes a year; one of two or three digits belongs to a century (RFC 5322, section 4.3).
  private static func year(_ scanner: inout DateScanner) -> Int? {
    let digits = scanner.digitsAhead
    guard (2...4).contains(digits), let year = scanner.number(digits: 4) else { return nil }
    if digits == 4 { return year >= 1000 ? year : nil }
    return year < 70 ? year + 2000 : year + 1900
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

/// The first year that a program can mean; the year 1 is how some programs write that there is no date.
private enum FixedYear {
  static let first = Date(
    timeIntervalSince1970: Double(
      CalendarDay(year: 1000, month: 1, day: 1).daysSince1970 * 86_400
    )
  )
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

  /// The number of digits that follow.
  var digitsAhead: Int {
    var end = index
    while end < text.count, text[end].isDigit { end += 1 }
    return end - index
  }

  /// Whether a time follows: a number of at most two digits, and a colon.
  var isAtTime: Bool {
    let end = index + digitsAhead
    return end > index && end - index < 3 && end < text.count && text[end] == UInt8(ascii: ":")
  }

  /// Skips the dash of `March 5, 2019 - 10:00`, which is not the sign of a zone.
  mutating func skipDash() {
    guard next == UInt8(ascii: "-"), index + 1 < text.count, text[index + 1] == 0x20 else { return }
    index += 1
    skipSeparators()
  }

  /// Takes the half of the day and the zone behind a time; false when more than the name of a zone is left.
  ///
  /// An unknown zone counts as universal time, and a text in brackets is a comment.
  mutating func readEnd(into moment: inout Moment) -> Bool {
    skipSeparators()
    if let offset = numericOffset() {
      moment.offset += offset
    } else {
      var word = word()
      if word == "am" || word == "pm" {
        moment.hour = moment.hour % 12 + (word == "pm" ? 12 : 0)
        skipSeparators()
        word = self.word()
      }
      moment.offset += TimeZoneName.offset(of: word) ?? 0
      skipSeparators()
      moment.offset += numericOffset() ?? 0
    }
    while index < text.count, next != UInt8(ascii: "("), next != UInt8(ascii: "[") {
      if next.isDigit { return false }
      index += 1
    }
    return true
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
  /// Whether the day is counted from the beginning of the year; days beyond it are possible.
  var isOrdinal = false

  /// The moment; nil when the numbers are out of range.
  var date: Date? {
    let days = isOrdinal ? -6...373 : 1...31
    guard (1...9999).contains(year), (1...12).contains(month), days.contains(day),
      (0...24).contains(hour), (0...59).contains(minute), (0..<62).contains(second),
      abs(offset) <= 24 * 3600
    else { return nil }
    let first = CalendarDay(year: year, month: month, day: isOrdinal ? 1 : day).daysSince1970
    let number = isOrdinal ? first + day - 1 : first
    let whole = ((number * 24 + hour) * 60 + minute) * 60 - offset
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
