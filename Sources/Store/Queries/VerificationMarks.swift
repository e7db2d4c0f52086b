import Workers

/// The SQL of the place that a verification has reached, where the next one goes on.
enum VerificationMarks {
  static func mark(_ db: Connection) throws -> VerificationMark {
    func last(_ part: String) throws -> Int64 {
      try db.value("SELECT last_id FROM verification WHERE part = $1", part) ?? 0
    }
    return VerificationMark(thumbnail: try last("thumbnail"), original: try last("original"))
  }

  /// Stores the place; one at the start means that a verification has reached the end `now`, in seconds since 1970.
  static func set(_ mark: VerificationMark, now: Int64, _ db: Connection) throws {
    let sql = """
      INSERT INTO verification(part, last_id) VALUES ($1, $2)
      ON CONFLICT (part) DO UPDATE SET last_id = excluded.last_id
      """
    try db.run(sql, "thumbnail", mark.thumbnail)
    try db.run(sql, "original", mark.original)
    if mark.isAtStart { try db.run(sql, "end", now) }
  }
}
