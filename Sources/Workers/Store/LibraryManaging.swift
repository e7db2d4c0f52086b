package import Models

/// Changes the user's choices for a library: its feeds, its pins, and the folders to which syncs export.
package protocol LibraryManaging: Sendable {
  /// Unsubscribes from a feed and hides its images; a later sync of its address restores them.
  ///
  /// - Parameters:
  ///   - id: The feed.
  ///   - purging: Whether its images, and the files that nothing else refers to, are deleted.
  /// - Returns: The numbers of removed images and files; nil when the feed is not followed.
  /// - Throws: when the library cannot be written.
  func removeFeed(id: Int64, purging: Bool) async throws(StoreError) -> RemovedFeed?

  /// Changes the user's settings of a feed.
  ///
  /// - Returns: The feed as it is now; nil when it is not followed.
  /// - Throws: when the library cannot be written.
  func set(_ change: FeedChange, ofFeed id: Int64) async throws(StoreError) -> Feed?

  /// The reason why a feed that is a folder cannot get the address of another folder; nil if it can.
  func obstacle(
    toMoving id: Int64,
    toFolder address: WebAddress
  ) async throws(StoreError) -> FolderMoveObstacle?

  /// Pins or unpins images in one transaction.
  ///
  /// - Returns: The given images that belong to followed feeds.
  /// - Throws: when the library is missing or cannot be written.
  func setPinned(_ isPinned: Bool, imageIDs: [Int64]) async throws(StoreError) -> [Int64]

  /// Puts the newer pictures that are kept beside an image's stored ones in their places, also for a pinned image.
  ///
  /// - Returns: Whether there was any.
  /// - Throws: when the library cannot be written; then a later call continues.
  func takeNewer(imageID: Int64) async throws(StoreError) -> Bool

  /// The folders to which syncs export, by path.
  func followedFolders() async throws(StoreError) -> [FollowedFolder]

  /// Adds a folder, or changes its query and its template.
  func follow(_ folder: FollowedFolder) async throws(StoreError)

  /// Forgets a folder, if it is known.
  func unfollow(folderAt path: String) async throws(StoreError)
}

extension LibraryManaging {
  /// Pins or unpins an image.
  ///
  /// - Returns: Whether a followed feed has the image.
  /// - Throws: when the library cannot be written.
  package func setPinned(_ isPinned: Bool, imageID: Int64) async throws(StoreError) -> Bool {
    try await !setPinned(isPinned, imageIDs: [imageID]).isEmpty
  }
}

/// Changes of the user's settings of a feed; nil leaves a setting unchanged.
package struct FeedChange: Sendable, Equatable {
  /// A title that overrides the document's title: one line of plain text.
  package var title: FeedSetting<String>?
  /// The seconds between two requests for the feed by a program that keeps running.
  package var interval: FeedSetting<Int>?

  /// The number of its newest images that are kept.
  package var images: FeedSetting<Int>?
  /// The number of its newest images whose originals are kept.
  package var originals: FeedSetting<Int>?
  /// The pictures of its entries that are images.
  package var imageChoice: FeedSetting<ImageChoice>?

  package init(
    title: FeedSetting<String>? = nil,
    interval: FeedSetting<Int>? = nil,
    images: FeedSetting<Int>? = nil,
    originals: FeedSetting<Int>? = nil,
    imageChoice: FeedSetting<ImageChoice>? = nil
  ) {
    self.title = title
    self.interval = interval
    self.images = images
    self.originals = originals
    self.imageChoice = imageChoice
  }

  /// Gives a feed a title; nil restores the document's.
  package static func title(_ title: String?) -> Self { Self(title: .init(title)) }

  /// Applies the change to a feed.
  package func apply(to feed: inout Feed) {
    if let title { feed.givenTitle = title.value }
    if let interval { feed.schedule.givenInterval = interval.value }
    if let images { feed.retention.images = images.value }
    if let originals { feed.retention.originals = originals.value }
    if let imageChoice { feed.choose(imageChoice.value ?? .all) }
  }
}

extension Feed {
  /// Chooses the pictures that are images; another choice needs the whole document, so it is requested again.
  fileprivate mutating func choose(_ choice: ImageChoice) {
    if choice == imageChoice { return }
    imageChoice = choice
    (validators, nextSync) = (Validators(), nil)
  }
}

/// A setting of a feed: the user's value, or a reset to the default.
package enum FeedSetting<Value: Sendable & Equatable>: Sendable, Equatable {
  case given(Value)
  case usual

  /// Makes a setting of a value; nil for the default.
  package init(_ value: Value?) { self = value.map(Self.given) ?? .usual }

  /// The user's value; nil for the default.
  package var value: Value? { if case .given(let value) = self { value } else { nil } }
}

/// The reason why a feed cannot get another folder.
package enum FolderMoveObstacle: Sendable, Equatable {
  case notFollowed
  /// Another feed has the address; a removed one still has images.
  case taken(feedID: Int64, isRemoved: Bool)
}

/// The result of removing a feed.
package struct RemovedFeed: Sendable, Equatable {
  package var feed: Feed
  /// Images that were hidden or deleted.
  package var images: Int
  /// Originals' files that were deleted.
  package var originals: Int

  package init(feed: Feed, images: Int, originals: Int) {
    self.feed = feed
    self.images = images
    self.originals = originals
  }
}

/// The settings of a feed in the user's configuration file.
package struct ConfiguredFeed: Sendable, Equatable {
  package var feed: FeedArgument
  /// The change that is applied whenever feeds are synced.
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
