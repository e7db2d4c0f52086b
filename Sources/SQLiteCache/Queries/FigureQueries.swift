import GRDB
import Workers

/// The SQL of how much is stored.
enum FigureQueries {
  static func figures(_ db: Database) throws -> LibraryFigures {
    var figures = LibraryFigures()
    figures.images = try number("SELECT sum(image_count) FROM feed WHERE is_removed = 0", db)
    figures.thumbnails = try images("image_thumbnail_sha256", "thumbnail_sha256 IS NOT NULL", db)
    figures.waitingThumbnails =
      try images("image_thumbnail_wanted", "thumbnail_state = 2", db)
      + images("image_thumbnail_unmade", "thumbnail_state = 0", db)
    figures.originals = try images("image_newest", "original_state <> 0", db)
    figures.pins = try number("SELECT count(*) FROM pin", db)
    figures.thumbnailBytes = try number("SELECT sum(bytes) FROM pack", db)
    figures.originalBytes = try number("SELECT sum(bytes) FROM original", db)
    return figures
  }

  /// Counts images by an index alone.
  private static func images(_ index: String, _ condition: String, _ db: Database) throws -> Int {
    let source = "image INDEXED BY \(index) WHERE is_hidden = 0"
    return try number("SELECT count(*) FROM \(source) AND \(condition)", db)
  }

  private static func number(_ sql: String, _ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: sql) ?? 0
  }
}
