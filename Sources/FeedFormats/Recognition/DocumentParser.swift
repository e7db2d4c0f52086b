import Models
package import Workers

/// Recognises feed documents by their content, and reads them as they arrive.
package struct FeedReader: FeedReading {
  private let languages: [String]

  /// Makes a reader for the texts of documents in several languages.
  ///
  /// - Parameter languages: The reader's languages (RFC 5646), the preferred one first.
  package init(languages: [String] = []) { self.languages = languages }

  package func parser(for source: FeedSource) -> any FeedParsing {
    var source = source
    source.languages = languages
    return DocumentParser(source: source)
  }
}

/// Reads documents of one kind, whose bytes are UTF-8 already.
protocol KindReader: AnyObject {
  /// The kind of the document; nil until it is certain.
  var kind: FeedFormat.Kind? { get }

  /// Reads the next bytes.
  func push(_ bytes: ArraySlice<UInt8>) throws(FeedError)

  /// Ends the document, and returns its description.
  func finish() throws(FeedError) -> FeedDocument

  /// Returns the complete entries, and removes them from the reader.
  func takeEntries() -> [FeedEntry]

  /// Returns the complete entries of a document that breaks off, including those that are held back.
  func breakOff() -> [FeedEntry]
}

extension KindReader {
  func breakOff() -> [FeedEntry] { takeEntries() }
}

/// Examines a document's first bytes, and passes it to the reader of its kind.
///
/// The parser unpacks and decodes bytes first, so that all readers receive UTF-8. Then it
/// recognises a document in three steps. The first characters distinguish XML, JSON and other
/// files. The root element or the first members reveal the format. The format's own reader does the
/// rest.
final class DocumentParser: FeedParsing {
  private(set) var unpackedBytes = 0
  private(set) var hasMore = false
  var kind: FeedFormat.Kind? { reader?.kind }
  private let source: FeedSource
  /// Nil until the kind of document is known.
  private var reader: (any KindReader)?
  private var unpacking = Unpacking()
  private var decoder: TextDecoder?
  /// The document's first bytes, until the decoder exists.
  private var head: [UInt8] = []
  /// The document's first characters, until the reader exists.
  private var opening: [UInt8] = []
  private var openingFlaw: DocumentFlaw?

  init(source: FeedSource) { self.source = source }

  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedEntry] {
    unpacking.append(bytes, isLast: false)
    try readUnpacked(atMost: FormatLimits.unpackedAtOnce)
    return reader?.takeEntries() ?? []
  }

  func finish() throws(FeedError) -> (entries: [FeedEntry], document: FeedDocument) {
    unpacking.append([], isLast: true)
    try readUnpacked(atMost: .max)
    if unpacking.isUnreadable { throw .notAFeed(looksLike: "a gzip archive") }
    try read([], isLast: true)
    try take(decoder?.finish() ?? [])
    if reader == nil { try recognise() }
    guard let reader else { throw .notAFeed(looksLike: "an empty document") }
    var document = try reader.finish()
    let flaws =
      unpacking.flaws + (decoder?.flaws ?? [])
      + [openingFlaw].compactMap(\.self)
    document.flaws = flaws + document.flaws
    if !document.flaws.isEmpty { document.listsEverything = false }
    return (reader.takeEntries(), document)
  }

  func breakOff() -> [FeedEntry] { reader?.breakOff() ?? [] }

  private func readUnpacked(atMost limit: Int) throws(FeedError) {
    let start = unpackedBytes
    hasMore = false
    while !hasMore, let bytes = try unpacking.next() {
      unpackedBytes += bytes.count
      hasMore = unpackedBytes - start >= limit
      try read(bytes, isLast: false)
    }
  }

  /// Decodes bytes; it collects the first ones, because they determine the encoding.
  private func read(_ bytes: [UInt8], isLast: Bool) throws(FeedError) {
    if decoder != nil { return try take(decoder?.decode(bytes) ?? []) }
    head += bytes
    guard isLast || head.count >= FormatLimits.opening else { return }
    let first = Array(head.prefix(FormatLimits.opening))
    if let foreign = KnownFile.description(of: first) ?? DocumentOpening.binary(first) {
      throw .notAFeed(looksLike: foreign)
    }
    var decoder = TextDecoder(opening: first, charset: source.charset, host: source.address.host)
    let text = decoder.decode(head)
    self.decoder = decoder
    head = []
    try take(text)
  }

  /// Passes the next text to the reader; it collects the first text until there is a reader.
  private func take(_ text: [UInt8]) throws(FeedError) {
    if let reader { return try reader.push(text[...]) }
    opening += text
    if opening.count >= FormatLimits.opening { try recognise() }
  }

  /// Chooses the reader by the first text.
  private func recognise() throws(FeedError) {
    let first = Array(opening.prefix(FormatLimits.opening))
    let reader: any KindReader
    var start = 0
    switch DocumentOpening.kind(of: first) {
    case .xml(let offset):
      guard let xml = XMLReader(source: source) else { throw .malformed(.noMemory) }
      if DocumentStart.isPreceded(opening[..<offset]) { openingFlaw = .preceded }
      (reader, start) = (xml, offset)
    case .json(let offset):
      if DocumentStart.isMessage(first, before: offset) { openingFlaw = .preceded }
      (reader, start) = (JSONReader(source: source), offset)
    case .page: reader = WebPageReader(source: source)
    case .foreign(let description): throw .notAFeed(looksLike: description)
    }
    self.reader = reader
    let text = opening[start...]
    opening = []
    try reader.push(text)
  }
}

