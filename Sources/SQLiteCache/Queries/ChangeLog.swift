import GRDB
import Models
import Store
import Workers

/// The change log: the number of the transaction that last changed each feed, image and pin.
///
/// All rows that a transaction changes get the same number, the next one. The end of the transaction stores it as the
/// last one (`close`). A transaction that changes no such row takes no number. See `Documentation/Store.md`.
extension ChangeLog {
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

  /// Ends a transaction: stores the highest number of any row as the last one.
  static func close(_ db: Database) throws {
    try db.cachedStatement(sql: closeSQL).execute()
  }

  static let closeSQL = """
    UPDATE library SET change_seq = \(highest) WHERE change_seq < \(highest)
    """

  /// The highest number of any row, read from the ends of four indexes.
  private static let highest =
    "max("
    + ["image WHERE is_hidden = 0", "feed WHERE is_removed = 0", "pin", "tombstone"].map { rows in
      "coalesce((SELECT change_seq FROM \(rows) ORDER BY change_seq DESC LIMIT 1), 0)"
    }.joined(separator: ", ") + ")"

  // MARK: Reading

  static func version(_ db: Database) throws -> LibraryVersion? {
    let sql = "SELECT uuid, epoch, change_seq FROM library"
    return try Row.fetchOne(db.cachedStatement(sql: sql)).map { row in
      try LibraryVersion(library: row.value(0), epoch: row.value(1), number: row.value(2))
    }
  }

  static func changes(
    of kinds: Set<ChangedKind> = Set(ChangedKind.allCases),
    after position: ChangePosition,
    limit: Int,
    _ db: Database
  ) throws -> [Change] {
    let ids = [ChangedKind.feed, .image, .pin].map(position.lastID)
    let (number, kind) = (position.number, position.kind.rawValue)
    return try db.cachedStatement(sql: changesSQL(of: kinds)).rows([
      number, ids[0], ids[1], ids[2], kind, position.id, limit,
    ]) { row in
      guard let kind = try ChangedKind(rawValue: row.value(1)) else { return nil }
      let position = try ChangePosition(number: row.value(0), kind: kind, id: row.value(2))
      return Change(position: position, isRemoval: try row.value(3))
    }
  }

  /// Merges the index of each kind with the index of tombstones; each is read from the position on.
  static func changesSQL(of kinds: Set<ChangedKind> = Set(ChangedKind.allCases)) -> String {
    let kinds = ChangedKind.allCases.filter(kinds.contains)
    let types = kinds.map { String($0.rawValue) }.joined(separator: ", ")
    let tombstones = """
      SELECT change_seq, type, id, 1 FROM tombstone
        WHERE change_seq >= ?1 AND (change_seq, type, id) > (?1, ?5, ?6) AND +type IN (\(types))
      """
    return (kinds.map(\.changesSQL) + [tombstones]).joined(separator: "\nUNION ALL\n")
      + "\nORDER BY change_seq, type, id LIMIT ?7"
  }

  /// A summary of the changes after a number, made from indexes; it counts at most `Limits.changesCounted` of a kind.
  static func counts(after number: Int64, _ db: Database) throws -> ChangeCounts {
    let images = "image INDEXED BY image_change WHERE is_hidden = 0 AND change_seq > ?1"
    let counted = """
      SELECT (SELECT count(*) FROM (SELECT 1 FROM \(images) LIMIT ?2))
        + (SELECT count(*) FROM (SELECT 1 FROM tombstone WHERE change_seq > ?1 AND type = ?3 LIMIT ?2))
      """
    let limit = Limits.changesCounted
    let count = try Int.fetchOne(
      db.cachedStatement(sql: counted),
      arguments: [number, limit, ChangedKind.image.rawValue]
    )
    let feeds = """
      SELECT id FROM feed WHERE is_removed = 0 AND change_seq > ?1
      UNION SELECT feed_id FROM (SELECT feed_id FROM \(images) LIMIT ?2)
      UNION SELECT id FROM tombstone WHERE change_seq > ?1 AND type = ?3
      """
    let ids = try Int64.fetchAll(
      db.cachedStatement(sql: feeds),
      arguments: [number, limit, ChangedKind.feed.rawValue]
    )
    return ChangeCounts(feeds: ids, images: count ?? 0)
  }

  // MARK: Forgetting

  /// Deletes tombstones that are older than `Limits.tombstoneDays`, and stores the highest number among them.
  ///
  /// A client that has not asked since learns from that number that it must compare everything.
  static func prune(now: Int64, _ db: Database) throws {
    let limit = now - Int64(Limits.tombstoneDays) * 86_400
    let oldest = "SELECT change_seq, removed_at FROM tombstone ORDER BY change_seq LIMIT ?"
    while true {
      let rows = try db.cachedStatement(sql: oldest).rows([Limits.tombstonesPruned]) { row in
        try (number: row.value(0) as Int64, date: row.value(1) as Int64)
      }
      guard let last = rows.prefix(while: { $0.date < limit }).last?.number else { return }
      try db.execute(sql: "DELETE FROM tombstone WHERE change_seq <= ?", arguments: [last])
      try db.execute(sql: "UPDATE library SET pruned_seq = ?", arguments: [last])
      if rows.count < Limits.tombstonesPruned { return }
    }
  }

  /// The highest number of a tombstone that was deleted for its age.
  static func prunedNumber(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT pruned_seq FROM library")) ?? 0
  }
}

extension ChangedKind {
  /// The changes of this kind after a position, without tombstones.
  fileprivate var changesSQL: String {
    let columns = "SELECT change_seq, \(rawValue) AS type,"
    switch self {
    case .feed:
      return """
        \(columns) id, 0 FROM feed
          WHERE is_removed = 0 AND change_seq >= ?1 AND (change_seq > ?1 OR id > ?2)
        """
    case .image:
      return """
        \(columns) id AS id, 0 FROM image
          WHERE is_hidden = 0 AND change_seq >= ?1 AND (change_seq > ?1 OR id > ?3)
        """
    case .pin:
      return """
        \(columns) image_id AS id, 0 FROM pin
          WHERE change_seq >= ?1 AND (change_seq > ?1 OR image_id > ?4)
          AND (SELECT is_hidden FROM image WHERE id = image_id) = 0
        """
    }
  }
}
