import Models
import Store
import Workers

/// The SQL that hides, shows, retires and deletes images.
enum RemovalQueries {
  private static let retired = 2

  /// The SQL that leaves tombstones for the images whose ids a table has.
  private static func tombstones(of images: String) -> String {
    """
    INSERT INTO tombstone(type, id, change_seq, removed_at)
    SELECT \(ChangedKind.image.rawValue), id, (SELECT next_change()), now_seconds() FROM \(images)
    ON CONFLICT (type, id)
    """
  }

  private static let renewed =
    "DO UPDATE SET change_seq = excluded.change_seq, removed_at = excluded.removed_at"

  /// Hides the images of a feed that is removed.
  static func hide(feedID: Int64, _ db: Connection) throws {
    let sql = """
      WITH hidden AS (
        UPDATE image SET is_hidden = 1 WHERE feed_id = $1 AND is_hidden = 0 RETURNING id
      )
      \(tombstones(of: "hidden")) \(renewed)
      """
    try db.rows(sql, feedID)
  }

  /// Shows the images of a feed that is followed again, except retired ones.
  static func show(feedID: Int64, _ db: Connection) throws {
    let hidden = "SELECT id FROM image WHERE feed_id = $1 AND is_hidden = 1"
    try show(db.column(hidden, feedID), feedID: feedID, db)
  }

  private static func show(_ ids: [Int64], feedID: Int64, _ db: Connection) throws {
    if ids.isEmpty { return }
    let images = """
      UPDATE image SET is_hidden = 0, change_seq = (SELECT next_change())
      WHERE feed_id = $1 AND id = ANY($2::bigint[])
      """
    try db.rows(images, feedID, ids)
    let pins = """
      UPDATE pin SET change_seq = (SELECT next_change()) WHERE image_id = ANY($1::bigint[])
      """
    try db.rows(pins, ids)
    let tombstones = "DELETE FROM tombstone WHERE type = $1 AND id = ANY($2::bigint[])"
    try db.rows(tombstones, ChangedKind.image.rawValue, ids)
  }

  static func imageCount(feedID: Int64, _ db: Connection) throws -> Int {
    let sql = "SELECT count(*) FROM image WHERE feed_id = $1 AND is_hidden <> \(retired)"
    return try db.value(sql, feedID) ?? 0
  }

  /// Deletes a removed feed, its images, and all rows that refer to them.
  static func purge(feedID: Int64, _ db: Connection) throws {
    let images = "SELECT id FROM image WHERE feed_id = $1"
    try db.rows("\(tombstones(of: "image WHERE feed_id = $1")) DO NOTHING", feedID)
    let pins = "DELETE FROM tombstone WHERE type = $2 AND id IN (\(images))"
    try db.rows(pins, feedID, ChangedKind.pin.rawValue)
    for table in imageTables {
      try db.rows("DELETE FROM \(table) WHERE image_id IN (\(images))", feedID)
    }
    try db.rows("DELETE FROM image WHERE feed_id = $1", feedID)
    try db.rows("DELETE FROM mirror_feed WHERE feed_id = $1", feedID)
    try deleteFeed(id: feedID, db)
  }

  /// Deletes a feed without images; for a gallery, also the rows of its mirror.
  static func deleteFeed(id: Int64, _ db: Connection) throws {
    for table in ["mirror_feed", "mirror_image", "mirror_thumbnail"] {
      try db.rows("DELETE FROM \(table) WHERE mirror_id = $1", id)
    }
    for table in ["mirror", "mirror_key"] {
      try db.rows("DELETE FROM \(table) WHERE feed_id = $1", id)
    }
    try db.rows("DELETE FROM feed WHERE id = $1", id)
  }

  /// Deletes an image and all rows that refer to it.
  static func delete(imageID id: Int64, _ db: Connection) throws {
    let deletion = "DELETE FROM image WHERE id = $1 RETURNING feed_id"
    guard let feedID: Int64 = try db.value(deletion, id) else { return }
    for table in imageTables { try db.rows("DELETE FROM \(table) WHERE image_id = $1", id) }
    try ChangeLog.bury(.image, id, db)
    try ChangeLog.raise(.pin, id, db)
    try FeedQueries.addImages(-1, id: feedID, db)
  }

  /// The tables whose rows refer to images.
  private static let imageTables = [
    "pin", "thumbnail", "image_original", "damage", "picture_failure", "member_image",
    "mirror_image", "mirror_thumbnail",
  ]

