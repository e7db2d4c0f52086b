import GRDB
import LibraryFiles
package import Models
import Store
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
      image?.manifest = try MemberQueries.manifest(imageID: id, db.store)
      image?.isPinned = try PinQueries.isPinned(imageID: id, db.store)
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
    try await onReads(.short) { () throws(StoreError) in
      try self.read { db in
        try OriginalQueries.original(imageID: imageID, in: self.folder, db.store)
      }?.found()
    }
  }

  package func feeds() async throws(StoreError) -> [Feed] {
    try await reading { db in try FeedQueries.followed(db) }
  }

  package func manifests(at address: WebAddress?) async throws(StoreError) -> [FeedManifest] {
    try await reading { db in try MemberQueries.manifests(at: address, db.store) }
  }

  package func failures() async throws(StoreError) -> [Int64: [FailureGroup]] {
    try await reading { db in try FailureQueries.groups(db.store) }
  }

  package func figures() async throws(StoreError) -> LibraryFigures {
    var figures = try await reading { db in try FigureQueries.figures(db) }
    figures.databaseBytes = FileSystem.size(of: folder.database) ?? 0
    figures.bounds = room.bounds
    if objects == nil { figures.waitingObjects = nil }
    return figures
  }

  package func storage(imageID: Int64) async throws(StoreError) -> ImageStorage? {
    let (room, needsPut) = (room, objects != nil)
    return try await reading(.short) { db in
      guard var storage = try FigureQueries.storage(imageID: imageID, db) else { return nil }
      (storage.bounds, storage.needsPut) = (room.bounds, needsPut)
      if !room.bounds.isNone {
        storage.originalsBefore = try BoundQueries.countBefore(
          imageID: imageID,
          arePut: needsPut,
          besides: room.arriving(),
          db.store
        )
      }
      return storage
    }
  }
}
