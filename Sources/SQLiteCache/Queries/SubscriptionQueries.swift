import FoundationEssentials
import Models
import Store
package import Workers

/// The SQL about hubs and the subscriptions there.
enum HubQueries {
  /// The hub that a feed's document names, its topic, and the end of the lease there.
  static let feedColumns = """
    named.hub, named.topic,
    (SELECT max(lease_until) FROM subscription AS own WHERE own.feed_id = feed.id
      AND own.hub = named.hub AND own.topic = named.topic AND own.is_ending = 0
      AND own.lease_until > unixepoch())
    """
  static let feedJoin = "LEFT JOIN feed_hub AS named ON named.feed_id = feed.id"

  /// Reads `feedColumns` from a row, beginning at an index.
  static func read(_ row: Row, at index: Int, into feed: inout Feed) throws {
    feed.push = PushLinks(
      hubs: [(try row.value(index) as String?).flatMap(WebAddress.init)].compactMap(\.self),
      topic: (try row.value(index + 1) as String?).flatMap(WebAddress.init)
    )
    feed.leaseEnd = (try row.value(index + 2) as Int64?).map(Date.init(storedSeconds:))
  }

  /// Stores the hub and the topic that a document names, or deletes them.
  static func write(_ push: PushLinks, ofFeed id: Int64, _ db: Database) throws {
    guard let hub = push.hub, let topic = push.topic else {
      let sql = "DELETE FROM feed_hub WHERE feed_id = ?"
      return try db.cachedStatement(sql: sql).execute(arguments: [id])
    }
    let sql = """
      INSERT INTO feed_hub(feed_id, hub, topic) VALUES (?, ?, ?)
      ON CONFLICT(feed_id) DO UPDATE SET hub = excluded.hub, topic = excluded.topic
        WHERE (hub, topic) IS NOT (excluded.hub, excluded.topic)
      """
    try db.cachedStatement(sql: sql).execute(arguments: [id, hub.text, topic.text])
  }
}

extension SQLiteLibrary {
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
