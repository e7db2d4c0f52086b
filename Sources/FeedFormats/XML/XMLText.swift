import FoundationEssentials
import Models

/// The text of an element, read as what the format needs.
struct XMLText {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The text as an address, without the white space around it; nil when nothing is left.
  var address: String? { trimmed(limit: FormatLimits.address) }

  /// The text as an entry's id, without the white space around it; nil when nothing is left.
  var id: String? { trimmed(limit: FormatLimits.id) }

  private func trimmed(limit: Int) -> String? {
    let range = bytes.span.trimmedRange
    if range.isEmpty || range.count > limit { return nil }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// The text as a title or name: one line of plain text.
  var line: String? { PlainText.line(of: bytes.span, limit: FormatLimits.title) }

  /// The text as a caption: plain text.
  var caption: String? { PlainText.line(of: bytes.span, limit: FormatLimits.caption) }

  /// The text as HTML that holds pictures; nil when it holds none.
  func markup(base: WebAddress?) -> EntryMarkup? { EntryMarkup(bytes, base: base) }

  /// The text as a date.
  var date: Date? { FeedDate.read(bytes.span) }
}
