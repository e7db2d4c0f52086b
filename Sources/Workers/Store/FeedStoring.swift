package import FoundationEssentials
package import Models

/// Stores the results of syncs, and the subscriptions of feeds at hubs.
package protocol FeedStoring: Sendable {
  /// The followed feed with this present or former address; nil when there is none.
  func feed(at address: WebAddress) async throws(StoreError) -> Feed?

  /// The documents and feeds that a feed named when it was last read.
  func contents(ofFeedAt address: WebAddress) async throws(StoreError) -> FeedContents

  /// Records the end of a feed's sync in which no document was read.
  ///
  /// An unknown feed is added only if it has failed and a followed list names it, so that it is listed and can be removed.
  ///
  /// - Returns: The feed as it is stored now; nil when no feed with the address is followed.
  /// - Throws: when the library cannot be written.
  func noteSync(
    ofFeedAt address: WebAddress,
    _ note: FeedNote,
    now: Date
  ) async throws(StoreError) -> NotedFeed?

  /// Gives a feed that is a folder the address of another folder, to which its pictures have moved.
  ///
  /// Its images stay as they are; its sync finds their files by the content. The former address is forgotten, since
  /// another folder may come to be there.
  ///
  /// - Returns: The reason why it was not moved; nil if it was.
  /// - Throws: when the library cannot be written.
  func move(
    feed id: Int64,
    toFolder address: WebAddress
  ) async throws(StoreError) -> FolderMoveObstacle?

  /// Keeps a feed's newest images according to its retention, and removes the others from the library.
  ///
  /// Pinned images stay. If the retention was increased, removed images are restored.
  func keepNewest(ofFeed id: Int64) async throws(StoreError) -> RetiredPictures

  /// Remembers the `Referer` field without which the hosts of a feed's pictures send a sign in their place.
  func set(_ referer: PictureReferer, ofFeed id: Int64) async throws(StoreError)

  /// Checks that the disk has room for more bytes, beyond the reserve that a sync leaves free.
  ///
  /// - Throws: `.reserved` when it does not.
  func checkRoom(for bytes: Int) async throws(StoreError)

  /// Flushes all earlier writes, so that they survive a power cut.
  func flush() async throws(StoreError)

  /// Takes the lock of a feed, known or not, unless another sync holds it; never waits.
  ///
  /// It prevents two syncs of one feed, even in two processes. Reading does not need a lock.
  ///
  /// - Parameters:
  ///   - address: The address under which the feed is or will be stored.
  ///   - now: The start of this sync, which other processes can read.
  /// - Returns: The lock, or its holder.
  /// - Throws: when the library cannot be written.
  func lockFeed(at address: WebAddress, now: Date) async throws(StoreError) -> FeedLockResult

  // Subscriptions of feeds at hubs (WebSub). A subscription outlives its feed until its hub has been asked to end it.

  /// All subscriptions, including those of removed feeds.
  func subscriptions() async throws(StoreError) -> [Subscription]

  /// The subscription with a path; nil if it does not exist.
  func subscription(atPath path: String) async throws(StoreError) -> Subscription?

  /// Changes the subscription with a path atomically, because two requests of a hub may come at the same time.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - change: Changes the subscription in place; nil means that it does not exist.
  /// - Returns: The subscription as it is now.
  /// - Throws: when the library cannot be written.
  @discardableResult
  func changeSubscription(
    atPath path: String,
    _ change: @escaping @Sendable (inout Subscription?) -> Void
  ) async throws(StoreError) -> Subscription?
}

/// The result of an attempt to lock a feed.
package enum FeedLockResult: Sendable {
  case taken(FeedLock)
  /// Another sync holds the lock; nil while its process is not recorded yet.
  case held(by: LockHolder?)
}

/// The right to sync a feed; it ends with the process that holds it, even if that crashes.
package final class FeedLock: Sendable {
  /// Nil once the lock is released.
  private let giveBack: Locked<(@Sendable () -> Void)?>

  package init(givingBack giveBack: @escaping @Sendable () -> Void) {
    self.giveBack = Locked(giveBack)
  }

  deinit { release() }

  /// Releases the lock; deinitialising the object does the same.
  package func release() {
    let giveBack = giveBack.withLock { giveBack in
      defer { giveBack = nil }
      return giveBack
    }
    giveBack?()
  }
}

/// The process that is syncing a feed.
package struct LockHolder: Sendable, Equatable {
  /// The id of the process.
  package var process: Int
  /// The start of its sync.
  package var since: Date

  package init(process: Int, since: Date) {
    self.process = process
    self.since = since
  }
}

/// The images that a retention has removed from the library (`FeedRetention`).
package struct RetiredPictures: Sendable, Equatable {
  package var images = 0
  /// The images that have lost only their originals.
  package var originals = 0

  package init(images: Int = 0, originals: Int = 0) {
    self.images = images
    self.originals = originals
  }
}
