import Store

/// What only a file of SQLite needs.
extension RemovalQueries {
  /// Gives free pages back to the file system; says whether there may be more.
  static func shrink(_ db: Connection) throws -> Bool {
    func freePages() throws -> Int { try db.value("PRAGMA freelist_count") ?? 0 }
    let before = try freePages()
    guard before > 0 else { return false }
    try db.run("PRAGMA incremental_vacuum(\(Limits.vacuumPages))")
    return try freePages() < before
  }

  // MARK: The link for originals

  /// The target that the user has confirmed for a link in place of the folder for originals; nil for no link.
  static func linkedOriginals(_ db: Connection) throws -> String? {
    try db.value("SELECT value FROM setting WHERE name = $1", "originals")
  }

  static func setLinkedOriginals(_ path: String, _ db: Connection) throws {
    try db.run("INSERT OR REPLACE INTO setting(name, value) VALUES ($1, $2)", "originals", path)
  }
}
