package import Workers

/// Recognises feed documents by their content and reads them as they arrive.
package struct FeedReader: FeedReading {
  package init() {}

  package func parser(for source: FeedSource) -> any FeedParsing { DocumentParser(source: source) }
}
