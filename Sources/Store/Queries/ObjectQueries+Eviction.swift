/// The SQL about originals that gave way on this disk, in SQLite.
extension ObjectQueries {
  /// The originals among `ids` that the store has; throws when the checksum of a row is wrong.
  package static func put(among ids: [Int64], _ db: Connection) throws -> Set<Int64> {
    let sql = "SELECT original_id FROM put_original WHERE original_id \(db.dialect.ids(1))"
    let put: [Int64] = try db.column(sql, ids)
    // One flipped bit in a row would delete the only copy of another original.
    for id in put { try RowSeal.putOriginal.check(id, db) }
    return Set(put)
  }

  /// The hashes and formats that name the files of the originals among `ids` that are away.
  package static func away(
    among ids: [Int64],
    _ db: Connection
  ) throws -> [(sha256: String, format: String)] {
    let sql = "SELECT sha256, format FROM original WHERE id \(db.dialect.ids(1)) AND \(isAway)"
    return try db.rows(sql, ids) { row in
      try (row.value(0) as String, row.value(1) as String)
    }
  }

  package static func isAway(sha256: String, _ db: Connection) throws -> Bool {
    try db.hasRow("SELECT 1 FROM original WHERE sha256 = $1 AND \(isAway)", sha256)
  }

  /// Records that the file of an original is on this disk again.
  static func bringBack(sha256: String, _ db: Connection) throws {
    guard db.dialect == .sqlite else { return }
    let sql = """
      DELETE FROM away_original
      WHERE original_id = (SELECT id FROM original WHERE sha256 = $1)
      """
    try db.run(sql, sha256)
  }
}
