import FoundationEssentials

/// RFC 3339 and what passes for it: `2002-10-02T13:00:00Z`, `2002-10-02 13:00`, `2015-1-3`,
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
