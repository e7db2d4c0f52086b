/// What the user's file of settings says of a feed.
package struct ConfiguredFeed: Sendable, Equatable {
  package var feed: FeedArgument
  /// What is set of it whenever feeds are synced.
  package var change: FeedChange
  /// Whether each sync of it fetches its originals.
  package var fetchesOriginals: Bool

  package init(
    feed: FeedArgument,
    change: FeedChange = FeedChange(),
    fetchesOriginals: Bool = false
  ) {
    self.feed = feed
    self.change = change
    self.fetchesOriginals = fetchesOriginals
  }
}
