import LibraryFiles
import Models
import Store

/// The SQL that finds thumbnails in their packs.
enum ThumbnailQueries {
  /// The location of an image's thumbnail; nil when no thumbnail is stored.
  static func location(imageID: Int64, _ db: Connection) throws -> PackLocation? {
    let sql = "SELECT \(PackLocation.columns) FROM thumbnail WHERE image_id = $1"
    return try db.row(sql, imageID) { row in try PackLocation(row, at: 0) }
  }

  /// The location of an image's thumbnail, with the hash that its bytes should have; nil when no thumbnail is stored.
  static func place(
    imageID: Int64,
    _ db: Connection
  ) throws -> (location: PackLocation, hash: SHA256Digest?)? {
    let sql = """
      SELECT \(PackLocation.columns), thumbnail_sha256 FROM thumbnail
      JOIN image ON image.id = image_id WHERE image_id = $1
      """
    return try db.row(sql, imageID) { row in try (PackLocation(row, at: 0), row.hash(4)) }
  }
}

extension PackLocation {
  static let columns = "pack_id, offset, thumbnail.bytes, thumbnail.checksum"

  /// Reads `columns` from a row, beginning at an index.
  init(_ row: Row, at index: Int) throws {
    self.init(
      packID: try row.value(index),
      offset: try row.value(index + 1),
      count: try row.value(index + 2),
      checksum: try row.value(index + 3)
    )
  }
}
