import GRDB
import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary: PictureStoring {
  package func wantsThumbnails(
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> Bool {
    try await reading { db in try ThumbnailQueries.wantsAny(feedID: feedID, filter, db) }
  }

  package func count(
    of kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> PictureCount {
    try await reading { db in
      var count = try Self.wantedQuery(kind, feedID: feedID, filter, db).count(db)
      if kind == .original {
        count.declaredBytes = try OriginalQueries.declaredBytes(feedID: feedID, db)
      }
      return count
    }
  }

  package func wanted(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter,
    after last: WantedPicture?,
    limit: Int
  ) async throws(StoreError) -> [WantedPicture] {
    try await reading { db in
      try Self.wantedQuery(kind, feedID: feedID, filter, db).rows(after: last, limit: limit, db)
    }
  }

  private static func wantedQuery(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter,
    _ db: Database
  ) throws -> WantedQuery {
    guard kind == .original else { return WantedQuery(kind, feedID: feedID, filter) }
    let newest = try RetentionQueries.retention(feedID: feedID, db).originals
    return WantedQuery(kind, feedID: feedID, filter, newest: newest)
  }

  package func wantedThumbnail(madeFor imageID: Int64) async throws(StoreError) -> WantedPicture? {
    try await reading { db in try ThumbnailQueries.wantedThumbnail(madeFor: imageID, db) }
  }

  package func due(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> [Int64] {
    try await reading { db in try CheckQueries.due(kind, feedID: feedID, filter, db) }
  }

  package func checks(
    _ kind: PictureKind,
    imageIDs: [Int64]
  ) async throws(StoreError) -> [WantedPicture] {
    try await reading { db in try CheckQueries.checks(kind, imageIDs: imageIDs, db) }
  }

  package func thumbnailSource(imageID: Int64) async throws(StoreError) -> String? {
    try await reading { db in try ThumbnailQueries.source(imageID: imageID, db) }
  }

  package func store(_ batch: PictureBatch, _ kind: PictureKind) async throws(StoreError) {
    guard kind == .original else {
      return try await onWrites { () throws(StoreError) in
        try self.storeNow(batch, kind)
      }
    }
    try await writing { db in
      for picture in batch.unchanged { try OriginalQueries.renew(picture, db) }
      try FailureQueries.note(batch.failed, .original, db.store)
    }
  }

  private func storeNow(_ batch: PictureBatch, _ kind: PictureKind) throws(StoreError) {
    let thumbnails = batch.new + batch.changed
    // Hashed before the transaction begins, since other processes may wait for it.
    let hashes = try thumbnails.map { thumbnail throws(StoreError) in
      try SHA256.digest(of: thumbnail.bytes, path: folder.thumbnails)
    }
    try pack(thumbnails.map(\.bytes)) { db, locations in
      let packed = thumbnails.indices.map { index in
        PackedThumbnail(fetched: thumbnails[index], location: locations[index], hash: hashes[index])
      }
      try ThumbnailWriting(kind, db).store(batch, packed)
    }
  }

  package func openOriginalFile(
    imageID: Int64
  ) async throws(StoreError) -> any OriginalWriting {
    // Done before a byte is requested: without the folders, the original could not be stored.
    try originalFolders.makeCommon()
    return try await OriginalFile(
      imageID: imageID,
      in: folder,
      timedBy: stopwatch,
      room: { bytes, total, isAhead throws(StoreError) in
        if self.bounds.isNone { return .max }
        return try await self.onWrites { () throws(StoreError) in
          try self.makeRoom(for: bytes, of: total, imageID: imageID, isAhead: isAhead)
        }
      },
      keep: { file, sha256, receipt throws(StoreError) in
        try await self.onWrites { () throws(StoreError) in
          try self.keep(file, of: imageID, sha256: sha256, receipt)
        }
      }
    )
  }

  /// Gives an original its name and ties it to its image.
  ///
  /// Both happen in one transaction, so that no other process can delete the file as unreferred before its row exists.
  /// The name is on the disk before the row is.
  private func keep(
    _ file: PartialFile,
    of imageID: Int64,
    sha256: String,
    _ receipt: OriginalReceipt
  ) throws(StoreError) -> StoredOriginal {
    try originalFolders.make(for: sha256)
    return try write { db in
      var receipt = receipt
      receipt.info.format = try OriginalQueries.format(sha256: sha256, db) ?? receipt.info.format
      try OriginalQueries.checkExists(imageID: imageID, in: folder, db)
      try originalFolders.name(file, sha256: sha256, receipt.info.format)
      try OriginalQueries.store(receipt, sha256: sha256, imageID: imageID, db)
      try BoundQueries.release(imageID: imageID, db)
      guard let row = try OriginalQueries.file(imageID: imageID, db) else {
        throw DatabaseError(message: "a row that was just written is not there")
      }
      return StoredOriginal(row, in: folder)
    }
  }
}
