package import Models
package import Workers

/// The SQL about the addresses that feeds have, and had before.
package enum AliasQueries {
  /// Applies the address that a feed's sync has found, in the transaction that ends the sync.
  package static func move(
    _ feed: inout Feed,
    askedAt asked: WebAddress,
    to target: WebAddress?,
    _ db: Connection
  ) throws -> FeedMove? {
    let id = feed.id
    return try feed.move(
      askedAt: asked,
      to: target,
      owner: { try FeedQueries.id(at: $0, db) },
      store: { try setAddress($0, ofFeed: id, db) }
    )
  }

  /// Gives a feed the address that its gallery has for it, unless another feed has that address.
  static func move(_ feed: inout Feed, to address: WebAddress, _ db: Connection) throws {
    if let id = try FeedQueries.id(at: address, db), id != feed.id { return }
    try setAddress(address, ofFeed: feed.id, db)
    feed.address = address
  }

  /// Gives the feed of a folder another folder, and forgets the former one, since another folder may come to be there.
  package static func move(
    feed id: Int64,
    toFolder address: WebAddress,
    _ db: Connection
  ) throws -> FolderMoveObstacle? {
    let obstacle = try obstacle(toMoving: id, toFolder: address, db)
    if obstacle == nil { try replace(address, ofFeed: id, db) }
    return obstacle
  }

  /// The reason why a feed cannot get the address of another folder; nil if it can.
  package static func obstacle(
    toMoving id: Int64,
    toFolder address: WebAddress,
    _ db: Connection
  ) throws -> FolderMoveObstacle? {
    guard try FeedQueries.isRemoved(id: id, db) == false else { return .notFollowed }
    guard let (other, isRemoved) = try FeedQueries.state(at: address, db), other != id else {
      return nil
    }
    return .taken(feedID: other, isRemoved: isRemoved)
  }

  /// Gives a feed another address, which no other feed has, and forgets the present one.
  static func replace(_ address: WebAddress, ofFeed id: Int64, _ db: Connection) throws {
    let sql = "SELECT identity FROM feed WHERE id = $1"
    let former: String? = try db.value(sql, id)
    try setAddress(address, ofFeed: id, db)
    guard let former, former != address.identity else { return }
    try RowSeal.feed.change(id, db) {
      try db.run("DELETE FROM feed_alias WHERE feed_id = $1 AND identity = $2", id, former)
    }
  }

  /// Gives a feed another address, maybe one that it had before.
  ///
  /// The present address becomes an alias, unless both are spellings of one.
  private static func setAddress(
    _ address: WebAddress,
    ofFeed id: Int64,
    _ db: Connection
  ) throws {
    try RowSeal.feed.change(id, db) {
      try db.run("DELETE FROM feed_alias WHERE identity = $1", address.identity)
      let alias = """
        INSERT INTO feed_alias(identity, address, feed_id)
        SELECT identity, address, id FROM feed WHERE id = $1 AND identity <> $2
        """
      try db.run(alias, id, address.identity)
      let update = """
        UPDATE feed SET address = $1, identity = $2, change_seq = \(db.dialect.nextChange)
        WHERE id = $3
        """
      try db.run(update, address.text, address.identity, id)
    }
  }
}
