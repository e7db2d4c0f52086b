import Models
package import Workers

/// Recognises feed documents by their content and reads them as they arrive.
package struct FeedReader: FeedReading {
  package init() {}

  package func parser(for source: FeedSource) -> any FeedParsing { DocumentParser(source: source) }
}

/// Reads documents of one kind, whose bytes are UTF-8 by now.
protocol KindReader: AnyObject {
  /// Takes the next bytes.
  func push(_ bytes: ArraySlice<UInt8>) throws(FeedError)

  /// Takes the end of the document, and says what it is as a whole.
  func finish() throws(FeedError) -> FeedDocument

  /// Hands over the entries that are complete.
  func takeEntries() -> [FeedEntry]
}

/// Looks at a document's first bytes and hands it to the reader of its kind.
///
/// Bytes are unpacked and decoded first, so that all readers see UTF-8. Then three steps tell what a
/// document is: its first characters tell XML from JSON and from everything else; the root element
/// or the first members tell the format; the format's own reader does the rest.
final class DocumentParser: FeedParsing {
  private(set) var unpackedBytes = 0
  private(set) var hasMore = false
  private let source: FeedSource
  /// Nil until the kind of document is known.
  private var reader: (any KindReader)?
  private var unpacking = Unpacking()
  private var decoder: TextDecoder?
  /// The document's first bytes, until a decoder is made for them.
  private var head: [UInt8] = []
  /// The document's first characters, until a reader is found for them.
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

  private func readUnpacked(atMost limit: Int) throws(FeedError) {
    let start = unpackedBytes
    hasMore = false
    while !hasMore, let bytes = try unpacking.next() {
      unpackedBytes += bytes.count
      hasMore = unpackedBytes - start >= limit
      try read(bytes, isLast: false)
    }
  }

  /// Decodes; the first bytes are gathered, because they tell how.
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

  /// Hands the next text to the reader; the first is gathered until there is one.
  private func take(_ text: [UInt8]) throws(FeedError) {
    if let reader { return try reader.push(text[...]) }
    opening += text
    if opening.count >= FormatLimits.opening { try recognise() }
  }

  /// Finds the reader by the first text.
  private func recognise() throws(FeedError) {
    let first = Array(opening.prefix(FormatLimits.opening))
    let reader: any KindReader
    var start = 0
    switch DocumentOpening.kind(of: first) {
    case .xml(let place):
      guard let xml = XMLReader(source: source) else { throw .malformed(.noMemory) }
      if DocumentStart.isPreceded(opening[..<place]) { openingFlaw = .preceded }
      (reader, start) = (xml, place)
    case .json(let place): (reader, start) = (JSONReader(source: source), place)
    case .page: reader = WebPageReader(source: source)
    case .foreign(let description): throw .notAFeed(looksLike: description)
    }
    self.reader = reader
    let text = opening[start...]
    opening = []
    try reader.push(text)
  }
}
