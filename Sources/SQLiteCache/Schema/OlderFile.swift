import GRDB

/// Lets a connection that may not migrate read a file of an earlier version.
///
/// Objects of the connection's own, in memory, stand before what the file lacks: SQLite looks for a
/// name among them first. Only what readers ask for is there.
enum OlderFile {
  static func complete(_ db: Database, version: Int64) throws {
    if version < Schema.version { try db.execute(sql: "PRAGMA temp_store = MEMORY") }
    if version < 5 { try completeThumbnails(db, version: version) }
    if version < 4 { try completeFeeds(db, version: version) }
    if version < 2 { try completeVersion1(db) }
  }

  /// One view for all that thumbnails have gained since.
  private static func completeThumbnails(_ db: Database, version: Int64) throws {
    var columns = "NULL AS pack_id, NULL AS position, NULL AS bytes, NULL AS checksum"
    if version < 3 { columns += ", NULL AS source_sha256" }
    try db.execute(sql: "CREATE TEMP VIEW thumbnail AS SELECT *, \(columns) FROM main.thumbnail")
  }

  /// One view for all that feeds have gained since.
  private static func completeFeeds(_ db: Database, version: Int64) throws {
    var columns = "NULL AS reach, NULL AS private_host"
    if version < 2 { columns += ", NULL AS moved_to, 0 AS is_paused, NULL AS next_sync_at" }
    try db.execute(sql: "CREATE TEMP VIEW feed AS SELECT *, \(columns) FROM main.feed")
  }

  private static func completeVersion1(_ db: Database) throws {
    try db.execute(
      sql: "CREATE TEMP TABLE feed_alias (address TEXT PRIMARY KEY, feed_id INTEGER NOT NULL)"
    )
  }
}
