import FoundationEssentials

/// Reads the dates of feeds: RFC 822 and RFC 3339 / ISO 8601, and their usual deviations.
///
/// A date without a zone is taken as universal time, the only guess that is the same everywhere.
enum FeedDate {
  /// The moment that `text` names; nil when it cannot be told.
  static func read(_ text: Span<UInt8>) -> Date? {
    let trimmed = text.extracting(text.trimmedRange)
    guard !trimmed.isEmpty else { return nil }
    if beginsWithYear(trimmed) { return InternetDate.read(trimmed) }
    return MailDate.read(trimmed)
  }

  /// The moment that `text` names; nil when it cannot be told.
  static func read(_ text: String) -> Date? { read(text.utf8Span.span) }

  /// The moment a number of seconds or milliseconds after 1970 names.
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
