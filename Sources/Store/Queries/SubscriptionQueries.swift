import Models
package import Workers

/// The SQL about subscriptions at hubs.
package enum SubscriptionQueries {
  private static let columns = """
    feed_id, hub, topic, callback, secret, reach, private_host, is_ending, lease_until, next_at, tries
    """

  package static func all(_ db: Connection) throws -> [Subscription] {
    try db.rows("SELECT \(columns) FROM subscription ORDER BY feed_id, path") { row in
      try Subscription(row)
    }
  }

  package static func subscription(
    atPath path: String,
    _ db: Connection
  ) throws -> Subscription? {
    try db.row("SELECT \(columns) FROM subscription WHERE path = $1", path) { row in
      try Subscription(row)
    }
  }

  /// Changes the subscription at a path, adds or deletes it; returns the new one.
  package static func change(
    atPath path: String,
    _ change: (inout Subscription?) -> Void,
    _ db: Connection
  ) throws -> Subscription? {
    if case .postgres = db.dialect {
      // A missing subscription has no row to lock, so its path is locked instead.
      try db.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", path)
    }
    var subscription = try subscription(atPath: path, db)
    let before = subscription
    change(&subscription)
    if subscription != before { try set(subscription, atPath: path, db) }
    return subscription
  }

  private static func set(
    _ subscription: Subscription?,
    atPath path: String,
    _ db: Connection
  ) throws {
    try db.run("DELETE FROM subscription WHERE path = $1", path)
    guard let subscription else { return }
    try db.run(
      """
      INSERT INTO subscription(path, \(columns))
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      """,
      path,
      subscription.feedID,
      subscription.hub.text,
      subscription.topic.text,
      subscription.callback.text,
      subscription.secret,
      subscription.reach?.column,
      subscription.reach?.hostColumn,
      subscription.isEnding,
      subscription.leaseEnd?.storedSeconds,
      subscription.nextTry.storedSeconds,
      subscription.tries
    )
  }
}

extension Subscription {
  /// Nil for an invalid address, which this program never writes.
  fileprivate init?(_ row: Row) throws {
    guard let hub = try row.address(1), let topic = try row.address(2),
      let callback = try row.address(3), let nextTry = try row.date(9)
    else { return nil }
    self.init(
      feedID: try row.value(0),
      hub: hub,
      topic: topic,
      callback: callback,
      secret: try row.value(4),
      reach: FeedReach(column: try row.value(5), host: try row.value(6)),
      nextTry: nextTry
    )
    isEnding = try row.value(7)
    leaseEnd = try row.date(8)
    tries = try row.value(10)
  }
}
