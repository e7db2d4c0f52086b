package import Models

/// A feed whose documents have been written to their end.
package struct WrittenFeed: Sendable, Equatable {
  /// The feed as it is in the library.
  package var feed: Feed
  /// What its documents did.
  package var counts: ImageCounts
  package var move: FeedMove?
  /// What has become of it when it is a list of feeds; nil for every other feed.
  package var list: ListedFeeds?

  package init(
    feed: Feed,
    counts: ImageCounts,
    move: FeedMove? = nil,
    list: ListedFeeds? = nil
  ) {
    self.feed = feed
    self.counts = counts
    self.move = move
    self.list = list
  }
}

/// The feeds of a list, and how they differ from what it had when it was last read.
package struct ListedFeeds: Sendable, Equatable {
  /// Those that are to be followed, in order: all but those that the user has removed since.
  package var followed: [WebAddress]
  /// How many it has.
  package var total: Int
  /// How many it did not have before.
  package var new: Int
  /// Those that are followed, and that it has no longer: they stay.
  package var lost: [WebAddress]

  package init(followed: [WebAddress], total: Int, new: Int = 0, lost: [WebAddress] = []) {
    self.followed = followed
    self.total = total
    self.new = new
    self.lost = lost
  }
}
