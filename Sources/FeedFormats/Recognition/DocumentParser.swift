import Models
import Workers

/// Looks at a document's first bytes and hands it to the reader of its kind.
///
/// Three steps tell what a document is: its first bytes tell XML from JSON and from everything
/// else; the root element or the first members tell the format; the format's own reader does the
/// rest.
final class DocumentParser: FeedParsing {
  private enum Reader {
    case unknown
    case xml(XMLParser, XMLReader)
    case json(JSONReader)
    case page(WebPageReader)
  }

  private let source: FeedSource
  private var reader = Reader.unknown
  private var opening: [UInt8] = []

  init(source: FeedSource) { self.source = source }

  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedImage] {
    if case .unknown = reader {
      opening += bytes
      return try recognise(isWhole: false)
    }
    return try hand(bytes[...])
  }

  func finish() throws(FeedError) -> FeedDocument {
    let earlier = try recognise(isWhole: true)
    switch reader {
    case .unknown: throw .notAFeed(looksLike: "an empty document")
    case .page(let reader): return try reader.finish()
    case .json(let reader):
      var document = try reader.finish()
      document.images = earlier + document.images
      return document
    case .xml(let parser, let reader):
      try parser.finish()
      var document = try reader.document()
      document.images = earlier + document.images
      return document
    }
  }

  /// Finds the reader when enough of the document has come.
  private func recognise(isWhole: Bool) throws(FeedError) -> [FeedImage] {
    guard case .unknown = reader else { return [] }
    let isEnough = isWhole || opening.count >= FormatLimits.opening
    guard let kind = DocumentOpening.kind(of: opening, isEnough: isEnough) else { return [] }
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
    let encoding = XMLEncoding(opening: opening, start: start, charset: source.charset)
    let events = XMLReader(source: source)
    guard let parser = XMLParser(reader: events, encoding: encoding) else {
      throw .malformed("not enough memory")
    }
    reader = .xml(parser, events)
    opening.removeSubrange(..<start)
  }

  private func hand(_ bytes: ArraySlice<UInt8>) throws(FeedError) -> [FeedImage] {
    switch reader {
    case .unknown: return []
    case .json(let reader): return try reader.push(bytes)
    case .page(let reader):
      reader.push(bytes)
      return []
    case .xml(let parser, let reader):
      try parser.push(bytes)
      return reader.takeImages()
    }
  }
}
