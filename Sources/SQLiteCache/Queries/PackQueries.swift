import LibraryFiles
import Store

/// The SQL of packs, and of the holes in them.
enum PackQueries {
  /// Packs that have room, the newest first.
  static func withRoom(_ db: Database) throws -> [Int64] {
    let sql = "SELECT id FROM pack WHERE bytes < ? ORDER BY id DESC LIMIT ?"
    return try Int64.fetchAll(db, sql: sql, arguments: [Limits.packBytes, Limits.packsTried])
  }

  static func add(_ db: Database) throws -> Int64 {
    try db.execute(sql: "INSERT INTO pack(bytes) VALUES (0)")
    let id = db.lastInsertedRowID
    try RowSeal.pack.renew(id, db.store)
    return id
  }

  /// The end of the last picture in a pack; nil for a pack that does not exist any more.
  ///
  /// - Throws: also when the checksum of the row is wrong, because the file is cut off at this end.
  static func end(of id: Int64, _ db: Database) throws -> Int? {
    try RowSeal.pack.check(id, db.store)
    let row = try Row.fetchOne(db, sql: "SELECT bytes FROM pack WHERE id = ?", arguments: [id])
    return try row?.bounded(0)
  }

  /// Moves the end of a pack if it still is at `start`; says whether it was.
  static func moveEnd(of id: Int64, from start: Int, to end: Int, _ db: Database) throws -> Bool {
    try db.cachedStatement(sql: "UPDATE pack SET bytes = ? WHERE id = ? AND bytes = ?")
      .execute(arguments: [end, id, start])
    guard db.changesCount == 1 else { return false }
    try RowSeal.pack.renew(id, db.store)
    return true
  }

  // MARK: Holes

  static func add(_ hole: PackHole, isGivenBack: Bool = false, _ db: Database) throws {
    let sql = """
      INSERT OR REPLACE INTO pack_hole(pack_id, offset, bytes, is_given_back)
      VALUES (?, ?, ?, ?)
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      hole.packID, hole.range.lowerBound, hole.range.count, isGivenBack,
    ])
    if isGivenBack { return }
    let hash = "UPDATE pack SET sha256 = NULL WHERE id = ? AND sha256 IS NOT NULL"
    try db.cachedStatement(sql: hash).execute(arguments: [hole.packID])
  }

  /// The holes whose room has not been given back yet, by pack and offset.
  static func newHoles(_ db: Database) throws -> [PackHole] {
    let sql = """
      SELECT pack_id, offset, bytes FROM pack_hole INDEXED BY pack_hole_new
      WHERE is_given_back = 0 ORDER BY pack_id, offset
      """
    return try db.cachedStatement(sql: sql).rows { row in
      let (offset, bytes): (Int, Int) = try (row.bounded(1), row.bounded(2))
      return try PackHole(
        packID: row.value(0),
        range: max(offset, 0)..<max(offset, 0) + max(bytes, 0)
      )
    }
  }

  /// Whether a hole exists and its room has not been given back yet.
  static func isNew(_ hole: PackHole, _ db: Database) throws -> Bool {
    let sql = "SELECT 1 FROM pack_hole WHERE pack_id = ? AND offset = ? AND is_given_back = 0"
    return try Row.fetchOne(
      db.cachedStatement(sql: sql),
      arguments: [hole.packID, hole.range.lowerBound]
    ) != nil
  }

  /// Replaces new holes that a hole joins, and its neighbours whose room was given back, by one hole.
  ///
  /// - Returns: The hole with its neighbours.
  static func giveBack(_ hole: PackHole, _ db: Database) throws -> PackHole {
    var whole = hole
    let (start, end) = (hole.range.lowerBound, hole.range.upperBound)
    let before = "offset < ? ORDER BY offset DESC"
    if let before = try neighbour(of: hole, before, start, db), before.upperBound == start {
      whole.range = before.lowerBound..<end
    }
    if let after = try neighbour(of: hole, "offset = ?", end, db) {
      whole.range = whole.range.lowerBound..<after.upperBound
    }
    let deletion = "DELETE FROM pack_hole WHERE pack_id = ? AND offset >= ? AND offset < ?"
    try db.cachedStatement(sql: deletion).execute(arguments: [
      whole.packID, whole.range.lowerBound, whole.range.upperBound,
    ])
    try add(whole, isGivenBack: true, db)
    return whole
  }

  /// The first hole that a condition finds; nil unless its room has been given back.
  private static func neighbour(
    of hole: PackHole,
    _ condition: String,
    _ offset: Int,
    _ db: Database
  ) throws -> Range<Int>? {
    let sql = """
      SELECT offset, bytes, is_given_back FROM pack_hole
      WHERE pack_id = ? AND \(condition) LIMIT 1
      """
    let row = try Row.fetchOne(
      db.cachedStatement(sql: sql),
      arguments: [hole.packID, offset]
    )
    guard let row, try row.value(2) else { return nil }
    let (start, count): (Int, Int) = try (row.bounded(0), row.bounded(1))
    return start..<start + max(count, 0)
  }

  /// Deletes a full pack that consists of one hole; says whether it did.
  static func delete(ifAllOf hole: PackHole, _ db: Database) throws -> Bool {
    guard hole.range.lowerBound == 0, hole.range.upperBound >= Limits.packBytes,
      try end(of: hole.packID, db) == hole.range.upperBound
    else { return false }
    for sql in ["DELETE FROM pack_hole WHERE pack_id = ?", "DELETE FROM pack WHERE id = ?"] {
      try db.execute(sql: sql, arguments: [hole.packID])
    }
    return true
  }
}
