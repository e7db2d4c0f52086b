/// Tells what a document is from its first bytes.
enum DocumentOpening {
  enum Kind: Equatable {
    /// XML that begins at the given offset.
    case xml(start: Int)
    /// JSON that begins at the given offset.
    case json(start: Int)
    /// A web page, which may name its feed.
    case page
    /// Something that is no feed, as a noun with its article.
    case foreign(String)
  }

  /// The kind of document that begins with some text, which is UTF-8 by now.
  static func kind(of bytes: [UInt8]) -> Kind {
    if let file = KnownFile.description(of: bytes) { return .foreign(file) }
    guard let first = firstCharacter(in: bytes) else { return .foreign(blank(bytes)) }
    switch bytes[first] {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return .json(start: first)
    case UInt8(ascii: "<"): return markup(bytes, at: first)
    default: return text(bytes, at: first)
    }
  }

  /// White space without end could be read without end.
  private static func blank(_ bytes: [UInt8]) -> String {
    let limit = FormatLimits.opening
    return bytes.count < limit
      ? "an empty document" : "white space in its first \(limit) bytes"
  }

  /// What bytes that are in no encoding of text are; nil when they may be a text.
  static func binary(_ bytes: [UInt8]) -> String? {
    if ByteOrderMark(bytes) != nil || ByteOrderMark(unmarked: bytes) != nil { return nil }
    guard let first = firstCharacter(in: bytes), !"<{[".utf8.contains(bytes[first]) else {
      return nil
    }
    let isBinary = bytes.contains { $0 < 0x09 || $0 > 0x0D && $0 < 0x20 && $0 != 0x1B }
    return isBinary ? "a binary file" : nil
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
  private static func markup(_ bytes: [UInt8], at start: Int) -> Kind {
    let span = bytes.span
    guard let first = firstElement(in: span, from: start) else { return .xml(start: start) }
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
      let isComment = bytes.begins(with: "<!--", at: open)
      guard isComment || bytes.begins(with: "<?", at: open) else { return open }
      index = bytes.first(isComment ? "-->" : "?>", from: open + 2) ?? bytes.count
    }
    return nil
  }

  /// A call around JSON (`callback({…});`), else a feed that some program has put a message before, else a
  /// text.
  private static func text(_ bytes: [UInt8], at start: Int) -> Kind {
    if let open = bytes[start...].firstIndex(where: { !standsInCall($0) }),
      bytes[open] == UInt8(ascii: "("),
      let inner = bytes[(open + 1)...].firstIndex(where: { $0 > 0x20 }),
      bytes[inner] == UInt8(ascii: "{") || bytes[inner] == UInt8(ascii: "[")
    {
      return .json(start: inner)
    }
    let feed = DocumentStart.place(in: bytes, from: 0)
    return feed.map { .xml(start: $0) } ?? .foreign("plain text")
  }

  private static func standsInCall(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte <= 0x20 || "_$./*".utf8.contains(byte)
  }
}

/// Finds a feed behind what programs print before it by mistake: warnings, comments, fragments.
enum DocumentStart {
  /// Where the feed begins; nil when nothing but the feed is there, or none.
  static func place(in bytes: [UInt8], from start: Int) -> Int? {
    let span = bytes.span
    let isFragment = fragments.contains { span.beginsIgnoringCase(with: $0, at: start) }
    let isMarkup = span.begins(with: "<", at: start)
    var next = start
    while let index = span.first(UInt8(ascii: "<"), from: next) {
      next = index + 1
      if span.begins(with: "<!--", at: index) { next = HTMLScanner.end(ofComment: index, in: span) }
      if index > start || !isMarkup, span.begins(with: "<?xml ", at: index) { return index }
      let isRoot = roots.contains { span.beginsIgnoringCase(with: $0, at: index) }
      if isRoot { return isFragment || !isMarkup ? index : nil }
    }
    return nil
  }

  /// Whether more than white space and byte order marks stands there.
  static func isPreceded(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.contains { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
  }

  private static let roots: [StaticString] = ["<rss", "<feed", "<rdf:rdf", "<opml"]

  private static let fragments: [StaticString] = [
    "<br", "<b>", "<p", "<div", "<font", "<pre", "<table", "<script", "<style", "<link",
  ]
}

/// Knows common files that are no feeds by their first bytes.
enum KnownFile {
  /// What a file is, as a noun with its article; nil when its first bytes tell nothing.
  static func description(of bytes: [UInt8]) -> String? {
    let span = bytes.span
    for file in files where span.begins(with: file.mark, at: file.place) {
      return file.description
    }
    return signatures.first { bytes.starts(with: $0.mark) }?.description
  }

  /// Marks of ASCII characters.
  private static let files: [(place: Int, mark: StaticString, description: String)] = [
    (0, "GIF8", "a GIF image"), (8, "WEBPVP8", "a WebP image"), (4, "ftypavif", "an AVIF image"),
    (4, "ftypheic", "a HEIC image"), (4, "ftyp", "a video"), (0, "%PDF", "a PDF document"),
    (0, "PK\u{3}\u{4}", "a ZIP archive"), (0, "Rar!", "a RAR archive"),
    (0, "7z\u{BC}", "a 7-Zip archive"), (0, "OggS", "an audio file"), (0, "ID3", "an audio file"),
    (0, "fLaC", "an audio file"), (0, "SQLite format 3", "an SQLite database"),
    (0, "BEGIN:VCALENDAR", "a calendar"), (0, "BEGIN:VCARD", "an address card"),
    (0, "#EXTM3U", "a playlist"), (0, "%!PS", "a PostScript document"),
    (0, "{\\rtf", "an RTF document"),
  ]

  /// Marks of other bytes.
  private static let signatures: [(mark: [UInt8], description: String)] = [
    ([0xFF, 0xD8, 0xFF], "a JPEG image"), ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
    ([0x49, 0x49, 0x2A, 0x00], "a TIFF image"), ([0x4D, 0x4D, 0x00, 0x2A], "a TIFF image"),
    ([0x1F, 0x8B], "a gzip archive"), ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
    ([0x1A, 0x45, 0xDF, 0xA3], "a video"), ([0x00, 0x00, 0x01, 0x00], "an icon"),
  ]
}
