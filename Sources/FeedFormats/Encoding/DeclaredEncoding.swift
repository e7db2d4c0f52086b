/// Finds the encoding that a document declares at its beginning.
enum DeclaredEncoding {
  /// The label in the declaration of XML or in a `meta` element of HTML; nil without any.
  static func label(in opening: [UInt8]) -> String? {
    let bytes = opening.span
    if let start = place(of: "<?xml", in: bytes, from: 0) {
      let end = place(of: "?>", in: bytes, from: start) ?? bytes.count
      return label(after: "encoding", in: bytes.extracting(start..<end))
    }
    guard let page = place(of: "<meta", in: bytes, from: 0) else { return nil }
    return label(after: "charset", in: bytes.extracting(page...))
  }

  private static func label(after word: StaticString, in bytes: Span<UInt8>) -> String? {
    guard let name = place(of: word, in: bytes, from: 0) else { return nil }
    var index = name + word.utf8CodeUnitCount
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return nil }
    index += 1
    while index < bytes.count, bytes[index] <= 0x20 || isQuote(bytes[index]) { index += 1 }
    let start = index
    while index < bytes.count, standsInLabel(bytes[index]) { index += 1 }
    return index > start ? bytes.extracting(start..<index).text : nil
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static func standsInLabel(_ byte: UInt8) -> Bool {
    byte > 0x20 && !isQuote(byte) && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "?")
      && byte != UInt8(ascii: ";")
  }

  private static func place(of text: StaticString, in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes.beginsIgnoringCase(with: text, at: index) { return index }
      index += 1
    }
    return nil
  }
}
