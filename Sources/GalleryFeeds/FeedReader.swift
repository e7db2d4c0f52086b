internal import FeedFormats
public import FoundationEssentials
internal import Models
internal import Workers

/// Reads feed documents: RSS 2.0 and 1.0, Media RSS, Atom, JSON Feed, plain JSON, JSON Lines, IIIF manifests and
/// collections, image sitemaps, OPML and oEmbed.
///
/// A reader recognises a document by its content, mends what is damaged where it can, and reports each flaw as a value.
/// It never opens a file or a connection. A document may be packed with gzip, and may have any encoding that browsers
/// read.
public struct FeedReader: Sendable {
  /// The languages of the reader (RFC 5646), the preferred one first.
  ///
  /// A IIIF document may have each of its texts in several languages.
  public var languages: [String]

  /// The pictures of an entry that are images.
  public var choice = ImageChoice.all

  /// Whether each entry has an ``FeedEntry/explanation-swift.property``.
  ///
  /// An explained document also has entries without images.
  public var explains = false

  /// The time of the request; a date more than a week after it is reported as doubtful in explanations.
  public var now: Date?

  /// Makes a reader.
  ///
  /// - Parameter languages: The reader's languages (RFC 5646), the preferred one first.
  public init(languages: [String] = []) { self.languages = languages }

  /// The pictures of an entry that are images.
  public enum ImageChoice: Sendable, Hashable {
    /// All that an entry shows, each picture once.
    case all
    /// Only those of the first place that names any: beside the text, or else in it.
    case front
  }

  /// Reads a whole document.
  ///
  /// - Parameters:
  ///   - bytes: The document, as the server sent it.
  ///   - address: Its absolute address, which is the base of relative ones.
  ///   - charset: The `charset` of the response's media type; nil if it has none.
  /// - Returns: Its entries and its description.
  /// - Throws: When the address is relative, the document is not a feed, no entry of it can be read, or it exceeds a
  ///   limit.
  public func read(
    _ bytes: some Sequence<UInt8>,
    from address: String,
    charset: String? = nil
  ) throws(FeedReadingError) -> (entries: [FeedEntry], document: FeedDocument) {
    let parser = try FeedParser(reader: self, address: address, charset: charset)
    let entries = try parser.push(Array(bytes))
    let end = try parser.finish()
    return (entries + end.entries, end.document)
  }

  /// Reads a document while it arrives.
  ///
  /// - Parameters:
  ///   - bytes: The parts of the document, in order.
  ///   - address: Its absolute address, which is the base of relative ones.
  ///   - charset: The `charset` of the response's media type; nil if it has none.
  /// - Returns: Each entry as soon as it is complete, and the description of the document at the end.
  public func events<Bytes>(
    in bytes: Bytes,
    from address: String,
    charset: String? = nil
  ) -> FeedEvents<Bytes> {
    FeedEvents(reader: self, bytes: bytes, address: address, charset: charset)
  }
}

/// A document whose bytes a program pushes as it receives them.
///
/// Programs that have an asynchronous sequence of bytes use ``FeedReader/events(in:from:charset:)`` instead. A parser reads
/// one document: behind its end, further bytes give nothing, and after an error, it throws the same error again.
public final class FeedParser {
  private enum State {
    case reading
    case ended(FeedDocument)
    case failed(FeedReadingError)
  }

  private let parser: any FeedParsing
  private var state = State.reading

  /// Begins to read a document.
  ///
  /// - Parameters:
  ///   - reader: The settings for the document.
  ///   - address: Its absolute address, which is the base of relative ones.
  ///   - charset: The `charset` of the response's media type; nil if it has none.
  /// - Throws: ``FeedReadingError/relativeAddress(_:)``
  public init(
    reader: FeedReader = FeedReader(),
    address: String,
    charset: String? = nil
  ) throws(FeedReadingError) {
    guard let base = WebAddress(address) else { throw .relativeAddress(address) }
    var source = FeedSource(
      address: base,
      charset: charset,
      isExplained: reader.explains,
      now: reader.now
    )
    source.imageChoice = reader.choice == .all ? .all : .front
    parser = FeedFormats.FeedReader(languages: reader.languages).parser(for: source)
  }

  /// Takes the next bytes.
  ///
  /// - Parameter bytes: Any number of bytes, which may end in the middle of a character.
  /// - Returns: The entries that they complete.
  /// - Throws: When the document is not a feed, or exceeds a limit.
  public func push(_ bytes: [UInt8]) throws(FeedReadingError) -> [FeedEntry] {
    switch state {
    case .ended: return []
    case .failed(let error): throw error
    case .reading: break
    }
    do {
      var entries = try parser.push(bytes)
      while parser.hasMore { entries += try parser.push([]) }
      return entries.map { FeedEntry($0) }
    } catch { throw failure(error) }
  }

  /// Takes the end of the document.
  ///
  /// - Returns: The entries that it completes, and the description of the document.
  /// - Throws: When the document is not a feed, no entry of it can be read, or it exceeds a limit.
  public func finish() throws(FeedReadingError) -> (
    entries: [FeedEntry], document: FeedDocument
  ) {
    switch state {
    case .ended(let document): return ([], document)
    case .failed(let error): throw error
    case .reading: break
    }
    do {
      let end = try parser.finish()
      let document = FeedDocument(end.document)
      state = .ended(document)
      return (end.entries.map { FeedEntry($0) }, document)
    } catch { throw failure(error) }
  }

  /// Ends a document whose rest will not come.
  ///
  /// - Returns: The complete entries that were held back; none behind the end of the document.
  public func breakOff() -> [FeedEntry] {
    if case .ended = state { return [] }
    if case .reading = state { state = .failed(.malformed(FeedProblem(.cutOff))) }
    return parser.breakOff().map { FeedEntry($0) }
  }

  private func failure(_ error: FeedError) -> FeedReadingError {
    let error = FeedReadingError(error)
    state = .failed(error)
    return error
  }
}
