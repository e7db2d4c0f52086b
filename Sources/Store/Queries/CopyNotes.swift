package import Workers

/// What a library and its copy know of each other.
package enum CopyNotes {
  /// The identity of a library, and the numbers that its copy continues.
  package static func header(_ db: Connection) throws -> LibraryHeader {
    var lastIDs: [String: Int64] = [:]
    for table in CopiedTable.numbered { lastIDs[table] = try lastID(of: table, db) }
    let isBackup = try isBackup(db)
    let isCopy = try db.hasRow("SELECT 1 FROM setting WHERE name = 'copied'")
    let number = try lastNumber(db)
    let sql = "SELECT CAST(uuid AS text), epoch, pruned_seq FROM library"
    let header = try db.row(sql) { row in
      try LibraryHeader(
        library: row.value(0),
        epoch: row.value(1),
        number: number,
        prunedNumber: row.value(2),
        lastIDs: lastIDs,
        isBackup: isBackup,
        isCopy: isCopy
      )
    }
    guard let header else { throw UnexpectedAnswer("the library has no row") }
    return header
  }

  /// The last id that a table has given to a row, which may be deleted since.
  private static func lastID(of table: String, _ db: Connection) throws -> Int64 {
    let id: Int64? =
      switch db.dialect {
      case .sqlite: try db.value("SELECT seq FROM sqlite_sequence WHERE name = $1", table)
      case .postgres:
        try db.value(
          "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(sequence(of: table))"
        )
      }
    return id ?? 0
  }

  /// The sequence from which a table of PostgreSQL gets its ids.
  package static func sequence(of table: String) -> String {
    table == "image" ? "image_id" : "\(table)_id_seq"
  }

  private static func lastNumber(_ db: Connection) throws -> Int64 {
    switch db.dialect {
    case .sqlite: try db.value("SELECT change_seq FROM library") ?? 0
    case .postgres: try ChangeLog.highest(db)
    }
  }

  /// The ids of the listed images, and those of the retired ones (`LibraryState.imageIDs`).
  package static func imageIDs(
    _ db: Connection
  ) throws -> (listed: [Int64], retired: [Int64]) {
    // SQLite reads the ids from an index of the images of each feed, and otherwise it would read the rows of all images in
    // the order of their changes. Sorting the ids here is faster than reading the rows in their order.
    let listed: [Int64] = try db.column(
      """
      SELECT image.id FROM feed CROSS JOIN image \(db.dialect.hint("image_feed_newest"))
      WHERE image.feed_id = feed.id AND NOT is_removed AND is_hidden = 0
      """
    )
    let retired: [Int64] = try db.column("SELECT id FROM image WHERE is_hidden = 2")
    return (listed.sorted(), retired.sorted())
  }

  /// Whether the library is a backup.
  package static func isBackup(_ db: Connection) throws -> Bool {
    try db.hasRow("SELECT 1 FROM setting WHERE name = 'backup'")
  }

  /// Notes what a completed copy is for, and the number of its last change.
  ///
  /// A restored library stops being a copy, so that no later copy updates it.
  package static func set(_ purpose: CopyPurpose, number: Int64, _ db: Connection) throws {
    try db.run("DELETE FROM setting WHERE name IN ('copied', 'backup')")
    let add = "INSERT INTO setting(name, value) VALUES ($1, $2)"
    if purpose != .restore { try db.run(add, "copied", "\(number)") }
    if purpose == .backup { try db.run(add, "backup", "1") }
  }
}
