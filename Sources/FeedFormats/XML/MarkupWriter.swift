import Models

/// Writes elements that stand in a text as HTML again, so that HTML is read in one way, however a
/// document holds it: escaped, in a CDATA section, or as elements of its own (Atom's `xhtml`).
///
/// Only what tells pictures is written, and of the rest whether it separates words.
enum MarkupWriter {
  /// Writes a start tag; `base` is what addresses in it are relative to, where that differs from
  /// the text around it.
  static func open(
    _ local: UnsafeBufferPointer<UInt8>,
    _ attributes: XMLAttributes,
    base: WebAddress?,
    into text: inout [UInt8]
  ) {
    text.append(UInt8(ascii: "<"))
    text += local
    attributes.visit { name, value in
      guard value.count <= FormatLimits.elementText else { return }
      text.append(0x20)
      text += name
      text += "=\"".utf8
      escapeValue(value, into: &text)
      text.append(UInt8(ascii: "\""))
    }
    if let base { text += " xml:base=\"\(base.text.filter { $0 != "\"" })\"".utf8 }
    text.append(UInt8(ascii: ">"))
  }

  /// Writes an end tag.
  static func close(_ local: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    text += "</".utf8
    text += local
    text.append(UInt8(ascii: ">"))
  }

  /// Whether an element is written.
  static func isWritten(_ local: UnsafeBufferPointer<UInt8>) -> Bool {
    HTMLWord(Span(_unsafeElements: local)) != .other
  }

  /// Writes characters that are no markup; an `&` may begin a reference of HTML and stays.
  static func escape(_ characters: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    for byte in characters { append(byte, to: &text) }
  }

  private static func escapeValue(_ value: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    for byte in value {
      if byte == UInt8(ascii: "&") { text += "&amp;".utf8 } else { append(byte, to: &text) }
    }
  }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "<"): text += "&lt;".utf8
    case UInt8(ascii: ">"): text += "&gt;".utf8
    case UInt8(ascii: "\""): text += "&#34;".utf8
    default: text.append(byte)
    }
  }
}
