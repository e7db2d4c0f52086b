import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary: DetailsStoring {
}

extension SQLiteLibrary: PictureStoring {
  package func store(_ batch: PictureBatch, _ kind: PictureKind) async throws(StoreError) {
    guard kind == .original else {
      return try await onWrites { () throws(StoreError) in
        try self.storeNow(batch, kind)
      }
    }
    try await writing { db in
      for picture in batch.unchanged { try OriginalQueries.renew(picture, db) }
      try FailureQueries.note(batch.failed, .original, db)
    }
  }

  private func storeNow(_ batch: PictureBatch, _ kind: PictureKind) throws(StoreError) {
    let thumbnails = batch.new + batch.changed
    // Hashed before the transaction begins, since other processes may wait for it.
    let hashes = try thumbnails.map { thumbnail throws(StoreError) in
      try SHA256.digest(of: thumbnail.bytes, path: folder.thumbnails)
    }
    let returned = try returned(by: batch, kind)
    let bytes = thumbnails.map(\.bytes) + returned.map(\.new.fetched.bytes)
    try pack(bytes) { db, locations in
      let packed = thumbnails.indices.map { index in
        NewThumbnail(thumbnails[index], hash: hashes[index], at: locations[index])
      }
      let still = Set(try SuccessorQueries.returned(by: batch, kind, db).map(\.thumbnail.imageID))
      var unstored = try ThumbnailWriting(kind, db).store(batch, packed)
      for (index, thumbnail) in returned.enumerated() {
        var new = thumbnail.new
        new.location = locations[thumbnails.count + index]
        unstored +=
          still.contains(new.fetched.imageID)
          ? try ThumbnailWriting.store(thumbnail.former, new, db) : [new]
      }
      for location in unstored.compactMap(\.location) {
        try PackQueries.add(PackHole(packID: location.packID, range: location.range), db)
      }
    }
  }

  /// The thumbnails that a batch gives back, as far as one can say before its transaction, with their hashes.
  private func returned(
    by batch: PictureBatch,
    _ kind: PictureKind
  ) throws(StoreError) -> [(former: ReturnedThumbnail, new: NewThumbnail)] {
    guard batch.doubtful.contains(where: { !$0.misled.isEmpty }) else { return [] }
    let former = try read { db in try SuccessorQueries.returned(by: batch, kind, db) }
    return try former.map { former throws(StoreError) in
      let hash = try SHA256.digest(of: former.thumbnail.bytes, path: folder.thumbnails)
      return (former, NewThumbnail(former.thumbnail, hash: hash))
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
      room: { file, bytes, total, purpose throws(StoreError) in
        if self.room.bounds.isNone { return .max }
        return try await self.onWrites { () throws(StoreError) in
          try self.room.make(
            for: bytes,
            of: total,
            in: file,
            for: purpose,
            victims: { missing throws(StoreError) in
              try self.victims(for: missing, imageID: imageID, isAhead: purpose == .keeping)
            },
            evict: self.evict
          )
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
      let format = try OriginalQueries.format(sha256: sha256, db)
      receipt.info.format = format ?? receipt.info.format
      guard try OriginalQueries.keepsImage(imageID, db) else {
        let message = "the image has been deleted meanwhile"
        throw StoreError(reason: .other, path: folder.database, message: message)
      }
      try originalFolders.name(file, sha256: sha256, receipt.info.format)
      let before = try OriginalQueries.originalID(of: imageID, db)
      try OriginalQueries.store(receipt, sha256: sha256, imageID: imageID, db)
      try BoundQueries.note(receipt, imageID: imageID, insteadOf: before, db)
      let stored = try OriginalQueries.original(imageID: imageID, in: folder, db)
      guard let stored else {
        throw UnexpectedAnswer("a row that was just written is not there")
      }
      return stored
    }
  }
}
