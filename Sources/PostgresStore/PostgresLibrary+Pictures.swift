import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

extension PostgresLibrary: DetailsStoring {
}

extension PostgresLibrary: PictureStoring {
  package func store(_ batch: PictureBatch, _ kind: PictureKind) async throws(StoreError) {
    // Compute the hashes before the transaction begins, because others may wait for it.
    let thumbnails = try (batch.new + batch.changed).map { thumbnail throws(StoreError) in
      NewThumbnail(thumbnail, hash: try SHA256.digest(of: thumbnail.bytes, path: path))
    }
    try await writing { db in
      if kind == .original {
        for picture in batch.unchanged { try OriginalQueries.renew(picture, db) }
        try FailureQueries.note(batch.failed, .original, db)
      } else {
        let returned = try SuccessorQueries.returned(by: batch, kind, db)
        try ThumbnailWriting(kind, db).store(batch, thumbnails)
        for former in returned {
          let hash = try SHA256.digest(of: former.thumbnail.bytes, path: self.path)
          let new = NewThumbnail(former.thumbnail, hash: hash)
          _ = try ThumbnailWriting.store(former, new, db)
        }
      }
    }
  }

  package func openOriginalFile(
    imageID: Int64
  ) async throws(StoreError) -> any OriginalWriting {
    // Make the folders before any byte is requested: without them, the original could not be stored.
    try folder.make()
    try originalFolders.makeCommon()
    return try await OriginalFile(
      imageID: imageID,
      in: folder,
      timedBy: nil,
      room: { file, bytes, total, purpose throws(StoreError) in
        if self.room.bounds.isNone { return .max }
        return try await self.room.queue.run { () throws(StoreError) in
          try self.room.make(
            for: bytes,
            of: total,
            in: file,
            for: purpose,
            victims: self.victims,
            evict: self.evict
          )
        }
      },
      keep: { file, sha256, receipt throws(StoreError) in
        try await self.keep(file, of: imageID, sha256: sha256, receipt)
      }
    )
  }

  /// Gives an original its name and ties it to its image.
  ///
  /// The name is on the disk before the row is.
  private func keep(
    _ file: PartialFile,
    of imageID: Int64,
    sha256: String,
    _ receipt: OriginalReceipt
  ) async throws(StoreError) -> StoredOriginal {
    try originalFolders.make(for: sha256)
    let known = try await reading { db in
      // A file that got its name for a deleted image would be a stray.
      try self.checkExists(db.hasRow("SELECT 1 FROM image WHERE id = $1", imageID))
      return try OriginalQueries.format(sha256: sha256, db)
    }
    var receipt = receipt
    receipt.info.format = known ?? receipt.info.format
    try originalFolders.name(file, sha256: sha256, receipt.info.format)
    return try await writing { [receipt] db in
      try self.checkExists(OriginalQueries.keepsImage(imageID, db))
      try OriginalQueries.store(receipt, sha256: sha256, imageID: imageID, db)
      let stored = try OriginalQueries.original(imageID: imageID, in: self.folder, db)
      guard let stored else {
        throw PostgresError("a row that was just written is not there")
      }
      if stored.sha256 != sha256 {
        // The picture beside it gives way first.
        self.room.noteUnneeded(self.folder.original(sha256: sha256, receipt.info.format))
      }
      return stored
    }
  }

  private func checkExists(_ isThere: Bool) throws(StoreError) {
    if isThere { return }
    let message = "the image has been deleted meanwhile"
    throw StoreError(reason: .other, path: path, message: message)
  }
}
