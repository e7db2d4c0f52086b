import FoundationEssentials
import Models
package import Workers

/// The SQL that counts stored images and bytes.
package enum FigureQueries {
  /// The figures that the rows tell; those of files are the caller's.
  package static func figures(_ db: Connection) throws -> LibraryFigures {
    var figures = LibraryFigures()
    figures.images = try sum("image_count", "feed WHERE \(db.dialect.isFalse("is_removed"))", db)
    figures.thumbnails = try images("image_thumbnail_sha256", "thumbnail_sha256 IS NOT NULL", db)
    figures.waitingThumbnails = try waitingThumbnails(db)
    figures.originals = try images("image_newest", "original_state <> 0", db)
    (figures.originalsInPlace, figures.bytesInPlace) = try FolderQueries.figures(db)
    figures.pins = try count("pin", db)
    let put: String
    switch db.dialect {
    case .sqlite:
      figures.thumbnailBytes = try sum("bytes", "pack", db)
      put = "put_original JOIN original ON original.id = original_id"
    case .postgres:
      figures.thumbnailBytes = try sum(
        "thumbnail_bytes",
        "image WHERE thumbnail_sha256 IS NOT NULL",
        db
      )
      let packs = "pack WHERE emptied_at IS NULL"
      figures.packs = try count(packs, db)
      figures.packBytes = try sum("bytes", packs, db)
      figures.databaseBytes = try db.value("SELECT pg_database_size(current_database())") ?? 0
      put = "original WHERE put_at IS NOT NULL"
    }
    figures.objects = try count(put, db)
    figures.objectBytes = try sum("bytes", put, db)
    figures.waitingObjects = try count("original", db) - figures.objects
    let verified: Int64? = try db.value("SELECT last_id FROM verification WHERE part = 'end'")
    figures.verified = verified.map(Date.init(storedSeconds:))
    return figures
  }

  /// Counts the thumbnails that a sync fetches or makes; those of a mirrored feed come only if its gallery has them.
  private static func waitingThumbnails(_ db: Connection) throws -> Int {
    let isOwn = "feed_id NOT IN (SELECT feed_id FROM mirror_feed)"
    // Otherwise SQLite would look for each image of the library.
    let wanted = "mirror_thumbnail \(db.dialect.joinInOrder) image ON image.id = image_id"
    return try images("image_thumbnail_wanted", "thumbnail_state = 2 AND \(isOwn)", db)
      + images("image_thumbnail_unmade", "thumbnail_state = 0 AND \(isOwn)", db)
      + count("\(wanted) WHERE is_hidden = 0", db)
  }

  /// Counts images; SQLite does so with an index alone.
  private static func images(
    _ index: String,
    _ condition: String,
    _ db: Connection
  ) throws -> Int {
    try count("image \(db.dialect.hint(index)) WHERE is_hidden = 0 AND \(condition)", db)
  }

  private static func count(_ rows: String, _ db: Connection) throws -> Int {
    try db.value("SELECT count(*) FROM \(rows)") ?? 0
  }

  private static func sum(_ column: String, _ rows: String, _ db: Connection) throws -> Int {
    try db.value("SELECT CAST(sum(\(column)) AS bigint) FROM \(rows)") ?? 0
  }
}
