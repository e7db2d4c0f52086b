import GRDB
import LibraryFiles
package import Models
package import Workers

extension SQLiteLibrary: LibraryReading {
  package func imageIDs(matching query: ImageQuery) async throws(StoreError) -> [Int64] {
    try await reading { db in try ImageListing(query, db).ids(db) }
  }

  package func images(ids: [Int64]) async throws(StoreError) -> [WebImage] {
    try await reading { db in try ImageRow.images(ids, db) }
  }

  package func image(id: Int64) async throws(StoreError) -> WebImage? {
    try await reading(.short) { db in
      var image = try ImageRow.images([id], db).first
      image?.manifest = try MemberQueries.manifest(imageID: id, db)
      image?.isPinned = try PinQueries.isPinned(imageID: id, db)
      return image
    }
  }

  package func thumbnailBytes(imageID: Int64) async throws(StoreError) -> [UInt8]? {
    try await onReads(.short) { () throws(StoreError) in try self.bytes(ofThumbnailOf: imageID) }
  }

  func bytes(ofThumbnailOf imageID: Int64) throws(StoreError) -> [UInt8]? {
    var seen: PackLocation?
    while let location = try read({ db in try ThumbnailQueries.location(imageID: imageID, db) }) {
      if let bytes = try PackReader.bytes(at: location, in: folder) { return bytes }
      // The room of a thumbnail that was replaced since its row was read may be given back already.
      if location == seen { return nil }
      seen = location
    }
    return nil
  }

  package func original(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    try await onReads(.short) { () throws(StoreError) in
      let row = try self.read { db in try OriginalQueries.file(imageID: imageID, db) }
      guard let row else { return nil }
      return try StoredOriginal(row, in: self.folder).found()
    }
  }

  package func feeds() async throws(StoreError) -> [Feed] {
    try await reading { db in try FeedQueries.followed(db) }
  }

  package func manifests(at address: WebAddress?) async throws(StoreError) -> [FeedManifest] {
    try await reading { db in try MemberQueries.manifests(at: address, db) }
  }

  package func failures() async throws(StoreError) -> [Int64: [FailureGroup]] {
    try await reading { db in try FailureQueries.groups(db) }
  }

  package func figures() async throws(StoreError) -> LibraryFigures {
    var figures = try await reading { db in try FigureQueries.figures(db) }
    figures.databaseBytes = FileSystem.size(of: folder.database) ?? 0
    return figures
  }
}

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
