import LibraryFiles
import Store

/// The SQL of packs, and of the holes in them.
enum PackQueries {
  /// Packs that have room, the newest first.
  static func withRoom(_ db: Connection) throws -> [Int64] {
    let sql = "SELECT id FROM pack WHERE bytes < $1 ORDER BY id DESC LIMIT $2"
    return try db.column(sql, Limits.packBytes, Limits.packsTried)
  }

  static func add(_ db: Connection) throws -> Int64 {
    let added: Int64? = try db.value("INSERT INTO pack(bytes) VALUES (0) RETURNING id")
    guard let id = added else { throw UnexpectedAnswer("a pack has no row") }
    try RowSeal.pack.renew(id, db)
    return id
  }

  /// The end of the last picture in a pack; nil for a pack that does not exist any more.
  ///
  /// - Throws: also when the checksum of the row is wrong, because the file is cut off at this end.
  static func end(of id: Int64, _ db: Connection) throws -> Int? {
    try RowSeal.pack.check(id, db)
    return try db.value("SELECT bytes FROM pack WHERE id = $1", id)
  }

  /// Moves the end of a pack if it still is at `start`; says whether it was.
  static func moveEnd(of id: Int64, from start: Int, to end: Int, _ db: Connection) throws -> Bool {
    let sql = "UPDATE pack SET bytes = $1 WHERE id = $2 AND bytes = $3"
    guard try db.run(sql, end, id, start) == 1 else { return false }
    try RowSeal.pack.renew(id, db)
    return true
  }

  // MARK: Holes

  static func add(_ hole: PackHole, isGivenBack: Bool = false, _ db: Connection) throws {
    let sql = """
      INSERT OR REPLACE INTO pack_hole(pack_id, offset, bytes, is_given_back)
      VALUES ($1, $2, $3, $4)
      """
    try db.run(sql, hole.packID, hole.range.lowerBound, hole.range.count, isGivenBack)
    if isGivenBack { return }
    let hash = "UPDATE pack SET sha256 = NULL WHERE id = $1 AND sha256 IS NOT NULL"
    try db.run(hash, hole.packID)
  }

  /// The holes whose room has not been given back yet, by pack and offset.
  static func newHoles(_ db: Connection) throws -> [PackHole] {
    let sql = """
      SELECT pack_id, offset, bytes FROM pack_hole INDEXED BY pack_hole_new
      WHERE is_given_back = 0 ORDER BY pack_id, offset
      """
    return try db.rows(sql) { row in
      let (offset, bytes): (Int, Int) = try (row.value(1), row.value(2))
      return try PackHole(
        packID: row.value(0),
        range: max(offset, 0)..<max(offset, 0) + max(bytes, 0)
      )
    }
  }

  /// Whether a hole exists and its room has not been given back yet.
  static func isNew(_ hole: PackHole, _ db: Connection) throws -> Bool {
    let sql = "SELECT 1 FROM pack_hole WHERE pack_id = $1 AND offset = $2 AND is_given_back = 0"
    return try db.hasRow(sql, hole.packID, hole.range.lowerBound)
  }

  /// Replaces new holes that a hole joins, and its neighbours whose room was given back, by one hole.
  ///
  /// - Returns: The hole with its neighbours.
  static func giveBack(_ hole: PackHole, _ db: Connection) throws -> PackHole {
    var whole = hole
    let (start, end) = (hole.range.lowerBound, hole.range.upperBound)
    let before = "offset < $2 ORDER BY offset DESC"
    if let before = try neighbour(of: hole, before, start, db), before.upperBound == start {
      whole.range = before.lowerBound..<end
    }
    if let after = try neighbour(of: hole, "offset = $2", end, db) {
      whole.range = whole.range.lowerBound..<after.upperBound
    }
    let deletion = "DELETE FROM pack_hole WHERE pack_id = $1 AND offset >= $2 AND offset < $3"
    try db.run(deletion, whole.packID, whole.range.lowerBound, whole.range.upperBound)
    try add(whole, isGivenBack: true, db)
    return whole
  }

  /// The first hole that a condition finds; nil unless its room has been given back.
  private static func neighbour(
    of hole: PackHole,
    _ condition: String,
    _ offset: Int,
    _ db: Connection
  ) throws -> Range<Int>? {
    let sql = """
      SELECT offset, bytes, is_given_back FROM pack_hole
      WHERE pack_id = $1 AND \(condition) LIMIT 1
      """
    return try db.row(sql, hole.packID, offset) { row in
      guard try row.value(2) else { return nil }
      let (start, count): (Int, Int) = try (row.value(0), row.value(1))
      return start..<start + max(count, 0)
    }
  }

  /// Deletes a full pack that consists of one hole; says whether it did.
  static func delete(ifAllOf hole: PackHole, _ db: Connection) throws -> Bool {
    guard hole.range.lowerBound == 0, hole.range.upperBound >= Limits.packBytes,
      try end(of: hole.packID, db) == hole.range.upperBound
    else { return false }
    try db.run("DELETE FROM pack_hole WHERE pack_id = $1", hole.packID)
    try db.run("DELETE FROM pack WHERE id = $1", hole.packID)
    return true
  }
}
