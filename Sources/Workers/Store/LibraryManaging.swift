package import Models

/// Changes what a user decides of a library: its feeds, its pins, and the folders that syncs export to.
package protocol LibraryManaging: Sendable {
  /// Unsubscribes a feed and hides its images; a later sync of its address brings them back.
  ///
  /// - Parameters:
  ///   - id: The feed.
  ///   - purging: Whether its images, and the files that nothing else refers to, are deleted.
  /// - Returns: What was removed; nil when no such feed is followed.
  /// - Throws: when the library cannot be written.
  func removeFeed(id: Int64, purging: Bool) async throws(StoreError) -> RemovedFeed?

  /// Changes what the user sets of a feed.
  ///
  /// - Returns: The feed as it is now; nil when no such feed is followed.
  /// - Throws: when the library cannot be written.
  func set(_ change: FeedChange, ofFeed id: Int64) async throws(StoreError) -> Feed?

  /// Pins images, or takes their pins away, in one transaction.
  ///
  /// - Returns: Those of the images that followed feeds have.
  /// - Throws: when the library cannot be written.
  func setPinned(_ isPinned: Bool, imageIDs: [Int64]) async throws(StoreError) -> [Int64]

  /// The folders that syncs export to, by path.
  func followedFolders() async throws(StoreError) -> [FollowedFolder]

  /// Adds a folder, or gives it other images and names.
  func follow(_ folder: FollowedFolder) async throws(StoreError)

  /// Forgets a folder, if it is known.
  func unfollow(folderAt path: String) async throws(StoreError)
}

extension LibraryManaging {
  /// Pins an image, or takes the pin away.
  ///
  /// - Returns: Whether a followed feed has the image.
  /// - Throws: when the library cannot be written.
  package func setPinned(_ isPinned: Bool, imageID: Int64) async throws(StoreError) -> Bool {
    try await !setPinned(isPinned, imageIDs: [imageID]).isEmpty
  }
}

/// What the user sets of a feed; nil leaves a setting as it is.
package struct FeedChange: Sendable, Equatable {
  /// One line of plain text that goes before the document's title.
  package var title: FeedSetting<String>?
  /// The seconds between two times at which a program that keeps running asks for the feed.
  package var interval: FeedSetting<Int>?

  /// How many of its newest images are kept.
  package var images: FeedSetting<Int>?
  /// Of how many newest images the originals are kept.
  package var originals: FeedSetting<Int>?

  package init(
    title: FeedSetting<String>? = nil,
    interval: FeedSetting<Int>? = nil,
    images: FeedSetting<Int>? = nil,
    originals: FeedSetting<Int>? = nil
  ) {
    self.title = title
    self.interval = interval
    self.images = images
    self.originals = originals
  }

  /// Gives a feed a title; nil restores the document's.
  package static func title(_ title: String?) -> Self { Self(title: .init(title)) }

  /// Takes the change.
  package func apply(to feed: inout Feed) {
    if let title { feed.givenTitle = title.value }
    if let interval { feed.schedule.givenInterval = interval.value }
    if let images { feed.retention.images = images.value }
    if let originals { feed.retention.originals = originals.value }
  }
}

/// A setting of a feed: a value that the user gives, or the usual one again.
package enum FeedSetting<Value: Sendable & Equatable>: Sendable, Equatable {
  case given(Value)
  case usual

  /// The value; nil stands for the usual one.
  package init(_ value: Value?) { self = value.map(Self.given) ?? .usual }

  /// The value that the user gives; nil for the usual one.
  package var value: Value? { if case .given(let value) = self { value } else { nil } }
}

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
