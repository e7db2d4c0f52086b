import Store

/// What only a file of SQLite needs.
extension RemovalQueries {
  static func list(_ ids: [Int64]) -> String {
    "[\(ids.map(String.init).joined(separator: ","))]"
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
