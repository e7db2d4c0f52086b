import FoundationEssentials
import GRDB
import Models

/// The SQL about feeds.
enum FeedQueries {
  private static let columns = """
    id, address, title, format, image_count, document_image_count, synced_at, status, problem,
    etag, last_modified, is_whole
    """

  static func followed(_ db: Database) throws -> [Feed] {
    let sql = "SELECT \(columns) FROM feed WHERE is_removed = 0 ORDER BY id"
    return try Array(Row.fetchCursor(db, sql: sql).compactMap(feed))
  }

  static func followed(at address: WebAddress, _ db: Database) throws -> Feed? {
    let sql = "SELECT \(columns) FROM feed WHERE address = ? AND is_removed = 0"
    return try Row.fetchOne(db, sql: sql, arguments: [address.text]).flatMap(feed)
  }

  static func feed(id: Int64, _ db: Database) throws -> Feed? {
    let sql = "SELECT \(columns) FROM feed WHERE id = ?"
    return try Row.fetchOne(db, sql: sql, arguments: [id]).flatMap(feed)
  }

  static func id(at address: WebAddress, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT id FROM feed WHERE address = ?", arguments: [address.text])
  }

  static func isRemoved(id: Int64, _ db: Database) throws -> Bool? {
    try Bool.fetchOne(db, sql: "SELECT is_removed FROM feed WHERE id = ?", arguments: [id])
  }

  static func insert(address: WebAddress, now: Date, _ db: Database) throws -> Int64 {
    let sql = "INSERT INTO feed(address, added_at) VALUES (?, ?)"
    try db.execute(sql: sql, arguments: [address.text, now.storedSeconds])
    return db.lastInsertedRowID
  }

  /// Removes a feed, or takes it up again.
  ///
  /// The validators go in either case: a 304 must never stand for what is only half stored or half
  /// hidden.
  static func setRemoved(_ isRemoved: Bool, id: Int64, _ db: Database) throws {
    let sql = "UPDATE feed SET is_removed = ?, etag = NULL, last_modified = NULL WHERE id = ?"
    try db.execute(sql: sql, arguments: [isRemoved, id])
  }

  static func addImages(_ count: Int, id: Int64, _ db: Database) throws {
    let sql = "UPDATE feed SET image_count = image_count + ? WHERE id = ?"
    try db.execute(sql: sql, arguments: [count, id])
  }

  /// Takes what the end of a document says of its feed.
  static func update(_ feed: Feed, _ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE feed SET title = ?, format = ?, document_image_count = ?, synced_at = ?,
          status = ?, problem = ?, etag = ?, last_modified = ?, is_whole = ? WHERE id = ?
        """,
      arguments: [
        feed.title, feed.format?.rawValue, feed.documentImageCount, feed.lastSync?.storedSeconds,
        feed.status?.rawValue, feed.problem, feed.validators.entityTag,
        feed.validators.lastModified, feed.isWhole, feed.id,
      ]
    )
  }

  /// Notes how a sync ended without the end of a document; nil when no such feed is followed.
  static func note(
    _ outcome: SyncOutcome,
    at address: WebAddress,
    now: Date,
    _ db: Database
  ) throws -> Feed? {
    guard var feed = try followed(at: address, db) else { return nil }
    feed.status = outcome.status
    feed.problem = outcome.problem
    if outcome.status != .failed { feed.lastSync = Date(storedSeconds: now.storedSeconds) }
    if let validators = outcome.validators { feed.validators = validators }
    if outcome.isBroken { feed.isWhole = false }
    try update(feed, db)
    return feed
  }

  /// Nil for an address that is none: such a row was not written by this program.
  private static func feed(_ row: Row) -> Feed? {
    guard let address = WebAddress(row[1]) else { return nil }
    return Feed(
      id: row[0],
      address: address,
      title: row[2],
      format: (row[3] as String?).flatMap(FeedFormat.init(rawValue:)),
      imageCount: row[4],
      documentImageCount: row[5],
      isWhole: row[11],
      lastSync: (row[6] as Int64?).map(Date.init(storedSeconds:)),
      status: (row[7] as String?).flatMap(Feed.Status.init(rawValue:)),
      problem: row[8],
      validators: Validators(entityTag: row[9], lastModified: row[10])
    )
  }
}
