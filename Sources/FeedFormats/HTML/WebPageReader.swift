import Models
import Workers

/// Reads a web page for the feed it names (`<link rel="alternate" type="application/rss+xml">`).
///
/// They stand in the head, so only the beginning of a long page is kept.
final class WebPageReader {
  private let source: FeedSource
  private var bytes: [UInt8] = []

  init(source: FeedSource) { self.source = source }

  /// Takes the next bytes.
  func push(_ more: ArraySlice<UInt8>) {
    bytes += more.prefix(FormatLimits.page - bytes.count)
  }

  /// Answers with the page's feed.
  ///
  /// - Throws: when it names none.
  func finish() throws(FeedError) -> FeedDocument {
    let page = bytes
    guard let feed = PageLinks.feed(in: page.span, at: source.address) else {
      throw .notAFeed(looksLike: "an HTML page")
    }
    return FeedDocument(format: .html, continuation: .feeds([feed]))
  }
}
