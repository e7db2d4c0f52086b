import GRDB
import Models
import Workers

/// Hands the copy of a gallery over, and forgets that of a library that another one has replaced.
extension MirrorQueries {
  /// Handles a library that has moved to another address, and an address that has another library now.
  ///
  /// A library keeps its copy only when the target names its former address, because any gallery can state any UUID.
  /// The copy of another library counts as gone: in the new library the same ids mean other images, so they must not
  /// find the old ones.
  static func takeOver(
    _ target: MirrorTarget,
    as id: Int64,
    _ db: Database
  ) throws -> Bool {
    let former = try target.former.flatMap { try FeedQueries.id(at: $0, db) }
    let sameLibrary = """
      SELECT feed_id FROM mirror WHERE library = ? AND feed_id <> ? AND feed_id = ? AND library <> ''
      """
    let arguments: StatementArguments = [target.library, id, former]
    let other = try Int64.fetchOne(db, sql: sameLibrary, arguments: arguments)
    if let other { try hand(other, to: id, library: target.library, db) }
    return try !forgetOtherLibrary(than: target.library, ofMirror: id, db) && other != nil
  }

  /// Makes the copy of one gallery that of another, and removes the first one.
  private static func hand(
    _ other: Int64,
    to id: Int64,
    library: String,
    _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO mirror(feed_id, library, cursor, is_static)
          SELECT :id, :library, cursor, is_static FROM mirror WHERE feed_id = :other;
        UPDATE OR REPLACE mirror_feed SET mirror_id = :id WHERE mirror_id = :other;
        UPDATE OR REPLACE mirror_image SET mirror_id = :id WHERE mirror_id = :other;
        UPDATE mirror_thumbnail SET mirror_id = :id WHERE mirror_id = :other;
        UPDATE OR REPLACE listed_feed SET list_id = :id WHERE list_id = :other;
        DELETE FROM mirror WHERE feed_id = :other;
        """,
      arguments: ["id": id, "other": other, "library": library]
    )
    // Its address may contain a token that is no longer valid.
    try FeedQueries.setRemoved(true, id: other, db)
    try RemovalQueries.deleteFeed(id: other, db)
  }

  /// Lets the copy of another library than the one that a gallery has now count as gone.
  ///
  /// - Returns: Whether there was such a copy.
  private static func forgetOtherLibrary(
    than library: String,
    ofMirror id: Int64,
    _ db: Database
  ) throws -> Bool {
    let foreign = "SELECT library FROM mirror WHERE feed_id = ? AND library <> ?"
    guard try String.fetchOne(db, sql: foreign, arguments: [id, library]) != nil else {
      return false
    }
    try db.execute(
      sql: """
        UPDATE mirror SET cursor = NULL WHERE feed_id = :id;
        UPDATE mirror_feed SET is_gone = 1, origin_id = -feed_id WHERE mirror_id = :id;
        DELETE FROM mirror_image WHERE mirror_id = :id;
        DELETE FROM mirror_thumbnail WHERE mirror_id = :id;
        """,
      arguments: ["id": id]
    )
    return true
  }
}
