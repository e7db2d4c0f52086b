import FoundationEssentials
import GRDB
import Store
import Workers

/// The SQL that counts stored images and bytes.
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
    figures.originalBytes = try number(BoundQueries.sum, db)
    let put = "FROM put_original JOIN original ON original.id = original_id"
    figures.objects = try number("SELECT count(*) \(put)", db)
    figures.waitingObjects = try number("SELECT count(*) FROM original", db) - figures.objects
    figures.objectBytes = try number("SELECT sum(bytes) \(put)", db)
    figures.verified = try VerificationQueries.last(db).map(Date.init(storedSeconds:))
    return figures
  }

  static func storage(imageID: Int64, _ db: Database) throws -> ImageStorage? {
    let sql = """
      SELECT image.feed_id, thumbnail.fetched_at, thumbnail_state, thumbnail_check_at,
        held.stored_at, original_check_at, used_at,
        EXISTS (SELECT 1 FROM put_original AS put WHERE put.original_id = held.original_id),
        EXISTS (SELECT 1 FROM away_original AS away WHERE away.original_id = held.original_id)
      FROM image LEFT JOIN thumbnail ON thumbnail.image_id = image.id
      LEFT JOIN image_original AS held ON held.image_id = image.id
      LEFT JOIN original_use AS used ON used.original_id = held.original_id
      WHERE image.id = ? AND is_hidden = 0
      """
    guard let row = try Row.fetchOne(db, sql: sql, arguments: [imageID]),
      let feed = try FeedQueries.feed(id: row.value(0), db)
    else { return nil }
    func date(_ column: Int) throws -> Date? {
      try (row.value(column) as Int64?).map(Date.init(storedSeconds:))
    }
    var storage = ImageStorage(feed: feed)
    storage.thumbnailStored = try date(1)
    storage.isThumbnailMade = try row.value(2) == ThumbnailState.made.rawValue
    storage.thumbnailCheck = try date(3)
    storage.originalStored = try date(4)
    storage.originalCheck = try date(5)
    storage.originalUsed = try date(6)
    storage.isPut = try row.value(7)
    storage.isAway = try row.value(8)
    storage.originalBytes = try number(BoundQueries.sum, db)
    return storage
  }

  /// Counts images with an index alone.
  private static func images(_ index: String, _ condition: String, _ db: Database) throws -> Int {
    let source = "image INDEXED BY \(index) WHERE is_hidden = 0"
    return try number("SELECT count(*) FROM \(source) AND \(condition)", db)
  }

  private static func number(_ sql: String, _ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: sql) ?? 0
  }
}
