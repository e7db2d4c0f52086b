import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary: LibraryReading {
  package func imageIDs(matching query: ImageQuery) async throws(StoreError) -> [Int64] {
    try await reading { db in try ImageListing(query, db).ids(db) }
  }

  package func images(ids: [Int64]) async throws(StoreError) -> [WebImage] {
    try await reading { db in try ImageQueries.images(ids, db) }
  }

  package func image(id: Int64) async throws(StoreError) -> WebImage? {
    try await reading(.short) { db in
      var image = try ImageQueries.images([id], db).first
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
      // The room of a thumbnail that was replaced since its row was read may have been given back already.
      if location == seen { return nil }
      seen = location
    }
    return nil
  }

  package func original(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    let (stored, here) = try await onReads(.short) { () throws(StoreError) in
      let (stored, here) = try self.read { db in
        let stored = try OriginalQueries.original(imageID: imageID, in: self.folder, db)
        let here = try stored == nil ? FolderQueries.original(imageID: imageID, db) : nil
        return (stored, here)
      }
      return (try stored?.found(), here)
    }
    // A file of a folder that is a feed may be on a drive that does not answer.
    guard let here else { return stored }
    return try await here.original.foundApart(in: here.folder)
  }

  package func successors(imageID: Int64) async throws(StoreError) -> [Successor] {
    try await reading(.short) { db in
      try SuccessorQueries.successors(imageID: imageID, in: self.folder, db)
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
    var figures = try await reading { db in
      var figures = try FigureQueries.figures(db)
      figures.originalBytes = try db.value(BoundQueries.sum) ?? 0
      return figures
    }
    figures.databaseBytes = FileSystem.size(of: folder.database) ?? 0
    figures.bounds = room.bounds
    if objects == nil { figures.waitingObjects = nil }
    return figures
  }

  package func storage(imageID: Int64) async throws(StoreError) -> ImageStorage? {
    let (room, needsPut) = (room, objects != nil)
    return try await reading(.short) { db in
      guard var storage = try Self.storage(imageID: imageID, db) else { return nil }
      (storage.bounds, storage.needsPut) = (room.bounds, needsPut)
      if !room.bounds.isNone {
        storage.originalsBefore = try BoundQueries.countBefore(
          imageID: imageID,
          arePut: needsPut,
          besides: room.arriving(),
          db
        )
      }
      return storage
    }
  }

  private static func storage(imageID: Int64, _ db: Connection) throws -> ImageStorage? {
    let sql = """
      SELECT image.feed_id, thumbnail.fetched_at, thumbnail_state, thumbnail_check_at,
        held.stored_at, original_check_at, used_at,
        EXISTS (SELECT 1 FROM put_original AS put WHERE put.original_id = held.original_id),
        EXISTS (SELECT 1 FROM away_original AS away WHERE away.original_id = held.original_id),
        held.address
      FROM image LEFT JOIN thumbnail ON thumbnail.image_id = image.id
      LEFT JOIN image_original AS held ON held.image_id = image.id
      LEFT JOIN original_use AS used ON used.original_id = held.original_id
      WHERE image.id = $1 AND is_hidden = 0
      """
    let found = try db.row(sql, imageID) { row -> ImageStorage? in
      guard let feed = try FeedQueries.feed(id: row.value(0), db) else { return nil }
      var storage = ImageStorage(feed: feed)
      storage.thumbnailStored = try row.date(1)
      storage.isThumbnailMade = try row.value(2) == ThumbnailState.made.rawValue
      storage.isThumbnailUnmade = try row.value(2) == ThumbnailState.unmade.rawValue
      storage.thumbnailCheck = try row.date(3).flatMap(FolderOriginal.checked)
      storage.originalStored = try row.date(4)
      storage.originalCheck = try row.date(5).flatMap(FolderOriginal.checked)
      storage.originalUsed = try row.date(6)
      storage.isPut = try row.value(7)
      storage.isAway = try row.value(8)
      storage.originalSource = try row.address(9)
      return storage
    }
    guard var storage = found else { return nil }
    storage.originalBytes = try db.value(BoundQueries.sum) ?? 0
    return storage
  }
}