/// Recognises a document by its first bytes.
enum DocumentOpening {
  enum Kind: Equatable {
    /// XML that begins at the given offset.
    case xml(start: Int)
    /// JSON that begins at the given offset.
    case json(start: Int)
    /// A web page, which may name its feed.
    case page
    /// Another kind of file, as a noun with its article.
    case foreign(String)
  }

  /// The kind of document that begins with some text, which is UTF-8 already.
  static func kind(of bytes: [UInt8]) -> Kind {
    if let file = KnownFile.description(of: bytes) { return .foreign(file) }
    guard let first = firstCharacter(in: bytes) else { return .foreign(blank(bytes)) }
    switch bytes[first] {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return .json(start: first)
    case UInt8(ascii: "<"): return markup(bytes, at: first)
    default: return text(bytes, at: first)
    }
  }

  /// Describes a document that begins with white space; a limit stops endless white space.
  private static func blank(_ bytes: [UInt8]) -> String {
    let limit = FormatLimits.opening
    return bytes.count < limit
      ? "an empty document" : "white space in its first \(limit) bytes"
  }

  /// A description of bytes that are not text in any encoding; nil when they may be text.
  static func binary(_ bytes: [UInt8]) -> String? {
    if ByteOrderMark(bytes) != nil || ByteOrderMark(unmarked: bytes) != nil { return nil }
    guard let first = firstCharacter(in: bytes), !"<{[".utf8.contains(bytes[first]) else {
      return nil
    }
    let isBinary = bytes.contains { $0 < 0x09 || $0 > 0x0D && $0 < 0x20 && $0 != 0x1B }
    return isBinary ? "a binary file" : nil
  }

  /// The offset of the first byte that is neither white space nor part of a byte order mark.
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

  /// The kind of a document that begins with `<`.
  ///
  /// HTML is rarely XML. Its first element or its document type reveals it, after comments and an XML declaration.
  private static func markup(_ bytes: [UInt8], at start: Int) -> Kind {
    let span = bytes.span
    guard let first = firstElement(in: span, from: start) else { return .xml(start: start) }
    for opening: StaticString in ["<!doctype html", "<html", "<head", "<body"]
    where span.beginsIgnoringCase(with: opening, at: first) {
      return .page
    }
    if let feed = DocumentStart.offset(in: bytes, from: start) { return .xml(start: feed) }
    if let json = DocumentStart.json(behindMessageIn: bytes, from: start) {
      return .json(start: json)
    }
    return .xml(start: start)
  }

  /// The first `<` that begins neither a comment nor an instruction; nil when the text has no such `<` yet.
  private static func firstElement(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while let open = bytes.first(UInt8(ascii: "<"), from: index) {
      let isComment = bytes.begins(with: "<!--", at: open)
      guard isComment || bytes.begins(with: "<?", at: open) else { return open }
      index = bytes.first(isComment ? "-->" : "?>", from: open + 2) ?? bytes.count
    }
    return nil
  }

  /// The kind of another text: a call around JSON (`callback({…});`), a feed after a program's
  /// message, or plain text.
  private static func text(_ bytes: [UInt8], at start: Int) -> Kind {
    if let open = bytes[start...].firstIndex(where: { !standsInCall($0) }),
      bytes[open] == UInt8(ascii: "("),
      let inner = bytes[(open + 1)...].firstIndex(where: { $0 > 0x20 }),
      bytes[inner] == UInt8(ascii: "{") || bytes[inner] == UInt8(ascii: "[")
    {
      return .json(start: inner)
    }
    if let json = DocumentStart.json(behindScriptIn: bytes, from: start) {
      return .json(start: json)
    }
    if let feed = DocumentStart.offset(in: bytes, from: 0) { return .xml(start: feed) }
    let json = DocumentStart.json(behindMessageIn: bytes, from: start)
    return json.map { .json(start: $0) } ?? .foreign("plain text")
  }

  private static func standsInCall(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte <= 0x20 || "_$./*".utf8.contains(byte)
  }
}

