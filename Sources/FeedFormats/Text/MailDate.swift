import FoundationEssentials
import Models

/// RFC 822 and what passes for it: `Wed, 02 Oct 2002 13:00:00 GMT`, without weekday, without
/// seconds, with a year of two digits, a month written out, in front or as a number, a named zone.
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

  /// Passes over a weekday; the month when one stands there instead.
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

  /// The month that a word of at least three letters begins.
  private static func month(named name: String) -> Int? {
    guard name.utf8.count >= 3, let index = beginnings.firstIndex(of: beginning(of: name)),
      months[index].hasPrefix(name)
    else { return nil }
    return index + 1
  }

  /// Three letters in one number: of every date, a weekday is compared with all months.
  private static func beginning(of name: String) -> Int {
    name.utf8.prefix(3).reduce(0) { $0 << 8 | Int($1) }
  }

  private static let beginnings = months.map(beginning)
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
}
