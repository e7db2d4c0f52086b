import Models
import Store

extension RetentionQueries {
  static func set(_ retention: FeedRetention, feedID: Int64, _ db: Database) throws {
    let sql = "INSERT OR REPLACE INTO feed_retention(feed_id, images, originals) VALUES (?, ?, ?)"
    try db.execute(sql: sql, arguments: [feedID, retention.images, retention.originals])
  }

  static func retention(feedID: Int64, _ db: Database) throws -> FeedRetention {
    let sql = "SELECT images, originals FROM feed_retention WHERE feed_id = ?"
    return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [feedID]).map { row in
      try FeedRetention(images: row.value(0), originals: row.value(1))
    } ?? FeedRetention()
  }
}
