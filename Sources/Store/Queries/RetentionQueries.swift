package import Models
import Workers

/// The SQL that keeps the newest images of a feed, and retires the others.
///
/// A retired image has no pictures and is in no listing. Its row stays, so that a sync recognises the image.
package enum RetentionQueries {
  /// The retention of a feed, and whether the feed has retired images.
  package static func retention(
    feedID: Int64,
    _ db: Connection
  ) throws -> (retention: FeedRetention, hasRetired: Bool) {
    let sql = """
      SELECT \(FeedPart.retention.selected(db.dialect)),
        EXISTS (SELECT 1 FROM image WHERE feed_id = $1 AND is_hidden = 2)
      FROM \(FeedPart.tables(of: [.retention], db.dialect)) WHERE id = $1
      """
    let found = try db.row(sql, feedID) { row in
      try (FeedRetention(images: row.value(0), originals: row.value(1)), row.value(2) as Bool)
    }
    return found ?? (FeedRetention(), false)
  }

  /// The images older than the newest ones, except for pinned images.
  package static func beyond(
    _ newest: Int,
    feedID: Int64,
    limit: Int,
    _ db: Connection
  ) throws -> [Int64] {
    try db.column(beyondSQL("", db.dialect), feedID, newest, limit)
  }

  /// The images older than the newest ones that have an original in the library, except for pinned images.
  package static func originalsBeyond(
    _ newest: Int,
    feedID: Int64,
    limit: Int,
    _ db: Connection
  ) throws -> [Int64] {
    let isElsewhere = try FolderQueries.isElsewhere("old.id", db)
    let hasOriginal =
      " AND original_state <> \(OriginalState.missing.rawValue) AND \(isElsewhere)"
    return try db.column(beyondSQL(hasOriginal, db.dialect), feedID, newest, limit)
  }

  private static func beyondSQL(_ condition: String, _ dialect: Dialect) -> String {
    // SQLite has no OFFSET without a LIMIT.
    """
    SELECT id FROM (
      SELECT id, original_state FROM image \(dialect.hint("image_feed_newest"))
      WHERE feed_id = $1 AND is_hidden = 0
      ORDER BY date DESC, position, id LIMIT \(Int32.max) OFFSET $2
    ) AS old WHERE NOT EXISTS (SELECT 1 FROM pin WHERE image_id = old.id)\(condition) LIMIT $3
    """
  }

  /// Retires images that have been untied from their originals.
  package static func retire(_ ids: [Int64], feedID: Int64, _ db: Connection) throws {
    if ids.isEmpty { return }
    try db.run("DELETE FROM thumbnail WHERE image_id \(db.dialect.ids(1))", ids)
    try SuccessorQueries.forget(ids, .thumbnail, db)
    try SuccessorQueries.forgetFormer(ofImages: ids, db)
    let sql = """
      UPDATE image SET is_hidden = 2, thumbnail_format = NULL, thumbnail_bytes = NULL,
        thumbnail_width = NULL, thumbnail_height = NULL, thumbnail_sha256 = NULL, colours = NULL,
        thumbnail_check_at = NULL, thumbnail_state = \(FailureQueries.missingState)
      WHERE \(RemovalQueries.isOfFeed(db.dialect))
      """
    try db.run(sql, ids, feedID)
    try ChangeLog.buryAgain(.image, ids, db)
    try FeedImageCount.add(-ids.count, toFeed: feedID, db)
  }

  /// Brings the newest retired images back; returns how many.
  package static func revive(feedID: Int64, limit: Int, _ db: Connection) throws -> Int {
    let sql = """
      SELECT id FROM image \(db.dialect.hint("image_retired"))
      WHERE feed_id = $1 AND is_hidden = 2 ORDER BY date DESC, position LIMIT $2
      """
    let ids: [Int64] = try db.column(sql, feedID, limit)
    try RemovalQueries.show(ids, feedID: feedID, db)
    try FeedImageCount.add(ids.count, toFeed: feedID, db)
    return ids.count
  }
}
