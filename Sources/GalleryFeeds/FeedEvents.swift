/// A part of a document that is read while it arrives.
public enum FeedEvent: Sendable, Equatable {
  /// A complete entry.
  case entry(FeedEntry)
  /// The end of the document, which comes once and last.
  case end(FeedDocument)
}

/// The entries of a document in the order in which they become complete, and its description.
///
/// An iteration throws ``FeedReadingError`` for the document, and the errors of its bytes. If these break off, the
/// entries that have arrived come first. A cancelled task ends the iteration as it ends that of the bytes.
public struct FeedEvents<Bytes: AsyncSequence>: AsyncSequence
where Bytes.Element: Sequence, Bytes.Element.Element == UInt8 {
  public typealias Element = FeedEvent

  let reader: FeedReader
  let bytes: Bytes
  let address: String
  let charset: String?

  public func makeAsyncIterator() -> Iterator {
    Iterator(bytes: bytes.makeAsyncIterator(), reader: reader, address: address, charset: charset)
  }

  /// Reads the document once.
  public struct Iterator: AsyncIteratorProtocol {
    private var bytes: Bytes.AsyncIterator
    private let reader: FeedReader
    private let address: String
    private let charset: String?
    /// Nil before the first bytes.
    private var parser: FeedParser?
    /// What has not been returned yet.
    private var events: ArraySlice<FeedEvent> = []
    private var failure: (any Error)?
    private var isAtEnd = false

    init(bytes: Bytes.AsyncIterator, reader: FeedReader, address: String, charset: String?) {
      self.bytes = bytes
      (self.reader, self.address, self.charset) = (reader, address, charset)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> FeedEvent? {
      while true {
        if let event = events.popFirst() { return event }
        if let failure {
          self.failure = nil
          throw failure
        }
        if isAtEnd { return nil }
        try await read(isolation: actor)
      }
    }

    /// Reads the next bytes, or the end of the document.
    private mutating func read(isolation actor: isolated (any Actor)?) async throws {
      let parser =
        if let parser { parser } else {
          try FeedParser(reader: reader, address: address, charset: charset)
        }
      self.parser = parser
      do {
        if let part = try await bytes.next(isolation: actor) {
          events += try parser.push(Array(part)).map { .entry($0) }
        } else {
          isAtEnd = true
          let end = try parser.finish()
          events += end.entries.map { .entry($0) } + [.end(end.document)]
        }
      } catch {
        isAtEnd = true
        failure = error
        events += parser.breakOff().map { .entry($0) }
      }
    }
  }
}

extension FeedEvents: Sendable where Bytes: Sendable {}
