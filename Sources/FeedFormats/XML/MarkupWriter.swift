import CXML2
import Models

/// Writes elements that stand in a text as HTML again, so that HTML is read in one way, however a
/// document holds it: escaped, in a CDATA section, or as elements of its own (Atom's `xhtml`).
///
/// Only what tells pictures is written, and of the rest whether it separates words.
enum MarkupWriter {
  /// Writes a start tag; `base` is what addresses in it are relative to, where that differs from
  /// the text around it.
  static func open(
    _ local: UnsafePointer<xmlChar>,
    _ attributes: XMLAttributes,
    base: WebAddress?,
    into text: inout [UInt8]
  ) {
    text.append(UInt8(ascii: "<"))
    text += bytes(of: local)
    attributes.visit { name, value in
      guard value.count <= FormatLimits.elementText else { return }
      text.append(0x20)
      text += name
      text += "=\"".utf8
      escape(value, into: &text)
      text.append(UInt8(ascii: "\""))
    }
    if let base { text += " xml:base=\"\(base.text.filter { $0 != "\"" })\"".utf8 }
    text.append(UInt8(ascii: ">"))
  }

  /// Writes an end tag.
  static func close(_ local: UnsafePointer<xmlChar>, into text: inout [UInt8]) {
    text += "</".utf8
    text += bytes(of: local)
    text.append(UInt8(ascii: ">"))
  }

  /// Whether an element is written.
  static func isWritten(_ local: UnsafePointer<xmlChar>) -> Bool {
    HTMLWord(Span(_unsafeElements: bytes(of: local))) != .other
  }

  /// Writes characters that are no markup.
  static func escape(_ characters: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
    for byte in characters {
      switch byte {
      case UInt8(ascii: "<"): text += "&lt;".utf8
      case UInt8(ascii: ">"): text += "&gt;".utf8
      case UInt8(ascii: "\""): text += "&#34;".utf8
      default: text.append(byte)
      }
    }
  }

  private static func bytes(of local: UnsafePointer<xmlChar>) -> UnsafeBufferPointer<UInt8> {
    var count = 0
    while local[count] != 0 { count += 1 }
    return UnsafeBufferPointer(start: local, count: count)
  }
}
