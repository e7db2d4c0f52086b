import FoundationEssentials
import GRDB
import Models
import Workers

/// The SQL about thumbnails.
enum ThumbnailQueries {
  static func bytes(imageID: Int64, _ db: Database) throws -> [UInt8]? {
    let sql = "SELECT data FROM thumbnail WHERE image_id = ?"
    return try Data.fetchOne(db, sql: sql, arguments: [imageID]).map { [UInt8]($0) }
  }

  static func count(feedID: Int64, all: Bool, _ db: Database) throws -> Int {
    let sql = """
      SELECT count(*) FROM image WHERE feed_id = ? AND is_hidden = 0 AND \(condition(all: all))
      """
    return try Int.fetchOne(db, sql: sql, arguments: [feedID]) ?? 0
  }

  static func orders(
    feedID: Int64,
    all: Bool,
    after last: PictureOrder?,
    limit: Int,
    _ db: Database
  ) throws -> [PictureOrder] {
    let query = OrderQuery(
      column: "thumbnail_address",
      condition: condition(all: all),
      feedID: feedID
    )
    return try query.rows(after: last, limit: limit, db)
  }

  private static func condition(all: Bool) -> String {
    all ? "thumbnail_address IS NOT NULL" : "thumbnail_state = \(ThumbnailState.wanted.rawValue)"
  }

  /// The statements of one transaction that stores thumbnails.
  struct Storing {
    private let describe: Statement
    private let keep: Statement
    private let wantAgain: Statement

    init(_ db: Database) throws {
      describe = try db.cachedStatement(
        sql: """
          UPDATE image SET thumbnail_state = 1, thumbnail_format = ?, thumbnail_bytes = ?,
            thumbnail_width = ?, thumbnail_height = ?
          WHERE id = ? AND thumbnail_address = ?
          """
      )
      keep = try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO thumbnail
            (image_id, address, etag, last_modified, fetched_at, data)
          VALUES (?, ?, ?, ?, ?, ?)
          """
      )
      wantAgain = try db.cachedStatement(
        sql: """
          UPDATE image SET thumbnail_state = 2 WHERE id = ? AND thumbnail_address IS NOT NULL
          """
      )
    }

    /// Stores one, unless the feed has named another address while it was fetched.
    func store(_ thumbnail: FetchedThumbnail, _ db: Database) throws {
      let info = thumbnail.info
      try describe.execute(arguments: [
        info.format.rawValue, thumbnail.bytes.count, info.width, info.height,
        thumbnail.imageID, thumbnail.address.text,
      ])
      guard db.changesCount > 0 else {
        return try wantAgain.execute(arguments: [thumbnail.imageID])
      }
      try keep.execute(arguments: [
        thumbnail.imageID, thumbnail.address.text, thumbnail.validators.entityTag,
        thumbnail.validators.lastModified, thumbnail.fetched.storedSeconds, Data(thumbnail.bytes),
      ])
    }
  }
}
