import Workers

/// The SQL that hides, shows and deletes images, a limited number at a time.
package enum RemovalQueries {
  /// Hides images of a removed feed; returns how many, 0 when all are hidden.
  package static func hide(feedID: Int64, limit: Int, _ db: Connection) throws -> Int {
    let ids = try images(hidden: false, "image_feed_newest", feedID: feedID, limit: limit, db)
    if ids.isEmpty { return 0 }
    try db.run("UPDATE image SET is_hidden = 1 WHERE \(isOfFeed(db.dialect))", ids, feedID)
    try ChangeLog.buryAgain(.image, ids, db)
    return ids.count
  }

  /// Shows hidden images of a followed feed; returns how many, 0 when all are shown.
  package static func show(feedID: Int64, limit: Int, _ db: Connection) throws -> Int {
    let ids = try images(hidden: true, "image_hidden", feedID: feedID, limit: limit, db)
    try show(ids, feedID: feedID, db)
    return ids.count
  }

  /// Shows hidden images of a feed, with their pins.
  static func show(_ ids: [Int64], feedID: Int64, _ db: Connection) throws {
    if ids.isEmpty { return }
    let dialect = db.dialect
    let images = """
      UPDATE image SET is_hidden = 0, change_seq = \(dialect.nextChange)
      WHERE \(isOfFeed(dialect))
      """
    try db.run(images, ids, feedID)
    let pins = """
      UPDATE pin SET change_seq = \(dialect.nextChange) WHERE image_id \(dialect.ids(1))
      """
    try db.run(pins, ids)
    try ChangeLog.raise(.image, ids, db)
  }

  /// The condition that an image of the feed `$2` is in the list `$1`; PostgreSQL finds the partition by the feed.
  static func isOfFeed(_ dialect: Dialect) -> String {
    "id \(dialect.ids(1)) AND \(dialect.unindexed("feed_id")) = $2"
  }

  /// The images to show or to hide next.
  ///
  /// Each step checks the feed again, because a sync or a removal may have run in between.
  ///
  /// The query names SQLite's index, since SQLite would choose one that has the other images, too.
  private static func images(
    hidden isHidden: Bool,
    _ index: String,
    feedID: Int64,
    limit: Int,
    _ db: Connection
  ) throws -> [Int64] {
    let sql = """
      SELECT id FROM image \(db.dialect.hint(index))
      WHERE feed_id = $1 AND is_hidden = \(isHidden ? 1 : 0)
        AND (SELECT \(isHidden ? "NOT is_removed" : "is_removed") FROM feed WHERE id = $1)
      LIMIT $2
      """
    return try db.column(sql, feedID, limit)
  }

  // MARK: Deletion

  /// Deletes images of a removed feed with everything that belongs to them.
  ///
  /// - Parameters:
  ///   - feedID: Their feed.
  ///   - limit: The most images to delete.
  ///   - originals: Receives the ids of the originals that the images referred to.
  ///   - db: A transaction.
  /// - Returns: The number of deleted images; 0 when no image is left.
  /// - Throws: when the library cannot be written.
  package static func delete(
    feedID: Int64,
    limit: Int,
    originals: inout Set<Int64>,
    _ db: Connection
  ) throws -> Int {
    let sql = """
      SELECT id FROM image
      WHERE feed_id = $1 AND (SELECT is_removed FROM feed WHERE id = $1) LIMIT $2
      """
    let ids: [Int64] = try db.column(sql, feedID, limit)
    if ids.isEmpty { return 0 }
    let referred = "SELECT original_id FROM image_original WHERE image_id \(db.dialect.ids(1))"
    originals.formUnion(try db.column(referred, ids))
    originals.formUnion(try ReplacedOriginals.forget(images: ids, db))
    try delete(ids, feedID: feedID, db)
    return ids.count
  }

  /// Deletes an image with everything that belongs to it.
  package static func delete(imageID id: Int64, _ db: Connection) throws {
    let feedID: Int64? = try db.value("SELECT feed_id FROM image WHERE id = $1", id)
    if let feedID { try delete([id], feedID: feedID, db) }
  }

  private static func delete(_ ids: [Int64], feedID: Int64, _ db: Connection) throws {
    switch db.dialect {
    case .sqlite:
      // Each row by itself, and the other tables by their references to it.
      for id in ids {
        try SearchWriting(db).remove(id)
        try db.run("DELETE FROM image WHERE id = $1", id)
      }
    case .postgres:
      for table in imageTables {
        try db.run("DELETE FROM \(table) WHERE image_id \(db.dialect.ids(1))", ids)
      }
      try db.run("DELETE FROM image WHERE \(isOfFeed(db.dialect))", ids, feedID)
    }
    try ChangeLog.bury(.image, ids, db)
    try ChangeLog.raise(.pin, ids, db)
    try FeedImageCount.add(-ids.count, toFeed: feedID, db)
  }

  /// The tables whose rows refer to images: PostgreSQL has no references to a partitioned table without its key.
  private static let imageTables = [
    "pin", "thumbnail", "image_original", "damage", "picture_failure", "member_image",
    "mirror_image", "mirror_thumbnail", "rendition", "successor", "replaced_original",
    "picture_redirect", "folder_original",
  ]

  /// Deletes a removed feed without images, and the rows of its mirror, unless a sync has followed it again.
  package static func deleteFeed(id: Int64, _ db: Connection) throws {
    guard try db.run("DELETE FROM feed WHERE id = $1 AND is_removed", id) > 0 else { return }
    // SQLite has deleted these rows by their references to the feed.
    guard case .postgres = db.dialect else { return }
    for table in ["mirror_feed", "mirror_image", "mirror_thumbnail"] {
      try db.run("DELETE FROM \(table) WHERE mirror_id = $1", id)
    }
    for table in ["mirror", "mirror_key", "mirror_feed"] {
      try db.run("DELETE FROM \(table) WHERE feed_id = $1", id)
    }
  }

  /// The columns of an original's row that name its file.
  package typealias File = (sha256: String, format: String)

  /// Deletes an original's row unless an image refers to it, or it is kept without one.
  ///
  /// - Returns: What names its file; nil for an original that stays.
  package static func deleteOriginal(id: Int64, _ db: Connection) throws -> File? {
    let sql = """
      DELETE FROM original WHERE id = $1
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE original_id = original.id)
        AND NOT \(ReplacedOriginals.isOneKept(db.dialect))
      RETURNING sha256, format
      """
    let file: File? = try db.row(sql, id) { row in try (row.value(0), row.value(1)) }
    if file != nil { try ReplacedOriginals.forget(originals: [id], db) }
    return file
  }

  /// The condition that no image refers to a row of `original`, which is not kept without one either.
  package static func isUnreferred(_ dialect: Dialect) -> String {
    """
    (NOT EXISTS (SELECT 1 FROM image_original WHERE original_id = original.id)
      AND NOT \(ReplacedOriginals.isKept("original.id", dialect)))
    """
  }

  /// Deletes all originals that no image refers to, and returns what names their files.
  package static func deleteUnreferred(_ db: Connection) throws -> [File] {
    let sql = """
      DELETE FROM original WHERE \(isUnreferred(db.dialect)) RETURNING id, sha256, format
      """
    let deleted = try db.rows(sql) { row in
      try (id: row.value(0) as Int64, file: (row.value(1), row.value(2)) as File)
    }
    try ReplacedOriginals.forget(originals: deleted.map(\.id), db)
    return deleted.map(\.file)
  }
}
