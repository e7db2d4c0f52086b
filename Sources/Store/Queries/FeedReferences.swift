package import Models
import Workers

/// The SQL that reads the facts about feeds that listings show.
package enum FeedReferences {
  /// The followed feeds that images may belong to, by id.
  ///
  /// SQLite reads all feeds: that takes less time than to look up the feeds of a thousand images.
  package static func references(
    ofImages ids: [Int64],
    _ db: Connection
  ) throws -> [Int64: FeedReference] {
    let sql = "\(selection) FROM feed WHERE NOT is_removed"
    let feeds =
      switch db.dialect {
      case .sqlite: try db.rows(sql, element: reference)
      case .postgres:
        try db.rows(
          "\(sql) AND id IN (SELECT feed_id FROM image WHERE id \(db.dialect.ids(1)))",
          ids,
          element: reference
        )
      }
    return Dictionary(feeds.map { ($0.id, $0) }) { first, _ in first }
  }

  private static let selection = """
    SELECT id, address, coalesce(given_title, title), reach, private_host,
      \(MirrorQueries.gallery(ofFeed: "feed.id"))
    """

  /// Nil for an invalid address, which this program never writes.
  private static func reference(_ row: Row) throws -> FeedReference? {
    guard let address = try row.address(1) else { return nil }
    return try FeedReference(
      id: row.value(0),
      address: address,
      title: row.value(2),
      reach: FeedReach(column: row.value(3), host: row.value(4)),
      gallery: row.address(5)
    )
  }

  /// The titles that users see.
  package static func titles(_ db: Connection) throws -> [(id: Int64, title: String)] {
    let sql = """
      SELECT id, coalesce(given_title, title) FROM feed WHERE coalesce(given_title, title) <> ''
      """
    return try db.rows(sql) { row in try (id: row.value(0), title: row.value(1)) }
  }

  /// Removed feeds with images that are not hidden yet: their removal is under way, or was interrupted.
  ///
  /// PostgreSQL hides all images of a feed at once.
  package static func halfRemoved(_ db: Connection) throws -> [Int64] {
    guard case .sqlite = db.dialect else { return [] }
    let sql = """
      SELECT id FROM feed WHERE is_removed AND EXISTS (
        SELECT 1 FROM image \(db.dialect.hint("image_feed_newest"))
        WHERE feed_id = feed.id AND is_hidden = 0
      )
      """
    return try db.column(sql)
  }
}
