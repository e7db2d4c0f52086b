import Models
import Store
import Workers

/// The change log: the number of the transaction that last changed each feed, image and pin (`Schema`).
extension ChangeLog {
  /// The version of the library, which this reads from the ends of indexes.
  static func version(_ db: Connection) throws -> LibraryVersion? {
    let ends = [
      "image WHERE is_hidden = 0", "feed WHERE NOT is_removed", "pin WHERE true",
      "tombstone WHERE true",
    ]
    .map { rows in
      "(SELECT max(change_seq) FROM \(rows) AND change_seq < (SELECT change_limit()))"
    }
    // The next writer gives a library on another server its next epoch (`noticeRestore`). Readers do not wait for that.
    let sql = """
      SELECT uuid::text, CASE WHEN server <> \(server) THEN epoch + 1 ELSE epoch END,
        coalesce(greatest(\(ends.joined(separator: ", "))), 0) FROM library
      """
    return try db.rows(sql).first.map { row in
      try LibraryVersion(library: row.value(0), epoch: row.value(1), number: row.value(2))
    }
  }

  /// The changes after a position.
  ///
  /// The query merges an index for each kind with that of the tombstones, each read from the position on.
  static func changes(
    of kinds: Set<ChangedKind> = Set(ChangedKind.allCases),
    after position: ChangePosition,
    limit: Int,
    _ db: Connection
  ) throws -> [Change] {
    let ids = [ChangedKind.feed, .image, .pin].map(position.lastID)
    let values: [any Parameter] = [
      position.number, ids[0], ids[1], ids[2], position.kind.rawValue, position.id, limit,
    ]
    return try db.rows(changesSQL(of: kinds), with: values).compactMap { row in
      guard let kind: ChangedKind = try row.value(raw: 1) else { return nil }
      let position = try ChangePosition(number: row.value(0), kind: kind, id: row.value(2))
      return Change(position: position, isRemoval: try row.value(3))
    }
  }

  private static func changesSQL(of kinds: Set<ChangedKind>) -> String {
    let types = kinds.map { String($0.rawValue) }.sorted().joined(separator: ", ")
    let tombstones = """
      (SELECT change_seq, type, id, true FROM tombstone WHERE type IN (\(types))
        AND change_seq < (SELECT change_limit()) AND (change_seq, type, id) > ($1, $5, $6)
        ORDER BY change_seq, type, id LIMIT $7)
      """
    let changes = ChangedKind.allCases.map { kind in
      let (source, id) = shown(kind)
      let isWanted = kinds.contains(kind) ? "" : " AND false"
      return """
        (SELECT change_seq, \(kind.rawValue)::bigint AS type, \(id) AS id, false AS is_removal
          FROM \(source)\(isWanted) AND change_seq < (SELECT change_limit())
          AND (change_seq, \(id)) > ($1, $\(kind.rawValue + 2))
          ORDER BY change_seq, \(id) LIMIT $7)
        """
    }
    return ([tombstones] + changes).joined(separator: "\nUNION ALL\n")
      + "\nORDER BY change_seq, type, id LIMIT $7"
  }

  /// The rows of a kind that are not removed or hidden, and the column of their ids.
  private static func shown(_ kind: ChangedKind) -> (source: String, id: String) {
    switch kind {
    case .feed: return ("feed WHERE NOT is_removed", "id")
    case .image: return ("image WHERE is_hidden = 0", "id")
    case .pin:
      let isShown = "EXISTS (SELECT 1 FROM image WHERE image.id = image_id AND is_hidden = 0)"
      return ("pin WHERE \(isShown)", "image_id")
    }
  }

  /// The most changes that a summary counts.
  private static let mostCounted = 1_000

