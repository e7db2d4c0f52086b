import FoundationEssentials
import GRDB
import Models
import Workers

/// The SQL about originals.
enum OriginalQueries {
  private static let isWanted = "original_state <> \(OriginalState.stored.rawValue)"

  /// An original's row.
  struct File {
    var sha256: String
    var info: PictureInfo
    var state: OriginalState
  }

  static func file(imageID: Int64, _ db: Database) throws -> File? {
    let sql = """
      SELECT sha256, format, bytes, original.width, original.height, original_state
      FROM image_original
      JOIN original ON original.id = original_id
      JOIN image ON image.id = image_id
      WHERE image_id = ?
      """
    guard let row = try Row.fetchOne(db, sql: sql, arguments: [imageID]),
      let format = ImageFormat(rawValue: row[1])
    else { return nil }
    return File(
      sha256: row[0],
      info: PictureInfo(format: format, bytes: row[2], width: row[3], height: row[4]),
      state: OriginalState(rawValue: row[5]) ?? .missing
    )
  }

  /// What is wanted of a feed: what is missing, and what is no longer right.
  static func wanted(feedID: Int64, _ wish: PictureWish) -> OrderQuery {
    OrderQuery(kind: .original, condition: isWanted, feedID: feedID, wish: wish)
  }

  /// The format that a file of this content is kept under; nil when there is none.
  static func format(sha256: String, _ db: Database) throws -> ImageFormat? {
    let sql = "SELECT format FROM original WHERE sha256 = ?"
    return try String.fetchOne(db, sql: sql, arguments: [sha256])
      .flatMap(ImageFormat.init(rawValue:))
  }

  /// Ties a file to an image.
  static func store(
    _ original: StoredOriginal,
    of arrived: ArrivedOriginal,
    now: Date,
    _ db: Database
  ) throws {
    let info = original.info
    try db.execute(
      sql: """
        INSERT INTO original(sha256, format, bytes, width, height, stored_at)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT(sha256) DO NOTHING;
        """,
      arguments: [
        original.sha256, info.format.rawValue, info.bytes, info.width, info.height,
        now.storedSeconds,
      ]
    )
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO image_original
          (image_id, original_id, address, etag, last_modified, stored_at)
        SELECT ?, id, ?, ?, ?, ? FROM original WHERE sha256 = ?
        """,
      arguments: [
        arrived.imageID, arrived.address.text, arrived.validators.entityTag,
        arrived.validators.lastModified, now.storedSeconds,
        original.sha256,
      ]
    )
    try FailureQueries.forget([arrived.imageID], .original, db)
    let state: OriginalState = original.isStale ? .stale : .stored
    let sql = "UPDATE image SET original_state = ? WHERE id = ?"
    try db.execute(sql: sql, arguments: [state.rawValue, arrived.imageID])
  }

  /// The address that the feed names now; nil when there is no such image.
  static func address(imageID: Int64, _ db: Database) throws -> WebAddress? {
    let sql = "SELECT original_address FROM image WHERE id = ?"
    return try String.fetchOne(db, sql: sql, arguments: [imageID]).flatMap(WebAddress.init)
  }
}
