package import FoundationEssentials
import LibraryFiles
package import Models
package import Workers

/// Feeds, and the subscriptions at hubs: a part of `FeedStoring`.
extension DatabaseLibrary {
  package func feed(at address: WebAddress) async throws(StoreError) -> Feed? {
    try await reading { db in try FeedQueries.followed(at: address, db) }
  }

  package func contents(ofFeedAt address: WebAddress) async throws(StoreError) -> FeedContents {
    try await reading { db in try FeedQueries.contents(at: address, db) }
  }

  package func noteSync(
    ofFeedAt address: WebAddress,
    _ note: FeedNote,
    now: Date
  ) async throws(StoreError) -> NotedFeed? {
    try await writing { db in try FeedQueries.take(note, at: address, now: now, db) }
  }

  package func move(
    feed id: Int64,
    toFolder address: WebAddress
  ) async throws(StoreError) -> FolderMoveObstacle? {
    try await changing { db in try AliasQueries.move(feed: id, toFolder: address, db) }
  }

  package func set(_ referer: PictureReferer, ofFeed id: Int64) async throws(StoreError) {
    try await writing { db in try FeedPictureQueries.set(referer, feedID: id, db) }
  }

  package func checkRoom(for bytes: Int) throws(StoreError) { try folder.checkRoom(for: bytes) }

  package func subscriptions() async throws(StoreError) -> [Subscription] {
    try await reading { db in try SubscriptionQueries.all(db) }
  }

  package func subscription(atPath path: String) async throws(StoreError) -> Subscription? {
    try await reading(.short) { db in try SubscriptionQueries.subscription(atPath: path, db) }
  }

  @discardableResult
  package func changeSubscription(
    atPath path: String,
    _ change: @escaping @Sendable (inout Subscription?) -> Void
  ) async throws(StoreError) -> Subscription? {
    try await writing { db in try SubscriptionQueries.change(atPath: path, change, db) }
  }
}
