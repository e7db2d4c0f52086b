import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

extension PostgresLibrary: LibraryReading {
  package func thumbnailBytes(imageID: Int64) async throws(StoreError) -> [UInt8]? {
    let rows = try await withBytes { db in
      let sql = """
        SELECT thumbnail_sha256, \(ThumbnailPlace.columns)
        FROM \(ThumbnailPlace.source) LEFT JOIN image ON image.id = image_id WHERE image_id = $1
        """
      return try db.rows(sql, imageID).map { ((), try ThumbnailPlace($0, at: 1, hash: $0.hash(0))) }
    }
    return rows.first?.bytes
  }

  package func figures() async throws(StoreError) -> LibraryFigures {
    var figures = try await reading { db in
      var figures = try FigureQueries.figures(db)
      // The rows tell which originals exist; each machine has its own files of them.
      figures.originalBytes = try self.room.size.bytes()
      return figures
    }
    figures.bounds = room.bounds
    if objects == nil { figures.waitingObjects = nil }
    return figures
  }

  package func storage(imageID: Int64) async throws(StoreError) -> ImageStorage? {
    try await reading { db in
      guard let found = try StorageQueries.storage(imageID: imageID, db) else { return nil }
      var storage = found.storage
      if let original = found.original { try self.addFile(of: original, to: &storage, db) }
      (storage.bounds, storage.needsPut) = (self.room.bounds, true)
      storage.originalBytes = try self.room.size.bytes()
      return storage
    }
  }
}

extension PostgresLibrary {
  package func thumbnails(_ hashes: [SHA256Digest]) async throws(StoreError) -> [PictureBytes] {
    let wanted = Array(Set(hashes))
    let rows = try await withBytes { db in
      let sql = """
        SELECT DISTINCT ON (wanted.hash) thumbnail_format, wanted.hash, \(ThumbnailPlace.columns)
        FROM unnest($1::bytea[]) AS wanted(hash)
        JOIN image ON thumbnail_sha256 = wanted.hash
        JOIN (\(ThumbnailPlace.source)) ON thumbnail.image_id = image.id
        WHERE is_hidden = 0 AND thumbnail_sha256 IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM damage WHERE damage.image_id = image.id AND kind = 0)
        """
      return try db.rows(sql, wanted).map { row in
        try (row.value(raw: 0) as ImageFormat?, ThumbnailPlace(row, at: 2, hash: row.hash(1)))
      }
    }
    var pictures: [SHA256Digest: PictureBytes] = [:]
    for (format, bytes) in rows {
      guard let bytes, let format else { continue }
      let hash = try SHA256.digest(of: bytes, path: path)
      pictures[hash] = PictureBytes(bytes: bytes, format: format)
    }
    return hashes.compactMap { pictures[$0] }
  }
}
