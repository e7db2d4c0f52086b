import FoundationEssentials
import GRDB
import Models
package import Workers

/// The SQL about hubs and the subscriptions there.
enum SubscriptionQueries {
  /// The hub that a feed's document names, its topic, and the end of the lease there.
  static let feedColumns = """
    named.hub, named.topic,
    (SELECT max(lease_until) FROM subscription AS own WHERE own.feed_id = feed.id
      AND own.hub = named.hub AND own.topic = named.topic AND own.is_ending = 0
      AND own.lease_until > unixepoch())
    """
  static let feedJoin = "LEFT JOIN feed_hub AS named ON named.feed_id = feed.id"

  private static let columns = """
    feed_id, hub, topic, callback, secret, reach, private_host, is_ending, lease_until, next_at, tries
    """

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

  static func all(_ db: Database) throws -> [Subscription] {
    let sql = "SELECT \(columns) FROM subscription ORDER BY feed_id, path"
    return try db.cachedStatement(sql: sql).rows([], subscription(of:))
  }

  static func subscription(atPath path: String, _ db: Database) throws -> Subscription? {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM subscription WHERE path = ?"
    )
    return try Row.fetchOne(statement, arguments: [path]).flatMap(subscription(of:))
  }

  /// Replaces the subscription at a path; nil deletes it.
  static func set(
    _ subscription: Subscription?,
    atPath path: String,
    _ db: Database
  ) throws {
    try db.execute(sql: "DELETE FROM subscription WHERE path = ?", arguments: [path])
    guard let subscription else { return }
    try db.execute(
      sql: """
        INSERT INTO subscription(path, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        path, subscription.feedID, subscription.hub.text, subscription.topic.text,
        subscription.callback.text, subscription.secret, subscription.reach?.column,
        subscription.reach?.hostColumn, subscription.isEnding,
        subscription.leaseEnd?.storedSeconds, subscription.nextTry.storedSeconds,
        subscription.tries,
      ]
    )
  }

  /// Nil for an invalid address: this program did not write such a row.
  private static func subscription(of row: Row) throws -> Subscription? {
    guard let hub = WebAddress(try row.value(1)), let topic = WebAddress(try row.value(2)),
      let callback = WebAddress(try row.value(3))
    else { return nil }
    var subscription = Subscription(
      feedID: try row.value(0),
      hub: hub,
      topic: topic,
      callback: callback,
      secret: try row.value(4),
      reach: FeedReach(column: try row.value(5), host: try row.value(6)),
      nextTry: Date(storedSeconds: try row.value(9))
    )
    subscription.isEnding = try row.value(7)
    subscription.leaseEnd = (try row.value(8) as Int64?).map(Date.init(storedSeconds:))
    subscription.tries = try row.bounded(10)
    return subscription
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
    try await writing { db in
      var subscription = try SubscriptionQueries.subscription(atPath: path, db)
      let before = subscription
      change(&subscription)
      if subscription != before {
        try SubscriptionQueries.set(subscription, atPath: path, db)
      }
      return subscription
    }
  }
}
