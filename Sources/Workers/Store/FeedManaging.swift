package import FoundationEssentials
package import Models

/// Changes which feeds are followed, and what the user sets of them.
package protocol FeedManaging: Sendable {
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

/// Keeps two syncs of one feed apart, whichever processes they are in.
///
/// Reading never needs a lock.
package protocol FeedLocking: Sendable {
  /// Takes the lock of a feed, known or not, unless another sync has it; never waits.
  ///
  /// - Parameters:
  ///   - address: The address that the feed is stored under, or is to be.
  ///   - now: When this sync begins; others can read it.
  /// - Returns: The lock, or its holder.
  /// - Throws: when the library cannot be written.
  func lockFeed(at address: WebAddress, now: Date) async throws(StoreError) -> FeedLockResult
}

/// What came of trying to lock a feed.
package enum FeedLockResult: Sendable {
  case taken(any FeedLock)
  /// Another has it; nil while it has not said yet who it is.
  case held(by: LockHolder?)
}

/// The right to sync a feed; it ends with the process that has it, however that ends.
package protocol FeedLock: AnyObject, Sendable {
  /// Gives it back; letting go of it does the same.
  func release()
}

/// Who is syncing a feed.
package struct LockHolder: Sendable, Equatable {
  /// The id of the process.
  package var process: Int
  /// When it began.
  package var since: Date

  package init(process: Int, since: Date) {
    self.process = process
    self.since = since
  }
}
