/// Remembers that the rows of feeds are sound and that their indexes find them, so that a process can add thousands of
/// feeds without as many full checks.
///
/// It checks all rows before the first feed is added, again when the number of feeds has doubled, and after another
/// process has written.
package struct SoundFeeds {
  /// The version of the data at the last check (www.sqlite.org/pragma.html#pragma_data_version).
  private var version: Int64?
  /// How many feeds may still be added before the next check.
  package private(set) var left = 0

  package init() {}

  /// - Throws: when the checksum of a row is wrong, or no index finds a feed at its address.
  package mutating func check(_ db: Connection) throws {
    guard case .sqlite = db.dialect else { return }
    let now: Int64? = try db.value("PRAGMA data_version")
    left -= 1
    if now == version, left >= 0 { return }
    try RowSeal.feed.checkAll(db)
    try checkIndexes(db)
    version = now
    left = try db.value("SELECT count(*) FROM feed") ?? 0
  }

  /// Throws when no index finds a feed at an address that its table has, since it would be followed twice.
  private func checkIndexes(_ db: Connection) throws {
    let sql = """
      SELECT EXISTS (
        SELECT 1 FROM feed AS own NOT INDEXED
        WHERE own.id IS NOT (SELECT id FROM feed AS found WHERE found.identity = own.identity)
      ) OR EXISTS (
        SELECT 1 FROM feed_alias AS own NOT INDEXED WHERE own.feed_id IS NOT
          (SELECT feed_id FROM feed_alias AS found WHERE found.identity = own.identity)
      )
      """
    if try db.value(sql) == true {
      throw UnsoundRow(message: "an index does not have a feed that its table has")
    }
  }
}