  /// The columns of an original's row that name its file.
  typealias File = (sha256: String, format: String)

  /// Deletes the originals that no image refers to, and returns their files.
  static func deleteUnreferred(_ db: Connection) throws -> [File] {
    let sql = """
      DELETE FROM original WHERE NOT EXISTS (
        SELECT 1 FROM image_original WHERE original_id = original.id
      ) RETURNING sha256, format
      """
    return try db.rows(sql).map { row in try (row.value(0), row.value(1)) }
  }

  // MARK: Retention

  /// The retention of a feed, and whether the feed has retired images.
  static func retention(
    feedID: Int64,
    _ db: Connection
  ) throws -> (retention: FeedRetention, hasRetired: Bool) {
    let sql = """
      SELECT kept_images, kept_originals, EXISTS (
          SELECT 1 FROM image WHERE feed_id = $1 AND is_hidden = \(retired)
        )
      FROM feed WHERE id = $1
      """
    guard let row = try db.rows(sql, feedID).first else { return (FeedRetention(), false) }
    return try (FeedRetention(images: row.value(0), originals: row.value(1)), row.value(2))
  }

  /// Retires the images behind the newest ones, except pinned ones, and returns their number.
  ///
  /// Their rows stay, so that a sync recognises them.
  static func retire(behind newest: Int, feedID: Int64, _ db: Connection) throws -> Int {
    let ids = try images(behind: newest, feedID: feedID, "", db)
    if ids.isEmpty { return 0 }
    try db.rows("DELETE FROM thumbnail WHERE image_id = ANY($1::bigint[])", ids)
    try untie(ids, db)
    let sql = """
      UPDATE image SET is_hidden = \(retired), thumbnail_format = NULL, thumbnail_bytes = NULL,
        thumbnail_width = NULL, thumbnail_height = NULL, thumbnail_sha256 = NULL, colours = NULL,
        thumbnail_check_at = NULL, original_state = 0, original_check_at = NULL,
        thumbnail_state = CASE WHEN thumbnail_address IS NULL THEN 0 ELSE 2 END
      WHERE feed_id = $2 AND id = ANY($1::bigint[])
      """
    try db.rows(sql, ids, feedID)
    try db.rows("\(tombstones(of: "unnest($1::bigint[]) AS id")) \(renewed)", ids)
    try FeedQueries.addImages(-ids.count, id: feedID, db)
    return ids.count
  }

  /// Brings back the newest retired images, at most so many, or all.
  static func revive(feedID: Int64, atMost limit: Int?, _ db: Connection) throws {
    let sql = """
      SELECT id FROM image WHERE feed_id = $1 AND is_hidden = \(retired)
      ORDER BY date DESC, position LIMIT $2::bigint
      """
    let ids: [Int64] = try db.column(sql, feedID, limit.map { max($0, 0) })
    try show(ids, feedID: feedID, db)
    try FeedQueries.addImages(ids.count, id: feedID, db)
  }

  /// Unties the originals of images behind the newest ones, except pinned ones, and returns their number.
  static func untie(behind newest: Int, feedID: Int64, _ db: Connection) throws -> Int {
    let ids = try images(behind: newest, feedID: feedID, " AND original_state <> 0", db)
    if ids.isEmpty { return 0 }
    try untie(ids, db)
    let sql = """
      UPDATE image SET original_state = 0, original_check_at = NULL,
        change_seq = (SELECT next_change())
      WHERE feed_id = $2 AND id = ANY($1::bigint[])
      """
    try db.rows(sql, ids, feedID)
    return ids.count
  }

  /// Deletes the rows of images' originals, and of their damage.
  private static func untie(_ ids: [Int64], _ db: Connection) throws {
    try db.rows("DELETE FROM image_original WHERE image_id = ANY($1::bigint[])", ids)
    let damage = "DELETE FROM damage WHERE image_id = ANY($1::bigint[]) AND kind = $2"
    try db.rows(damage, ids, PictureKind.original.rawValue)
  }

  private static func images(
    behind newest: Int,
    feedID: Int64,
    _ condition: String,
    _ db: Connection
  ) throws -> [Int64] {
    let sql = """
      SELECT id FROM (
        SELECT id, original_state FROM image WHERE feed_id = $1 AND is_hidden = 0
        ORDER BY date DESC, position, id OFFSET $2::bigint
      ) AS old WHERE NOT EXISTS (SELECT 1 FROM pin WHERE image_id = old.id)\(condition)
      """
    return try db.column(sql, feedID, newest)
  }
}
