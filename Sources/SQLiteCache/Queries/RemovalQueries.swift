import GRDB
import Store
import Workers

/// The SQL that hides, shows and deletes a feed's images, a limited number at a time.
enum RemovalQueries {
  /// Hides images of a removed feed; returns how many, 0 when all are hidden.
  static func hide(feedID: Int64, limit: Int, _ db: Database) throws -> Int {
    let ids = try images(hidden: false, feedID: feedID, "image_feed_newest", limit: limit, db)
    for sql in [
      "UPDATE image SET is_hidden = 1 WHERE id IN (SELECT value FROM json_each(?))",
      """
      INSERT OR REPLACE INTO tombstone(type, id, change_seq, removed_at)
      SELECT \(ChangedKind.image.rawValue), value, \(ChangeLog.next), unixepoch() FROM json_each(?)
      """,
    ] { try db.execute(sql: sql, arguments: [list(ids)]) }
    return ids.count
  }

  /// Shows hidden images of a followed feed; returns how many, 0 when all are shown.
  static func show(feedID: Int64, limit: Int, _ db: Database) throws -> Int {
    let ids = try images(hidden: true, feedID: feedID, "image_hidden", limit: limit, db)
    try show(ids, db)
    return ids.count
  }

  /// Shows hidden images, with their pins.
  static func show(_ ids: [Int64], _ db: Database) throws {
    for sql in [
      """
      UPDATE image SET is_hidden = 0, change_seq = \(ChangeLog.next)
      WHERE id IN (SELECT value FROM json_each(?))
      """,
      """
      UPDATE pin SET change_seq = \(ChangeLog.next)
      WHERE image_id IN (SELECT value FROM json_each(?))
      """,
      """
      DELETE FROM tombstone WHERE type = \(ChangedKind.image.rawValue)
        AND id IN (SELECT value FROM json_each(?))
      """,
    ] { try db.execute(sql: sql, arguments: [list(ids)]) }
  }

  static func list(_ ids: [Int64]) -> String {
    "[\(ids.map(String.init).joined(separator: ","))]"
  }

  /// The images to show or to hide next.
  ///
  /// Each step checks the feed again, because a sync or a removal may have run in between.
  ///
  /// The query names the index, since SQLite would choose one that has the other images, too.
  private static func images(
    hidden isHidden: Bool,
    feedID: Int64,
    _ index: String,
    limit: Int,
    _ db: Database
  ) throws -> [Int64] {
    let sql = """
      SELECT id FROM image INDEXED BY \(index)
      WHERE feed_id = ?1 AND is_hidden = \(isHidden ? 1 : 0)
        AND (SELECT is_removed FROM feed WHERE id = ?1) = \(isHidden ? 0 : 1)
      LIMIT ?2
      """
    return try Int64.fetchAll(db, sql: sql, arguments: [feedID, limit])
  }

  /// Deletes images of a removed feed with everything that belongs to them.
  ///
  /// - Parameters:
  ///   - feedID: Their feed.
  ///   - limit: The most images to delete.
  ///   - originals: Receives the ids of the originals that the images referred to.
  ///   - db: A transaction.
  /// - Returns: The number of deleted images; 0 when no image is left.
  /// - Throws: when the library cannot be written.
  static func delete(
    feedID: Int64,
    limit: Int,
    originals: inout Set<Int64>,
    _ db: Database
  ) throws -> Int {
    let ids = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM image WHERE feed_id = ?1
          AND (SELECT is_removed FROM feed WHERE id = ?1) = 1 LIMIT ?2
        """,
      arguments: [feedID, limit]
    )
    let referred = try db.cachedStatement(
      sql: "SELECT original_id FROM image_original WHERE image_id = ?"
    )
    let deletion = try db.cachedStatement(sql: "DELETE FROM image WHERE id = ?")
    for id in ids {
      if let original = try Int64.fetchOne(referred, arguments: [id]) { originals.insert(original) }
      try SearchWriting(db.store).remove(id)
      try deletion.execute(arguments: [id])
      try ChangeLog.bury(.image, id, db.store)
      try ChangeLog.raise(.pin, id, db.store)
    }
    try FeedQueries.addImages(-ids.count, id: feedID, db)
    return ids.count
  }

  /// Deletes a removed feed, unless a sync has followed it again.
  static func deleteFeed(id: Int64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM feed WHERE id = ? AND is_removed = 1", arguments: [id])
  }

  /// Deletes an original's row unless an image refers to it; returns the hash and the format that name its file.
  static func deleteOriginal(
    id: Int64,
    _ db: Database
  ) throws -> (sha256: String, format: String)? {
    let sql = """
      DELETE FROM original WHERE id = ?
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE original_id = original.id)
      RETURNING sha256, format
      """
    return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id]).map { row in
      try (row.value(0), row.value(1))
    }
  }

  /// Gives free pages back to the file system; says whether there may be more.
  static func shrink(_ db: Database) throws -> Bool {
    let before = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
    guard before > 0 else { return false }
    let pages = try Row.fetchCursor(db, sql: "PRAGMA incremental_vacuum(\(Limits.vacuumPages))")
    while try pages.next() != nil {}
    return try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0 < before
  }

  // MARK: The link for originals

  /// The target that the user has confirmed for a link in place of the folder for originals; nil for no link.
  static func linkedOriginals(_ db: Database) throws -> String? {
    try String.fetchOne(
      db,
      sql: "SELECT value FROM setting WHERE name = ?",
      arguments: ["originals"]
    )
  }

  static func setLinkedOriginals(_ path: String, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO setting(name, value) VALUES (?, ?)",
      arguments: ["originals", path]
    )
  }
}
