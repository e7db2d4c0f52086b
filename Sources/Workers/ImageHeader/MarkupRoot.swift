/// The root element of a markup document, found behind what may stand before it (XML 1.0,
/// section 2.8): declaration, comments, processing instructions, document type.
///
/// It serves to tell kinds of documents apart, and reads no further than the root's name.
struct MarkupRoot {
  /// The name without its prefix, in lower case; of an HTML document type, "html".
  let name: String

  init?(_ bytes: ByteReader) {
    var offset = Self.textStart(in: bytes)
    while let next = Self.skipSpace(from: offset, in: bytes), bytes.has("<", at: next) {
      if let name = Self.localName(at: next + 1, in: bytes) {
        self.name = name
        return
      }
      if Self.isHTMLDocumentType(at: next, in: bytes) {
        name = "html"
        return
      }
      guard let end = Self.endOfProlog(at: next, in: bytes) else { return nil }
      offset = end
    }
    return nil
  }

  /// Where the text begins, behind the byte order mark of UTF-8.
  static func textStart(in bytes: ByteReader) -> Int {
    bytes.has([0xEF, 0xBB, 0xBF], at: 0) ? 3 : 0
  }

  /// The next place that is no white space; nil at the end.
  static func skipSpace(from offset: Int, in bytes: ByteReader) -> Int? {
    let rest = bytes.bytes(at: offset, count: bytes.end - offset)
    let index = rest?.firstIndex { !isSpace($0) }
    return index.map { bytes.start + ($0 - bytes.bytes.startIndex) }
  }

  /// The name of the tag whose name begins at an offset, without its prefix and in lower case.
  static func localName(at offset: Int, in bytes: ByteReader) -> String? {
    guard let rest = bytes.bytes(at: offset, count: min(nameLimit, bytes.end - offset)),
      let first = rest.first, isLetter(first)
    else { return nil }
    let name = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    let local = name.split(separator: UInt8(ascii: ":")).last ?? name
    return String(decoding: local, as: UTF8.self).lowercased()
  }

  private static let nameLimit = 128

  private static func isHTMLDocumentType(at offset: Int, in bytes: ByteReader) -> Bool {
    let text = bytes.bytes(at: offset, count: 14).map { String(decoding: $0, as: UTF8.self) }
    return text?.lowercased() == "<!doctype html"
  }

  /// Where the comment, instruction or document type that begins at an offset ends.
  private static func endOfProlog(at offset: Int, in bytes: ByteReader) -> Int? {
    if bytes.has("<!--", at: offset) { return end(of: "-->", from: offset + 4, in: bytes) }
    if bytes.has("<?", at: offset) { return end(of: "?>", from: offset, in: bytes) }
    guard bytes.has("<!", at: offset), let close = end(of: ">", from: offset, in: bytes) else {
      return nil
    }
    // Declarations of the document's own stand in brackets.
    let start = bytes.bytes(at: offset, count: close - offset) ?? []
    guard start.contains(UInt8(ascii: "[")) else { return close }
    return endOfSubset(from: offset, in: bytes)
  }

  /// The bracket may stand within quotes, too; only the last one has the end behind it.
  private static func endOfSubset(from offset: Int, in bytes: ByteReader) -> Int? {
    var place = offset
    while let bracket = bytes.firstOffset(of: UInt8(ascii: "]"), from: place) {
      place = bracket + 1
      guard let next = skipSpace(from: place, in: bytes) else { return nil }
      if bytes.has(">", at: next) { return next + 1 }
    }
    return nil
  }

  private static func end(of text: String, from offset: Int, in bytes: ByteReader) -> Int? {
    let values = Array(text.utf8)
    return bytes.firstOffset(of: values, from: offset).map { $0 + values.count }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
