import GRDB
import Models
import Workers

/// The change log: the number of the transaction that last changed each feed, image and pin.
///
/// All rows that a transaction changes get the same number, the next one; the end of the transaction makes it the last
/// one (`close`). A transaction that changes none of them takes no number. See `Documentation/Store.md`.
enum ChangeLog {
  /// The next number, for a statement that changes rows.
  static let next = "(SELECT change_seq + 1 FROM library)"

  /// The next number, for statements that are executed very often.
  static func next(_ db: Database) throws -> Int64 {
    let sql = "SELECT change_seq + 1 FROM library"
    guard let number = try Int64.fetchOne(db.cachedStatement(sql: sql)) else {
      throw DatabaseError(message: "the library has no UUID")
    }
    return number
  }

  /// Ends a transaction: a number that a row has by now is taken.
  static func close(_ db: Database) throws {
    try db.cachedStatement(sql: closeSQL).execute()
  }

  static let closeSQL = """
    UPDATE library SET change_seq = \(highest) WHERE change_seq < \(highest)
    """

  /// Four looks at the ends of indexes.
  private static let highest =
    "max("
    + ["image WHERE is_hidden = 0", "feed WHERE is_removed = 0", "pin", "tombstone"].map { rows in
      "coalesce((SELECT change_seq FROM \(rows) ORDER BY change_seq DESC LIMIT 1), 0)"
    }.joined(separator: ", ") + ")"

  // MARK: Noting

  /// Notes that something of an image has changed which is not in its row.
  static func note(image id: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "UPDATE image SET change_seq = \(next) WHERE id = ?")
      .execute(arguments: [id])
  }

  /// Notes that something of a feed has changed which is not in its row.
  static func note(feed id: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "UPDATE feed SET change_seq = \(next) WHERE id = ?")
      .execute(arguments: [id])
  }

  /// Leaves a tombstone of something that is there no more, unless it has one.
  static func bury(_ kind: ChangedKind, _ id: Int64, _ db: Database) throws {
    let sql = "INSERT OR IGNORE INTO tombstone(type, id, change_seq) VALUES (?, ?, \(next))"
    try db.cachedStatement(sql: sql).execute(arguments: [kind.rawValue, id])
  }

  /// Takes the tombstone away of something that is there again.
  static func raise(_ kind: ChangedKind, _ id: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM tombstone WHERE type = ? AND id = ?")
      .execute(arguments: [kind.rawValue, id])
  }

  // MARK: Reading

  static func version(_ db: Database) throws -> LibraryVersion? {
    let sql = "SELECT uuid, epoch, change_seq FROM library"
    return try Row.fetchOne(db.cachedStatement(sql: sql)).map { row in
      try LibraryVersion(library: row.value(0), epoch: row.value(1), number: row.value(2))
    }
  }

  static func changes(
    after position: ChangePosition,
    limit: Int,
    _ db: Database
  ) throws -> [Change] {
    // An id of a lower kind comes before the position, whatever it is, and one of a higher kind behind it.
    let ids = [ChangedKind.feed, .image, .pin].map { kind in
      kind == position.kind ? position.id : kind.rawValue < position.kind.rawValue ? .max : 0
    }
    let (number, kind) = (position.number, position.kind.rawValue)
    return try db.cachedStatement(sql: changesSQL).rows([
      number, ids[0], ids[1], ids[2], kind, position.id, limit,
    ]) { row in
      guard let kind = try ChangedKind(rawValue: row.value(1)) else { return nil }
      let position = try ChangePosition(number: row.value(0), kind: kind, id: row.value(2))
      return Change(position: position, isRemoval: try row.value(3))
    }
  }

  /// Reads four indexes side by side, each from the position on.
  static let changesSQL = """
    SELECT change_seq, \(ChangedKind.feed.rawValue) AS type, id, 0 FROM feed
      WHERE is_removed = 0 AND change_seq >= ?1 AND (change_seq > ?1 OR id > ?2)
    UNION ALL
    SELECT change_seq, \(ChangedKind.image.rawValue), id, 0 FROM image
      WHERE is_hidden = 0 AND change_seq >= ?1 AND (change_seq > ?1 OR id > ?3)
    UNION ALL
    SELECT change_seq, \(ChangedKind.pin.rawValue), image_id, 0 FROM pin
      WHERE change_seq >= ?1 AND (change_seq > ?1 OR image_id > ?4)
        AND (SELECT is_hidden FROM image WHERE id = image_id) = 0
    UNION ALL
    SELECT change_seq, type, id, 1 FROM tombstone
      WHERE change_seq >= ?1 AND (change_seq, type, id) > (?1, ?5, ?6)
    ORDER BY change_seq, type, id LIMIT ?7
    """
}

/// The SQL of pins.
enum PinQueries {
  static func isPinned(imageID: Int64, _ db: Database) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM pin WHERE image_id = ?)"
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [imageID]) ?? false
  }

  static func add(imageID: Int64, now: Int64, _ db: Database) throws {
    let sql = """
      INSERT OR IGNORE INTO pin(image_id, pinned_at, change_seq) VALUES (?, ?, \(ChangeLog.next))
      """
    try db.execute(sql: sql, arguments: [imageID, now])
    try ChangeLog.raise(.pin, imageID, db)
  }

  static func delete(imageID: Int64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM pin WHERE image_id = ?", arguments: [imageID])
    if db.changesCount > 0 { try ChangeLog.bury(.pin, imageID, db) }
  }
}
