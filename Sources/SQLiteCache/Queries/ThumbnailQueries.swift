import FoundationEssentials
import GRDB
import Models
import Workers

/// The SQL that reads thumbnails, and which are wanted.
enum ThumbnailQueries {
  static func bytes(imageID: Int64, _ db: Database) throws -> [UInt8]? {
    let sql = "SELECT data FROM thumbnail WHERE image_id = ?"
    return try Data.fetchOne(db, sql: sql, arguments: [imageID]).map { [UInt8]($0) }
  }

  /// What is wanted of a feed: what is missing or outdated, or with `wish.all` all that it names.
  static func wanted(feedID: Int64, _ wish: PictureWish) -> OrderQuery {
    guard wish.all else {
      let condition = "thumbnail_state = \(ThumbnailState.wanted.rawValue)"
      return OrderQuery(kind: .thumbnail, condition: condition, feedID: feedID, wish: wish)
    }
    return OrderQuery(
      kind: .thumbnail,
      condition: "thumbnail_address IS NOT NULL",
      feedID: feedID,
      wish: wish,
      heldSince: """
        (SELECT fetched_at FROM thumbnail
          WHERE image_id = image.id AND thumbnail_state = \(ThumbnailState.stored.rawValue))
        """
    )
  }
}
