import Models
package import Workers

extension ChangeLog {
  /// The library's UUID and epoch, and the number of its last change; nil for a library without its row.
  package static func version(_ db: Connection) throws -> LibraryVersion? {
    let sql =
      switch db.dialect {
      case .sqlite: "SELECT uuid, epoch, change_seq FROM library"
      case .postgres: postgresVersion
      }
    return try db.row(sql) { row in
      try LibraryVersion(library: row.value(0), epoch: row.value(1), number: row.value(2))
    }
  }

  /// The highest number of a tombstone that was deleted for its age.
  package static func prunedNumber(_ db: Connection) throws -> Int64 {
    try db.value("SELECT pruned_seq FROM library") ?? 0
  }

  // MARK: Changes

  /// The changes after a position, in order.
  package static func changes(
    of kinds: Set<ChangedKind> = Set(ChangedKind.allCases),
    after position: ChangePosition,
    limit: Int,
    _ db: Connection
  ) throws -> [Change] {
    let ids = [ChangedKind.feed, .image, .pin].map(position.lastID)
    let values: [any Parameter] = [
      position.number, ids[0], ids[1], ids[2], position.kind.rawValue, position.id, limit,
    ]
    return try db.rows(changesSQL(of: kinds, db.dialect), with: values) { row in
      guard let kind: ChangedKind = try row.value(raw: 1) else { return nil }
      let position = try ChangePosition(number: row.value(0), kind: kind, id: row.value(2))
      return Change(position: position, isRemoval: try row.value(3))
    }
  }

  /// Merges the index of each kind with that of the tombstones; each is read from the position on.
  package static func changesSQL(
    of kinds: Set<ChangedKind> = Set(ChangedKind.allCases),
    _ dialect: Dialect
  ) -> String {
    let kinds = ChangedKind.allCases.filter(kinds.contains)
    let types = kinds.map { String($0.rawValue) }.joined(separator: ", ")
    let changes = kinds.map { kind in
      let (source, id) = shown(kind, dialect)
      return part(
        "SELECT change_seq, \(kind.rawValue) AS type, \(id) AS id, false AS is_removal FROM \(source)",
        key: "change_seq, \(id)",
        after: "$1, $\(kind.rawValue + 2)",
        dialect
      )
    }
    let isOfKinds = "\(dialect.unindexed("type")) IN (\(types))"
    let tombstones = part(
      "SELECT change_seq, type, id, true AS is_removal FROM tombstone WHERE \(isOfKinds)",
      key: "change_seq, type, id",
      after: "$1, $5, $6",
      dialect
    )
    return (changes + [tombstones]).joined(separator: "\nUNION ALL\n")
      + "\nORDER BY change_seq, type, id LIMIT $7"
  }

  /// One of the queries that are merged.
  ///
  /// SQLite reads them side by side, and ends them all with the last row of the page. PostgreSQL ends each one itself.
  private static func part(
    _ selection: String,
    key: String,
    after position: String,
    _ dialect: Dialect
  ) -> String {
    let sql = """
      \(selection) AND change_seq >= $1 AND (\(key)) > (\(position))\(dialect.isSettled)
      """
    switch dialect {
    case .sqlite: return sql
    case .postgres: return "(\(sql) ORDER BY \(key) LIMIT $7)"
    }
  }

  /// The rows of a kind that are not removed or hidden, and the column of their ids.
  private static func shown(
    _ kind: ChangedKind,
    _ dialect: Dialect
  ) -> (source: String, id: String) {
    switch kind {
    case .feed: return ("feed WHERE \(dialect.isFalse("is_removed"))", "id")
    case .image: return ("image WHERE is_hidden = 0", "id")
    case .pin:
      let isShown = "EXISTS (SELECT 1 FROM image WHERE image.id = image_id AND is_hidden = 0)"
      return ("pin WHERE \(isShown)", "image_id")
    }
  }

  // MARK: A summary

  /// The most changes of a kind that a summary counts.
  private static let mostCounted = 1_000

  /// A summary of the changes after a number, made from indexes.
  package static func counts(after number: Int64, _ db: Connection) throws -> ChangeCounts {
    let (count, feeds) = countsSQL(db.dialect)
    let images: Int? = try db.value(count, number, mostCounted, ChangedKind.image.rawValue)
    let ids: [Int64] = try db.column(feeds, number, mostCounted, ChangedKind.feed.rawValue)
    return ChangeCounts(feeds: ids.sorted(), images: images ?? 0)
  }

  package static func countsSQL(_ dialect: Dialect) -> (images: String, feeds: String) {
    let range = "change_seq > $1\(dialect.isSettled)"
    let images = """
      (SELECT feed_id FROM image \(dialect.hint("image_change"))
        WHERE is_hidden = 0 AND \(range) LIMIT $2) AS changed
      """
    let count = """
      SELECT (SELECT count(*) FROM \(images)) + (SELECT count(*) FROM (
        SELECT 1 FROM tombstone WHERE \(range) AND type = $3 LIMIT $2
      ) AS removed)
      """
    let feeds = """
      SELECT id FROM feed WHERE \(dialect.isFalse("is_removed")) AND \(range)
      UNION SELECT feed_id FROM \(images)
      UNION SELECT id FROM tombstone WHERE \(range) AND type = $3
      """
    return (count, feeds)
  }

  // MARK: Forgetting

  /// Days for which a tombstone is kept.
  ///
  /// A client that was away for longer compares everything.
  package static let tombstoneDays = 90
  /// Tombstones whose age is checked with one query.
  package static let tombstonesPruned = 1_000

  /// Deletes older tombstones, and stores the highest number among them, from which clients learn of it.
  package static func prune(_ db: Connection) throws {
    let oldest = """
      SELECT change_seq, removed_at < \(db.dialect.now) - $1 FROM tombstone
      ORDER BY change_seq LIMIT $2
      """
    while true {
      let rows = try db.rows(oldest, tombstoneDays * 86_400, tombstonesPruned) { row in
        try (number: row.value(0) as Int64, isOld: row.value(1) as Bool)
      }
      guard let last = rows.prefix(while: \.isOld).last?.number else { return }
      try db.run("DELETE FROM tombstone WHERE change_seq <= $1", last)
      try db.run("UPDATE library SET pruned_seq = $1 WHERE pruned_seq < $1", last)
      if rows.count < tombstonesPruned { return }
    }
  }
}
