package import Models

/// A feed whose sync has been noted.
package struct NotedFeed: Sendable, Equatable {
  /// The feed as it is stored since.
  package var feed: Feed
  /// Whether it has moved; nil when there is nothing to say of it.
  package var move: FeedMove?

  package init(feed: Feed, move: FeedMove? = nil) {
    self.feed = feed
    self.move = move
  }
}
