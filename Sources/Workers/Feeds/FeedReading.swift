package import Models

/// Recognises feed documents and reads them as they arrive.
package protocol FeedReading: Sendable {
  /// A parser for one document.
  func parser(for source: FeedSource) -> any FeedParsing
}

/// Reads one document, in the task that made it.
package protocol FeedParsing: AnyObject {
  /// Bytes of the document that have been read so far, unpacked.
  var unpackedBytes: Int { get }

  /// Whether the bytes that were pushed unpack to more than was read of them; pushing none reads on.
  var hasMore: Bool { get }

  /// Takes the next bytes and answers with the entries that are complete with them.
  ///
  /// However much they unpack to, it reads a bounded part of it at a time.
  ///
  /// - Throws: when the document is no feed, or passes a limit.
  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedEntry]

  /// Takes the end of the document, and answers with the entries that only it completes.
  ///
  /// - Throws: when the document is no feed.
  func finish() throws(FeedError) -> (entries: [FeedEntry], document: FeedDocument)
}