  /// A summary of the changes after a number.
  static func counts(after number: Int64, _ db: Connection) throws -> ChangeCounts {
    let range = "change_seq > $1 AND change_seq < (SELECT change_limit())"
    let images = "(SELECT feed_id FROM image WHERE is_hidden = 0 AND \(range) LIMIT $2) AS changed"
    let counted = """
      SELECT (SELECT count(*) FROM \(images)) + (SELECT count(*) FROM (
        SELECT 1 FROM tombstone WHERE \(range) AND type = $3 LIMIT $2
      ) AS removed)
      """
    let (most, image) = (mostCounted, ChangedKind.image.rawValue)
    let count = try db.value(counted, number, most, image) ?? 0 as Int
    let feeds = """
      SELECT id FROM feed WHERE NOT is_removed AND \(range)
      UNION SELECT feed_id FROM \(images)
      UNION SELECT id FROM tombstone WHERE \(range) AND type = $3 ORDER BY 1
      """
    let ids: [Int64] = try db.column(feeds, number, most, ChangedKind.feed.rawValue)
    return ChangeCounts(feeds: ids, images: count)
  }

  /// The server and the tables that hold the library; NULL on a standby.
  ///
  /// A server is known by its identifier and the timeline of its log (postgresql.org/docs/15/continuous-archiving.html,
  /// section 26.3.6). A standby that takes over changes the timeline, too. On the same server, a dump is restored into a
  /// new database or new tables, so their identifiers count, too.
  private static let server = """
    CASE WHEN NOT pg_is_in_recovery() THEN
      (SELECT system_identifier::text FROM pg_control_system())
        || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database())
        || ' ' || 'library'::regclass::oid
    END
    """

  /// Checks whether the library is on another server, or is restored from a backup.
  ///
  /// The last transactions may then be missing, because a standby that takes over may lack them, too. But clients may
  /// have seen them. So clients are told to compare everything (`epoch`), and neither the numbers of changes nor the ids
  /// of the missing transactions are used again. The numbers of transactions may be lower than before, too.
  static func noticeRestore(_ db: Connection) throws {
    let moved = """
      SELECT server IS NOT NULL FROM library WHERE server IS DISTINCT FROM \(server) FOR UPDATE
      """
    guard let isContinued: Bool = try db.value(moved) else { return }
    if isContinued {
      for sequence in ["image_id", "feed_id_seq"] {
        let sql = "SELECT setval('\(sequence)', last_value + $1) FROM \(sequence)"
        try db.rows(sql, LibraryVersion.idsLeftOut)
      }
    }
    let sql = """
      UPDATE library SET server = \(server), epoch = epoch + $1,
        change_base = greatest(
          change_base,
          greatest(\(highest) + 1, (epoch + $1) * $1 * $2) - pg_current_xact_id()::text::bigint
        )
      """
    let step: Int64 = isContinued ? 1 : 0
    try db.rows(sql, step, LibraryVersion.numbersOfEpoch)
  }

  /// The SQL of the last change's number, for a statement that reads `library`.
  private static let highest = """
    greatest(0, (SELECT max(change_seq) FROM image), (SELECT max(change_seq) FROM feed),
      (SELECT max(change_seq) FROM pin), (SELECT max(change_seq) FROM tombstone), pruned_seq)
    """

  /// The number of the last change that this transaction sees, even above `change_limit`.
  static func highest(_ db: Connection) throws -> Int64 {
    try db.value("SELECT \(highest) FROM library") ?? 0
  }

  /// How long a tombstone is kept.
  ///
  /// A client that was away for longer compares everything.
  private static let tombstoneDays: Int64 = 90

  /// Deletes older tombstones, and notes the highest number among them.
  static func prune(_ db: Connection) throws {
    let sql = """
      WITH old AS (
        DELETE FROM tombstone WHERE removed_at < now_seconds() - $1 RETURNING change_seq
      )
      UPDATE library SET pruned_seq = greatest(pruned_seq, (SELECT max(change_seq) FROM old))
      WHERE EXISTS (SELECT 1 FROM old)
      """
    try db.rows(sql, Self.tombstoneDays * 86_400)
  }
}
