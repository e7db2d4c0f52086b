import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Workers

/// The SQL that reads thumbnails, and that finds wanted ones.
enum ThumbnailQueries {
  /// The location of an image's thumbnail; nil when no thumbnail is stored.
  static func location(imageID: Int64, _ db: Database) throws -> PackLocation? {
    let sql = "SELECT \(PackLocation.columns) FROM thumbnail WHERE image_id = ?"
    let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [imageID])
    return try row.map { try PackLocation($0, at: 0) }
  }

  /// Whether a thumbnail of a feed is to be fetched, made or checked.
  static func wantsAny(feedID: Int64, _ filter: PictureFilter, _ db: Database) throws -> Bool {
    if filter.all { return true }
    let statement = try db.cachedStatement(sql: wantsAnySQL(retriesFailed: filter.retriesFailed))
    let row = try Row.fetchOne(statement, arguments: [feedID, filter.now.storedSeconds])
    return try row?.value(0) ?? false
  }

  static func wantsAnySQL(retriesFailed: Bool) -> String {
    let missing = [ThumbnailState.wanted, .unmade].map { state in
      """
      SELECT 1 FROM image
      WHERE feed_id = ?1 AND is_hidden = 0 AND thumbnail_state = \(state.rawValue)
      """
    }
    let due = [PictureKind.thumbnail, .madeThumbnail].map { kind in
      CheckQueries.dueSQL(kind, retriesFailed: retriesFailed)
    }
    return "SELECT " + (missing + due).map { "EXISTS (\($0))" }.joined(separator: " OR ")
  }

  /// The wanted thumbnail that can be made from an image's stored original.
  ///
  /// Nil when the image does not want one, or when its original is missing or stale.
  static func wantedThumbnail(madeFor imageID: Int64, _ db: Database) throws -> WantedPicture? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT id, date, position, original_address, date, NULL, NULL, NULL FROM image
        WHERE id = ? AND is_hidden = 0 AND thumbnail_state = \(ThumbnailState.unmade.rawValue)
          AND original_state = \(OriginalState.stored.rawValue)
        """
    )
    return try statement.rows([imageID], WantedPicture.init).first
  }

  /// SHA-256 of the picture from which an image's thumbnail was made; nil for a thumbnail stored as it arrived.
  static func source(imageID: Int64, _ db: Database) throws -> String? {
    let statement = try db.cachedStatement(
      sql: "SELECT source_sha256 FROM thumbnail WHERE image_id = ?"
    )
    return try String.fetchOne(statement, arguments: [imageID])
  }

  /// Marks a made thumbnail to be made again if its source was another original than the stored one.
  static func outdate(imageID: Int64, unlessMadeFrom sha256: String, _ db: Database) throws {
    let sql = """
      UPDATE image SET thumbnail_state = ?, thumbnail_check_at = NULL
      WHERE id = ? AND thumbnail_state = ?
        AND (SELECT source_sha256 FROM thumbnail WHERE image_id = image.id) IS NOT ?
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      ThumbnailState.unmade.rawValue, imageID, ThumbnailState.made.rawValue, sha256,
    ])
  }
}

extension PackLocation {
  static let columns = "pack_id, offset, thumbnail.bytes, thumbnail.checksum"

  /// Reads `columns` from a row, beginning at an index.
  init(_ row: Row, at index: Int) throws {
    self.init(
      packID: try row.value(index),
      offset: try row.bounded(index + 1),
      count: try row.bounded(index + 2),
      checksum: try row.value(index + 3)
    )
  }
}

extension SHA256Digest {
  /// Reads a column; nil for NULL, and for bytes that are not a hash.
  init?(_ row: Row, at index: Int) throws {
    let hash = try row.withUnsafeData(atIndex: index) { data in
      data.flatMap { SHA256Digest(bytes: $0) }
    }
    guard let hash else { return nil }
    self = hash
  }
}
