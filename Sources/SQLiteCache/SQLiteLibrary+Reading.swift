import FoundationEssentials
import LibraryFiles
import Models
import Store
package import Workers

extension SQLiteLibrary: LibraryReading {
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
      guard var storage = try StorageQueries.storage(imageID: imageID, db)?.storage else {
        return nil
      }
      (storage.bounds, storage.needsPut) = (room.bounds, needsPut)
      storage.originalBytes = try db.value(BoundQueries.sum) ?? 0
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
}
