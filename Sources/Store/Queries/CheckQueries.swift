import LibraryFiles
package import Models
package import Workers

/// The SQL about asking servers whether stored pictures have changed under their addresses.
///
/// A picture whose server is to be asked has a date in `thumbnail_check_at` or `original_check_at`. Only images that
/// the feed's documents still list have such dates, so the queries take only as long as the documents are.
package enum CheckQueries {
  /// Stops the checks of pictures whose images a feed's documents do not have.
  ///
  /// - Parameters:
  ///   - feedID: The feed.
  ///   - listed: The images of its documents.
  ///   - limit: The most rows that a transaction of SQLite may write; in PostgreSQL, other writers need not wait.
  ///   - db: A transaction.
  /// - Returns: Whether there may be more such images than the limit.
  /// - Throws: when the library cannot be written.
  package static func end(
    feedID: Int64,
    except listed: IDSet,
    limit: Int,
    _ db: Connection
  ) throws -> Bool {
    guard case .sqlite = db.dialect else {
      try endAll(feedID: feedID, except: listed, db)
      return false
    }
    var left = limit
    for kind in [PictureKind.thumbnail, .original] {
      let ids: [Int64] = try db.column(askedSQL(kind), feedID)
      let update = "UPDATE image SET \(kind.checkColumn) = NULL WHERE id = $1"
      for id in ids.lazy.filter({ !listed.contains($0) }).prefix(left) {
        try db.run(update, id)
        left -= 1
      }
    }
    return left == 0
  }

  package static func askedSQL(_ kind: PictureKind) -> String {
    "SELECT id FROM image WHERE feed_id = $1 AND \(kind.checkColumn) IS NOT NULL"
  }

  /// Does the same for both kinds of pictures together, which saves messages to the server.
  private static func endAll(feedID: Int64, except listed: IDSet, _ db: Connection) throws {
    let asked = """
      SELECT id FROM image WHERE feed_id = $1
        AND (thumbnail_check_at IS NOT NULL OR original_check_at IS NOT NULL)
      """
    let all: [Int64] = try db.column(asked, feedID)
    let ids = all.filter { !listed.contains($0) }
    if ids.isEmpty { return }
    let sql = """
      UPDATE image SET thumbnail_check_at = NULL, original_check_at = NULL
      WHERE \(RemovalQueries.isOfFeed(db.dialect))
      """
    try db.run(sql, ids, feedID)
  }
}

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
