package import Models

/// Recognises feed documents and reads them as they arrive.
package protocol FeedReading: Sendable {
  /// A parser for one document.
  func parser(for source: FeedSource) -> any FeedParsing
}

/// Reads one document, in the task that made it.
package protocol FeedParsing: AnyObject {
  /// Takes the next bytes and answers with the images that are complete with them.
  ///
  /// - Throws: when the document is no feed, or passes a limit.
  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedImage]

  /// Takes the end of the document, and answers with the rest of it.
  ///
  /// - Throws: when the document is no feed.
  func finish() throws(FeedError) -> FeedDocument
}
