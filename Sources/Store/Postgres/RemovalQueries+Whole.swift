import Models
import Workers

/// The steps of removals in PostgreSQL, one after another in one transaction: others need not wait for its end.
extension RemovalQueries {
  private static let imagesPerStep = 10_000

  private static func inSteps(_ step: (Int) throws -> Int) rethrows -> Int {
    var count = 0
    while true {
      let done = try step(imagesPerStep)
      if done == 0 { return count }
      count += done
    }
  }

  /// Hides the images of a feed that is removed.
  static func hide(feedID: Int64, _ db: Connection) throws {
    _ = try inSteps { limit in try hide(feedID: feedID, limit: limit, db) }
  }

  /// Shows the images of a feed that is followed again, except retired ones.
  static func show(feedID: Int64, _ db: Connection) throws {
    _ = try inSteps { limit in try show(feedID: feedID, limit: limit, db) }
  }

  package static func imageCount(feedID: Int64, _ db: Connection) throws -> Int {
    let sql = "SELECT count(*) FROM image WHERE feed_id = $1 AND is_hidden <> 2"
    return try db.value(sql, feedID) ?? 0
  }

  /// Deletes a removed feed, its images, and all rows that refer to them.
  package static func purge(feedID: Int64, _ db: Connection) throws {
    var originals: Set<Int64> = []
    _ = try inSteps { limit in
      try delete(feedID: feedID, limit: limit, originals: &originals, db)
    }
    try deleteFeed(id: feedID, db)
  }
}

extension RetentionQueries {
  /// Retires the images behind the newest ones, except pinned ones, and returns their number.
  package static func retire(behind newest: Int, feedID: Int64, _ db: Connection) throws -> Int {
    let ids = try beyond(newest, feedID: feedID, limit: .max, db)
    if ids.isEmpty { return 0 }
    try untie(ids, feedID: feedID, db)
    try retire(ids, feedID: feedID, db)
    return ids.count
  }

  /// Unties the originals of images behind the newest ones, except pinned ones, and returns their number.
  package static func untie(behind newest: Int, feedID: Int64, _ db: Connection) throws -> Int {
    let ids = try originalsBeyond(newest, feedID: feedID, limit: .max, db)
    if ids.isEmpty { return 0 }
    try untie(ids, feedID: feedID, db)
    return ids.count
  }

  /// Deletes the rows of images' originals, and of their damage.
  private static func untie(_ ids: [Int64], feedID: Int64, _ db: Connection) throws {
    try db.run("DELETE FROM image_original WHERE image_id \(db.dialect.ids(1))", ids)
    try ReplacedOriginals.forget(images: ids, db)
    let damage = "DELETE FROM damage WHERE image_id \(db.dialect.ids(1)) AND kind = $2"
    try db.run(damage, ids, PictureKind.original.rawValue)
    let isElsewhere = try FolderQueries.isElsewhere("image.id", db)
    let sql = """
      UPDATE image SET original_state = 0, original_check_at = NULL,
        change_seq = \(db.dialect.nextChange)
      WHERE feed_id = $2 AND id \(db.dialect.ids(1)) AND \(isElsewhere)
      """
    try db.run(sql, ids, feedID)
  }
}
