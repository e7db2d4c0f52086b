import Models

/// SVG: an XML document whose root is `svg` (SVG 2, section 5.1).
///
/// The parser does not read the size: files give it in one of many units, or omit it.
enum SVGHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    MarkupRoot(bytes)?.name == "svg" ? .svg : nil
  }

  static func size(in bytes: ByteReader) -> PixelSize? { nil }

  /// Whole when the last end tag is the root's; comments and white space may follow it.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let tail = sample.tail
    guard let tag = tail.lastOffset(of: Array("</".utf8)),
      tail.firstOffset(of: UInt8(ascii: ">"), from: tag) != nil,
      MarkupRoot.localName(at: tag + 2, in: tail) == "svg"
    else { return .cut }
    return .whole
  }
}

/// The root element of a markup document.
///
/// The search skips everything that may precede the root (XML 1.0, section 2.8): the declaration,
/// comments, processing instructions and the document type. It ends with the root's name, which is
/// enough to tell kinds of documents apart.
struct MarkupRoot {
  /// The name without its prefix, in lower case; "html" for an HTML document type.
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

  /// The offset at which the text begins, after the byte order mark of UTF-8.
  static func textStart(in bytes: ByteReader) -> Int {
    bytes.has([0xEF, 0xBB, 0xBF], at: 0) ? 3 : 0
  }

  /// The offset of the next byte that is not white space; nil at the end.
  static func skipSpace(from offset: Int, in bytes: ByteReader) -> Int? {
    let rest = bytes.bytes(at: offset, count: bytes.end - offset)
    let index = rest?.firstIndex { !isSpace($0) }
    return index.map { bytes.start + ($0 - bytes.bytes.startIndex) }
  }

  /// The name that begins at an offset, without its prefix and in lower case.
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

  /// The end of the comment, instruction or document type that begins at an offset.
  private static func endOfProlog(at offset: Int, in bytes: ByteReader) -> Int? {
    if bytes.has("<!--", at: offset) { return end(of: "-->", from: offset + 4, in: bytes) }
    if bytes.has("<?", at: offset) { return end(of: "?>", from: offset, in: bytes) }
    guard bytes.has("<!", at: offset), let close = end(of: ">", from: offset, in: bytes) else {
      return nil
    }
    // Brackets enclose an internal subset, which may contain ">" as well.
    let start = bytes.bytes(at: offset, count: close - offset) ?? []
    guard start.contains(UInt8(ascii: "[")) else { return close }
    return endOfSubset(from: offset, in: bytes)
  }

  /// The end of a document type with an internal subset.
  ///
  /// Quoted text may contain brackets as well; only ">" after a bracket marks the closing one.
  private static func endOfSubset(from offset: Int, in bytes: ByteReader) -> Int? {
    var position = offset
    while let bracket = bytes.firstOffset(of: UInt8(ascii: "]"), from: position) {
      position = bracket + 1
      guard let next = skipSpace(from: position, in: bytes) else { return nil }
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
