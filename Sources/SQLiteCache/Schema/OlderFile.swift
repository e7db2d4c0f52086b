import GRDB

/// Lets a connection that may not migrate read a file of an earlier version.
///
/// Objects of the connection's own, in memory, stand before what the file lacks: SQLite looks for a
/// name among them first. Only what readers ask for is there.
enum OlderFile {
  static func complete(_ db: Database, version: Int64) throws {
    if version >= 2 { return }
    try db.execute(
      sql: """
        PRAGMA temp_store = MEMORY;
        CREATE TEMP VIEW feed AS
          SELECT *, NULL AS moved_to, 0 AS is_paused, NULL AS next_sync_at FROM main.feed;
        CREATE TEMP TABLE feed_alias (address TEXT PRIMARY KEY, feed_id INTEGER NOT NULL);
        """
    )
  }
}
