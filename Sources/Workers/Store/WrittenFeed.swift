package import Models

/// A feed whose documents have been written to their end.
package struct WrittenFeed: Sendable, Equatable {
  /// The feed as it is in the library.
  package var feed: Feed
  /// What its documents did.
  package var counts: ImageCounts
  package var move: FeedMove?

  package init(feed: Feed, counts: ImageCounts, move: FeedMove? = nil) {
    self.feed = feed
    self.counts = counts
    self.move = move
  }
}
