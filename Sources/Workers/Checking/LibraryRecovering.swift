/// Makes a new library from what a damaged one still has.
package protocol LibraryRecovering: Sendable {
  /// Starts a recovery; it never changes the damaged library.
  func recover() -> RecoveryRun
}

/// A running recovery, whose progress counts the images.
package typealias RecoveryRun = FactRun<RecoveryFact, Locked<RecoveredLibrary>>

package enum RecoveryFact: Sendable, Equatable {
  case ended(RecoveredLibrary)
  case failed(StoreError)
}

/// What a recovered library has, and what is lost.
package struct RecoveredLibrary: Sendable, Equatable {
  /// A feed whose row is lost, and whose images a feed without a real address has now.
  package struct LostFeed: Sendable, Equatable {
    package var id: Int64
    package var images: Int

    package init(id: Int64, images: Int) { (self.id, self.images) = (id, images) }
  }

  /// The lost images of a feed.
  package struct LostImages: Sendable, Equatable {
    /// The title of the feed, or its address.
    package var feed: String
    package var count: Int

    package init(feed: String, count: Int) { (self.feed, self.count) = (feed, count) }
  }

  package var feeds = 0
  package var images = 0
  package var thumbnails = 0
  package var originals = 0
  package var pins = 0
  /// The followed folders of pictures, whose files count as missing until a sync has read them.
  package var folders = 0
  package var lostFeeds: [LostFeed] = []
  package var lostImages: [LostImages] = []
  /// Thumbnails whose rows or packs are lost.
  package var lostThumbnails = 0
  /// Whether the row with the UUID of the library is lost, so that the new library is another one.
  package var isOtherLibrary = false
  /// Pages that should have rows and cannot be read.
  package var damagedPages = 0
  /// Rows that cannot be read, or that are not as they were written.
  package var damagedRows = 0

  package init() {}

  /// Whether anything is known to be lost.
  package var hasLosses: Bool {
    isOtherLibrary
      || damagedPages + damagedRows + lostFeeds.count + lostImages.count + lostThumbnails > 0
  }
}
