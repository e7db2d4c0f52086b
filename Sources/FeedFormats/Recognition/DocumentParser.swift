import Models
package import Workers

/// Recognises feed documents by their content and reads them as they arrive.
package struct FeedReader: FeedReading {
  package init() {}

  package func parser(for source: FeedSource) -> any FeedParsing { DocumentParser(source: source) }
}

/// Looks at a document's first bytes and hands it to the reader of its kind.
///
/// Bytes are unpacked and decoded first, so that all readers see UTF-8. Then three steps tell what a
/// document is: its first characters tell XML from JSON and from everything else; the root element
/// or the first members tell the format; the format's own reader does the rest.
final class DocumentParser: FeedParsing {
  private enum Reader {
    case unknown
    case xml(XMLReader)
    case json(JSONReader)
    case page(WebPageReader)
  }

  private(set) var unpackedBytes = 0
  private(set) var hasMore = false
  private let source: FeedSource
  private var reader = Reader.unknown
  private var unpacking = Unpacking()
  private var decoder: TextDecoder?
  /// The document's first bytes, until a decoder is made for them.
  private var head: [UInt8] = []
  /// The document's first characters, until a reader is found for them.
  private var opening: [UInt8] = []
  private var openingFlaw: DocumentFlaw?

  init(source: FeedSource) { self.source = source }

  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedImage] {
    unpacking.append(bytes, isLast: false)
    return try readUnpacked(atMost: FormatLimits.unpackedAtOnce)
  }

  func finish() throws(FeedError) -> FeedDocument {
    unpacking.append([], isLast: true)
    var earlier = try readUnpacked(atMost: .max)
    if unpacking.isUnreadable { throw .notAFeed(looksLike: "a gzip archive") }
    earlier += try read([], isLast: true)
    earlier += try take(decoder?.finish() ?? [])
    earlier += try recognise(isWhole: true)
    var document = try finishReader(earlier: earlier)
    let flaws =
      unpacking.flaws + (decoder?.flaws ?? [])
      + [openingFlaw].compactMap(\.self)
    document.flaws = flaws + document.flaws
    if !document.flaws.isEmpty { document.listsEverything = false }
    return document
  }

  private func readUnpacked(atMost limit: Int) throws(FeedError) -> [FeedImage] {
    var images: [FeedImage] = []
    let start = unpackedBytes
    hasMore = false
    while !hasMore, let bytes = try unpacking.next() {
      unpackedBytes += bytes.count
      hasMore = unpackedBytes - start >= limit
      let next = try read(bytes, isLast: false)
      if images.isEmpty { images = next } else { images += next }
    }
    return images
  }

  /// Decodes; the first bytes are gathered, because they tell how.
  private func read(_ bytes: [UInt8], isLast: Bool) throws(FeedError) -> [FeedImage] {
    if decoder != nil { return try take(decoder?.decode(bytes) ?? []) }
    head += bytes
    guard isLast || head.count >= FormatLimits.opening else { return [] }
    let first = Array(head.prefix(FormatLimits.opening))
    if let foreign = KnownFile.description(of: first) ?? DocumentOpening.binary(first) {
      throw .notAFeed(looksLike: foreign)
    }
    var decoder = TextDecoder(opening: first, charset: source.charset, host: source.address.host)
    let text = decoder.decode(head)
    self.decoder = decoder
    head = []
    return try take(text)
  }

  private func take(_ text: [UInt8]) throws(FeedError) -> [FeedImage] {
    guard case .unknown = reader else { return try hand(text[...]) }
    opening += text
    return try recognise(isWhole: false)
  }

  private func finishReader(earlier: [FeedImage]) throws(FeedError) -> FeedDocument {
    switch reader {
    case .unknown: throw .notAFeed(looksLike: "an empty document")
    case .page(let reader): return try reader.finish()
    case .json(let reader):
      var document = try reader.finish()
      document.images = earlier + document.images
      return document
    case .xml(let reader):
      var document = try reader.finish()
      document.images = earlier + document.images
      return document
    }
  }

  /// Finds the reader when enough of the document has come.
  private func recognise(isWhole: Bool) throws(FeedError) -> [FeedImage] {
    guard case .unknown = reader else { return [] }
    guard isWhole || opening.count >= FormatLimits.opening else { return [] }
    let first = Array(opening.prefix(FormatLimits.opening))
    guard let kind = DocumentOpening.kind(of: first, isEnough: true) else { return [] }
    switch kind {
    case .xml(let start): try beginXML(at: start)
    case .json(let start):
      reader = .json(JSONReader(source: source))
      opening.removeSubrange(..<start)
    case .page: reader = .page(WebPageReader(source: source))
    case .foreign(let description): throw .notAFeed(looksLike: description)
    }
    defer { opening = [] }
    return try hand(opening[...])
  }

  private func beginXML(at start: Int) throws(FeedError) {
    guard let reader = XMLReader(source: source) else { throw .malformed(.noMemory) }
    self.reader = .xml(reader)
    if DocumentStart.isPreceded(opening[..<start]) {
      openingFlaw = .preceded
    }
    opening.removeSubrange(..<start)
  }

  private func hand(_ bytes: ArraySlice<UInt8>) throws(FeedError) -> [FeedImage] {
    switch reader {
    case .unknown: return []
    case .json(let reader): return try reader.push(bytes)
    case .page(let reader):
      reader.push(bytes)
      return []
    case .xml(let reader):
      try reader.push(bytes)
      return reader.takeImages()
    }
  }
}
