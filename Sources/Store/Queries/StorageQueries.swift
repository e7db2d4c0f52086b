import FoundationEssentials
package import Models
package import Workers

/// The SQL that tells what is stored of an image.
package enum StorageQueries {
  /// The name of the file of an original.
  package typealias FileName = (sha256: String, format: ImageFormat)
  /// What is stored of an image, and the name of its original's file, if there is an original.
  package typealias Stored = (storage: ImageStorage, original: FileName?)

  /// What the rows tell of an image's pictures; nil without a visible image.
  ///
  /// Only SQLite has rows that tell when an original was last used, and whether its file is away. Each machine of a
  /// library in PostgreSQL has files of its own.
  ///
  /// - Parameters:
  ///   - imageID: The image.
  ///   - db: The library.
  /// - Returns: The facts.
  /// - Throws: when the library cannot be read.
  package static func storage(
    imageID: Int64,
    _ db: Connection
  ) throws -> Stored? {
    let visible = "SELECT feed_id FROM image WHERE id = $1 AND is_hidden = 0"
    guard let feedID: Int64 = try db.value(visible, imageID),
      let feed = try FeedQueries.feed(id: feedID, db)
    else { return nil }
    return try db.row(selection[db.dialect], imageID) { row -> Stored? in
      var storage = ImageStorage(feed: feed)
      storage.thumbnailStored = try row.date(0)
      storage.isThumbnailMade = try row.value(1) == ThumbnailState.made.rawValue
      storage.isThumbnailUnmade = try row.value(1) == ThumbnailState.unmade.rawValue
      storage.thumbnailCheck = try row.date(2).flatMap(FolderOriginal.checked)
      storage.originalStored = try row.date(3)
      storage.originalCheck = try row.date(4).flatMap(FolderOriginal.checked)
      storage.originalSource = try row.address(5)
      storage.isPut = try row.value(6)
      storage.isAway = try row.value(7)
      storage.originalUsed = try row.date(8)
      var original: FileName?
      if let sha256: String = try row.value(9), let format: ImageFormat = try row.value(raw: 10) {
        original = (sha256, format)
      }
      return (storage, original)
    }
  }

  private static let selection = EachDialect { dialect in
    let ofFile =
      switch dialect {
      case .sqlite:
        """
        \(ObjectQueries.isAway),
          (SELECT used_at FROM original_use WHERE original_id = original.id)
        """
      case .postgres: "false, CAST(NULL AS bigint)"
      }
    return """
      SELECT thumbnail.fetched_at, thumbnail_state, thumbnail_check_at, held.stored_at,
        original_check_at, held.address, \(ObjectQueries.isPut(dialect)), \(ofFile), sha256, format
      FROM image LEFT JOIN thumbnail ON thumbnail.image_id = image.id
      LEFT JOIN image_original AS held ON held.image_id = image.id
      LEFT JOIN original ON original.id = held.original_id
      WHERE image.id = $1
      """
  }
}
