/// Tells what a document is from its first bytes.
enum DocumentOpening {
  enum Kind: Equatable {
    /// XML that begins at the given place.
    case xml(start: Int)
    /// JSON that begins at the given place.
    case json(start: Int)
    /// A web page, which may name its feed.
    case page
    /// Something that is no feed, as a noun with its article.
    case foreign(String)
  }

  /// The kind of document; nil when more bytes are needed, which with `isEnough` is never.
  static func kind(of bytes: [UInt8], isEnough: Bool) -> Kind? {
    if !isEnough, bytes.count < 16 { return nil }
    if bytes.isEmpty { return .foreign("an empty document") }
    if let file = KnownFile.description(of: bytes) { return .foreign(file) }
    guard let first = firstCharacter(in: bytes) else {
      return isEnough ? blank(bytes) : nil
    }
    switch bytes[first] {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return .json(start: first)
    case UInt8(ascii: "<"): return markup(bytes, at: first, isEnough)
    default: return text(bytes, at: first, isEnough)
    }
  }

  /// White space without end could be read without end.
  private static func blank(_ bytes: [UInt8]) -> Kind {
    let limit = FormatLimits.opening
    let isCut = bytes.count >= limit
    return .foreign(isCut ? "white space in its first \(limit) bytes" : "an empty document")
  }

  /// What bytes that are in no encoding of text are; nil when they may be a text.
  static func binary(_ bytes: [UInt8]) -> String? {
    if ByteOrderMark(bytes) != nil || ByteOrderMark(unmarked: bytes) != nil { return nil }
    guard let first = firstCharacter(in: bytes), !begins(bytes[first]) else { return nil }
    let isBinary = bytes.contains { $0 < 0x09 || $0 > 0x0D && $0 < 0x20 && $0 != 0x1B }
    return isBinary ? "a binary file" : nil
  }

  private static func begins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// The first byte that is neither white space nor part of a byte order mark.
  private static func firstCharacter(in bytes: [UInt8]) -> Int? {
    var index = 0
    while index < bytes.count {
      if bytes.span.begins(with: "\u{FEFF}", at: index) {
        index += 3
      } else if bytes[index] <= 0x20 {
        index += 1
      } else {
        return index
      }
    }
    return nil
  }

  /// HTML is rarely XML; it is told by its first element or its document type, which comments and
  /// an XML declaration may precede.
  private static func markup(_ bytes: [UInt8], at start: Int, _ isEnough: Bool) -> Kind? {
    // No more is looked at than is waited for, however much has come.
    let span = bytes.span.extracting(0..<min(bytes.count, FormatLimits.opening))
    guard let first = firstElement(in: span, from: start), isEnough || span.count - first >= 16
    else { return isEnough ? .xml(start: start) : nil }
    for opening: StaticString in ["<!doctype html", "<html", "<head", "<body"]
    where span.beginsIgnoringCase(with: opening, at: first) {
      return .page
    }
    return .xml(start: DocumentStart.place(in: bytes, from: start) ?? start)
  }

  /// The first `<` that begins neither a comment nor an instruction; nil when it has not come yet.
  private static func firstElement(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while let open = bytes.first(UInt8(ascii: "<"), from: index) {
      let end: StaticString
      if bytes.begins(with: "<!--", at: open) {
        end = "-->"
      } else if bytes.begins(with: "<?", at: open) {
        end = "?>"
      } else {
        return open
      }
      index = open + 2
      while index < bytes.count, !bytes.begins(with: end, at: index) { index += 1 }
    }
    return nil
  }

  /// A call around JSON (`callback({…});`), else a text.
  private static func text(_ bytes: [UInt8], at start: Int, _ isEnough: Bool) -> Kind? {
    guard let open = bytes[start...].firstIndex(where: { !standsInCall($0) }) else {
      return isEnough ? notCalled(bytes) : nil
    }
    guard bytes[open] == UInt8(ascii: "(") else {
      return isEnough ? notCalled(bytes) : nil
    }
    let inner = bytes[(open + 1)...].firstIndex { $0 > 0x20 }
    guard let inner else { return isEnough ? notCalled(bytes) : nil }
    let isJSON = bytes[inner] == UInt8(ascii: "{") || bytes[inner] == UInt8(ascii: "[")
    return isJSON ? .json(start: inner) : notCalled(bytes)
  }

  private static func standsInCall(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*")
      || byte <= 0x20
  }

  /// A feed that some program has put a message before, else a text.
  private static func notCalled(_ bytes: [UInt8]) -> Kind {
    let start = DocumentStart.place(in: bytes, from: 0)
    return start.map { .xml(start: $0) } ?? .foreign("plain text")
  }
}
