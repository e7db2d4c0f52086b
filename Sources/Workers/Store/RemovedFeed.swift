package import Models

/// What removing a feed did.
package struct RemovedFeed: Sendable, Equatable {
  package var feed: Feed
  /// Images hidden or deleted.
  package var images: Int
  /// Originals' files deleted.
  package var originals: Int

  package init(feed: Feed, images: Int, originals: Int) {
    self.feed = feed
    self.images = images
    self.originals = originals
  }
}