/// Finds a feed after output that programs print before it by mistake: warnings, comments, fragments.
enum DocumentStart {
  /// The offset of the feed; nil when the text begins with the feed, or contains no feed.
  static func offset(in bytes: [UInt8], from start: Int) -> Int? {
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

  /// Whether the bytes contain more than white space and byte order marks.
  static func isPreceded(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.contains { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
  }

  /// The offset of JSON behind a program's message: `<br /><b>Warning</b>: …<br />[{…`.
  ///
  /// It begins a line or follows a tag.
  static func json(behindMessageIn bytes: [UInt8], from start: Int) -> Int? {
    let span = bytes.span
    let isMarkup = span.begins(with: "<", at: start)
    guard !isMarkup || fragments.contains(where: { span.beginsIgnoringCase(with: $0, at: start) })
    else { return nil }
    var before = UInt8(ascii: "\n")
    for index in bytes.indices.dropFirst(start) {
      let byte = bytes[index]
      if before == UInt8(ascii: "\n") || before == UInt8(ascii: ">"), beginsJSON(bytes, at: index) {
        return index
      }
      if byte > 0x20 || byte == UInt8(ascii: "\n") { before = byte }
    }
    return nil
  }

  /// Whether an object or a list of objects or texts begins.
  private static func beginsJSON(_ bytes: [UInt8], at index: Int) -> Bool {
    guard bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "["),
      let next = bytes[(index + 1)...].first(where: { $0 > 0x20 })
    else { return false }
    let isObject = bytes[index] == UInt8(ascii: "{")
    return next == UInt8(ascii: "\"") || !isObject && next == UInt8(ascii: "{")
  }

  /// The offset of JSON behind what programs write in front of it so that no script reads it, or so
  /// that one does: `)]}'`, `for (;;);`, `var x =`, `window.data =`, `export default`.
  static func json(behindScriptIn bytes: [UInt8], from start: Int) -> Int? {
    let window = bytes[start...].prefix(longestScript)
    return window.indices.first { open in
      guard bytes[open] == UInt8(ascii: "{") || bytes[open] == UInt8(ascii: "[") else {
        return false
      }
      let words = String(decoding: window[..<open].filter { $0 > 0x20 }, as: UTF8.self)
      return guards.contains(words) || isAssignment(words)
        || words.hasPrefix(")]}'") && words.utf8.count < 6
    }
  }

  private static let longestScript = 200
  private static let guards: Set<String> = [
    "for(;;);", "while(1);", "while(true);", "throw1;", "&&&START&&&", "{}&&", "/**/",
    "exportdefault", "module.exports=",
  ]

  /// Whether a text, without its blanks, is a variable and an equals sign.
  private static func isAssignment(_ words: String) -> Bool {
    guard words.utf8.last == UInt8(ascii: "="), words.utf8.count > 1 else { return false }
    return words.utf8.dropLast().allSatisfy { byte in
      byte.isLetter || byte.isDigit || "_$.:'\"[]".utf8.contains(byte)
    }
  }

  /// Whether the text before JSON is a message of a program, and not a script or a call around it.
  static func isMessage(_ bytes: [UInt8], before offset: Int) -> Bool {
    let text = bytes[..<offset]
    guard isPreceded(text), text.last(where: { $0 > 0x20 }) != UInt8(ascii: "(") else {
      return false
    }
    return json(behindScriptIn: bytes, from: text.firstIndex { $0 > 0x20 } ?? 0) != offset
  }

  private static let roots: [StaticString] = ["<rss", "<feed", "<rdf:rdf", "<opml"]

  private static let fragments: [StaticString] = [
    "<br", "<b>", "<p", "<div", "<font", "<pre", "<table", "<script", "<style", "<link",
  ]
}

/// Recognises common files that are not feeds by their first bytes.
enum KnownFile {
  /// A description of a file, as a noun with its article; nil when its first bytes are not known.
  static func description(of bytes: [UInt8]) -> String? {
    let span = bytes.span
    for file in files where span.begins(with: file.mark, at: file.offset) {
      return file.description
    }
    return signatures.first { bytes.starts(with: $0.mark) }?.description
  }

  /// Signatures of ASCII characters.
  private static let files: [(offset: Int, mark: StaticString, description: String)] = [
    (0, "GIF8", "a GIF image"), (8, "WEBPVP8", "a WebP image"), (4, "ftypavif", "an AVIF image"),
    (4, "ftypheic", "a HEIC image"), (4, "ftyp", "a video"), (0, "%PDF", "a PDF document"),
    (0, "PK\u{3}\u{4}", "a ZIP archive"), (0, "Rar!", "a RAR archive"),
    (0, "OggS", "an audio file"), (0, "ID3", "an audio file"),
    (0, "fLaC", "an audio file"), (0, "SQLite format 3", "an SQLite database"),
    (0, "BEGIN:VCALENDAR", "a calendar"), (0, "BEGIN:VCARD", "an address card"),
    (0, "#EXTM3U", "a playlist"), (0, "%!PS", "a PostScript document"),
    (0, "{\\rtf", "an RTF document"),
  ]

  /// Signatures with other bytes.
  private static let signatures: [(mark: [UInt8], description: String)] = [
    ([0xFF, 0xD8, 0xFF], "a JPEG image"), ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
    ([0x49, 0x49, 0x2A, 0x00], "a TIFF image"), ([0x4D, 0x4D, 0x00, 0x2A], "a TIFF image"),
    ([0x1F, 0x8B], "a gzip archive"), ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
    ([0x37, 0x7A, 0xBC, 0xAF], "a 7-Zip archive"), ([0x1A, 0x45, 0xDF, 0xA3], "a video"),
    ([0x00, 0x00, 0x01, 0x00], "an icon"),
  ]
}
