import GRDB
import Models
import Store
import Workers

/// The SQL that keeps the newest images of a feed, and retires the others.
///
/// A retired image has no pictures and is in no listing. Its row stays, so that a sync recognises the image.
enum RetentionQueries {
  static func set(_ retention: FeedRetention, feedID: Int64, _ db: Database) throws {
    let sql = "INSERT OR REPLACE INTO feed_retention(feed_id, images, originals) VALUES (?, ?, ?)"
    try db.execute(sql: sql, arguments: [feedID, retention.images, retention.originals])
  }

  static func retention(feedID: Int64, _ db: Database) throws -> FeedRetention {
    let sql = "SELECT images, originals FROM feed_retention WHERE feed_id = ?"
    return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [feedID]).map { row in
      try FeedRetention(images: row.value(0), originals: row.value(1))
    } ?? FeedRetention()
  }

  /// The images older than the newest ones, except for pinned images.
  static func beyond(_ newest: Int, feedID: Int64, limit: Int, _ db: Database) throws -> [Int64] {
    let sql = """
      SELECT id FROM (
        SELECT id FROM image INDEXED BY image_feed_newest
        WHERE feed_id = ? AND is_hidden = 0 ORDER BY date DESC, position LIMIT -1 OFFSET ?
      ) WHERE id NOT IN (SELECT image_id FROM pin) LIMIT ?
      """
    return try Int64.fetchAll(db, sql: sql, arguments: [feedID, newest, limit])
  }

  /// The images older than the newest ones that have an original, except for pinned images.
  static func originalsBeyond(
    _ newest: Int,
    feedID: Int64,
    limit: Int,
    _ db: Database
  ) throws -> [Int64] {
    let sql = """
      SELECT id FROM (
        SELECT id, original_state FROM image INDEXED BY image_feed_newest
        WHERE feed_id = ? AND is_hidden = 0 ORDER BY date DESC, position LIMIT -1 OFFSET ?
      ) WHERE original_state <> \(OriginalState.missing.rawValue)
        AND id NOT IN (SELECT image_id FROM pin) LIMIT ?
      """
    return try Int64.fetchAll(db, sql: sql, arguments: [feedID, newest, limit])
  }

  /// Retires images; returns the originals that they had.
  static func retire(_ ids: [Int64], feedID: Int64, _ db: Database) throws -> [Int64] {
    let originals = try BoundQueries.untie(images: ids, db)
    for sql in [
      "DELETE FROM thumbnail WHERE image_id IN (SELECT value FROM json_each(?))",
      """
      UPDATE image SET is_hidden = 2, thumbnail_format = NULL, thumbnail_bytes = NULL,
        thumbnail_width = NULL, thumbnail_height = NULL, thumbnail_sha256 = NULL, colours = NULL,
        thumbnail_check_at = NULL, thumbnail_state = iif(
          thumbnail_address IS NULL, \(ThumbnailState.unmade.rawValue), \(ThumbnailState.wanted.rawValue)
        )
      WHERE id IN (SELECT value FROM json_each(?))
      """,
      """
      INSERT OR REPLACE INTO tombstone(type, id, change_seq, removed_at)
      SELECT \(ChangedKind.image.rawValue), value, \(ChangeLog.next), unixepoch() FROM json_each(?)
      """,
    ] { try db.execute(sql: sql, arguments: [RemovalQueries.list(ids)]) }
    try FeedQueries.addImages(-ids.count, id: feedID, db)
    return originals
  }

  /// Brings the newest retired images back; returns how many.
  static func revive(feedID: Int64, limit: Int, _ db: Database) throws -> Int {
    let sql = """
      SELECT id FROM image INDEXED BY image_retired WHERE feed_id = ? AND is_hidden = 2
      ORDER BY date DESC, position LIMIT ?
      """
    let ids = try Int64.fetchAll(db, sql: sql, arguments: [feedID, limit])
    if ids.isEmpty { return 0 }
    try RemovalQueries.show(ids, db)
    try FeedQueries.addImages(ids.count, id: feedID, db)
    return ids.count
  }

  static func hasRetired(feedID: Int64, _ db: Database) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM image WHERE feed_id = ? AND is_hidden = 2)"
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [feedID]) ?? false
  }

  static func imageCount(feedID: Int64, _ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT image_count FROM feed WHERE id = ?", arguments: [feedID]) ?? 0
  }
}
