import FoundationEssentials
import Models
import Store
import Workers

/// The SQL about the addresses that feeds had before.
enum AliasQueries {
  /// The former addresses of every feed, by its id.
  static func all(_ db: Database) throws -> [Int64: [WebAddress]] {
    let sql = "SELECT feed_id, address FROM feed_alias ORDER BY feed_id, address"
    var aliases: [Int64: [WebAddress]] = [:]
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      guard let address = try WebAddress(row.value(1)) else { continue }
      try aliases[row.value(0), default: []].append(address)
    }
    return aliases
  }

  static func aliases(feedID: Int64, _ db: Database) throws -> [WebAddress] {
    let sql = "SELECT address FROM feed_alias WHERE feed_id = ? ORDER BY address"
    let statement = try db.cachedStatement(sql: sql)
    return try statement.rows([feedID]) { row in try WebAddress(row.value(0)) }
  }

  /// Takes what a feed's sync says of its address, in the transaction that ends it.
  static func move(
    _ feed: inout Feed,
    askedAt asked: WebAddress,
    to target: WebAddress?,
    _ db: Database
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
  static func move(_ feed: inout Feed, to address: WebAddress, _ db: Database) throws {
    if let id = try FeedQueries.id(at: address, db), id != feed.id { return }
    try setAddress(address, ofFeed: feed.id, db)
    feed.address = address
  }

  /// Gives a feed another address, maybe one that it had before, and keeps the one it has as alias,
  /// unless both are spellings of one.
  private static func setAddress(
    _ address: WebAddress,
    ofFeed id: Int64,
    _ db: Database
  ) throws {
    try RowSeal.feed.change(id, db) {
      try db.run("DELETE FROM feed_alias WHERE identity = $1", address.identity)
      let alias = """
        INSERT INTO feed_alias(identity, address, feed_id)
        SELECT identity, address, id FROM feed WHERE id = $1 AND identity <> $2
        """
      try db.run(alias, id, address.identity)
      let update = """
        UPDATE feed SET address = $1, identity = $2, change_seq = \(ChangeLog.next) WHERE id = $3
        """
      try db.run(update, address.text, address.identity, id)
    }
  }
}
