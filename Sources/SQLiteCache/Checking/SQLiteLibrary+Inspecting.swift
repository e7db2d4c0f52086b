import Dispatch
import FoundationEssentials
import LibraryFiles
import Models
import Store
package import Workers

extension SQLiteLibrary: LibraryInspecting {
  package func databaseFaults() async throws(StoreError) -> [String] {
    try await onReads { () throws(StoreError) in try self.faults() }
  }

  func faults() throws(StoreError) -> [String] {
    try read(VerificationQueries.faults) + wordFaults()
  }

  /// The faults of the full-text indexes, in words.
  ///
  /// The check copies the indexes. Where the copies cannot be written, it reports no faults.
  private func wordFaults() throws(StoreError) -> [String] {
    do throws(StoreError) {
      return try read { db in try SearchWriting(db).damagedIndexes() }.map {
        "the index of words \($0) does not have the words of its images"
      }
    } catch  where error.endsWriting {
      return []
    }
  }

  /// Throws when the tables or their indexes are damaged, because they decide which files are deleted.
  func checkSound() throws(StoreError) {
    guard let fault = try read(VerificationQueries.faults).first else { return }
    throw StoreError(reason: .unsound, path: folder.database, message: fault)
  }

  package func checkKey() async throws(StoreError) {
    try await onReads { () throws(StoreError) in _ = try self.storedKey() }
  }

  package func replaceLostKey() async throws(StoreError) {
    try await onWrites { () throws(StoreError) in try self.makeKeyAgain() }
  }

  package func storedThumbnails(
    after imageID: Int64,
    limit: Int
  ) async throws(StoreError) -> [StoredThumbnail] {
    try await onReads { () throws(StoreError) in try self.thumbnails(after: imageID, limit: limit) }
  }

  private func thumbnails(
    after imageID: Int64,
    limit: Int
  ) throws(StoreError) -> [StoredThumbnail] {
    let rows = try read { db in
      try VerificationQueries.thumbnails(after: imageID, limit: limit, db)
    }
    return try rows.map { row throws(StoreError) in
      let bytes = try bytes(of: row)
      return StoredThumbnail(
        imageID: row.imageID,
        info: row.info,
        bytes: bytes ?? [],
        isIntact: try isIntact(bytes, row.info?.hash),
        isMarked: row.isMarked
      )
    }
  }

  /// Whether bytes are the ones that were stored.
  ///
  /// A wrong hash counts as damage, too: either the bytes or the hash have changed.
  private func isIntact(_ bytes: [UInt8]?, _ hash: SHA256Digest?) throws(StoreError) -> Bool {
    guard let bytes, let hash else { return bytes != nil }
    return try SHA256.digest(of: bytes, path: folder.thumbnails) == hash
  }

  /// Reads the bytes of a thumbnail.
  ///
  /// If they are not at the row's location, the thumbnail may have been replaced since. Then its location is looked up
  /// again.
  private func bytes(of row: VerificationQueries.Thumbnail) throws(StoreError) -> [UInt8]? {
    if let bytes = try PackReader.bytes(at: row.location, in: folder) { return bytes }
    return try bytes(ofThumbnailOf: row.imageID)
  }

  package func filedOriginals(
    after id: Int64,
    limit: Int
  ) async throws(StoreError) -> [FiledOriginal] {
    try await reading { db in
      try VerificationQueries.originals(after: id, limit: limit, db).map { file in
        FiledOriginal(
          id: file.id,
          path: self.path(of: file),
          sha256: file.sha256,
          bytes: file.bytes,
          imageIDs: try VerificationQueries.images(ofOriginal: file.id, db),
          isMarked: try DamageQueries.isMarked(original: file.id, db)
        )
      }
    }
  }

  package func strayFiles() async throws(StoreError) -> [StrayFile] {
    let folder = folder
    let strays = StrayFiles(FolderListing(folder))
    return try await reading { db in
      let meant = try RemovalQueries.linkedOriginals(db)
      var files: [StrayFile] = []
      // Files behind an unconfirmed link may not belong to the library, so they are not reported as stray.
      if folder.link(at: folder.originals, meant: meant) == nil {
        files += try strays.originals(db)
      }
      if folder.link(at: folder.thumbnails) == nil { files += try strays.packs(db) }
      if folder.link(at: folder.partial) == nil { files += try strays.partials(db) }
      return files
    }
  }

  func path(of file: VerificationQueries.File) -> String {
    folder.original(sha256: file.sha256, file.format)
  }
}

extension SQLiteLibrary {
  /// Repairs the whole database in one transaction, for which writers wait.
  ///
  /// The time grows with the size of the library, so only a damaged database is repaired.
  package func repairDatabase() async throws(StoreError) {
    try await onWrites { () throws(StoreError) in try self.repair() }
  }

  private func repair() throws(StoreError) {
    try write { db in
      if let table = try VerificationQueries.tablesWithLostRows(db).first {
        throw UnsoundRow(
          message: "rows of the table \(table) are lost, of which its indexes still tell"
        )
      }
      try db.execute("REINDEX")
      for seal in RowSeal.all {
        for id in try seal.unsoundRows(limit: Limits.rowsCorrected, db) {
          _ = try seal.correct(id, db)
        }
      }
      try SearchWriting(db).rebuild()
      try db.execute(Schema.insertLibrary)
      try BoundQueries.noteMissingUses(db)
    }
    try flushNow()
    if let fault = try faults().first {
      throw StoreError(reason: .unsound, path: folder.database, message: fault)
    }
  }

  // MARK: Files whose rows were lost

  /// Ties a stray original to the images whose rows for it were lost; returns these images.
  ///
  /// Two records outlive such a row: the note on the file that says to which image it belongs (`OriginOfFile`), and the
  /// row of a thumbnail that was made from it.
  package func takeBack(
    strayAt path: String,
    for images: [Int64]
  ) async throws(StoreError) -> [Int64] {
    try await onWrites { () throws(StoreError) in try self.take(strayAt: path, for: images) }
  }

  private func take(strayAt path: String, for others: [Int64]) throws(StoreError) -> [Int64] {
    let sha256 = LibraryFolder.sha256(ofOriginalAt: path)
    guard sha256.isSHA256 else { return [] }
    let origin = OriginOfFile(ofFileAt: path)
    let images = try read { db in
      try OriginalQueries.imagesWithout(originalOf: origin, sha256: sha256, or: others, db)
    }
    guard !images.isEmpty, let info = try folder.info(ofOriginalAt: path, sha256: sha256) else {
      return []
    }
    return try write { db in
      let lost = try OriginalQueries.imagesWithout(
        originalOf: origin,
        sha256: sha256,
        or: others,
        db
      )
      for (imageID, address) in lost {
        let receipt = OriginalReceipt(
          info: info,
          address: address,
          validators: Validators(),
          arrived: Date(),
          checkDate: Date()
        )
        let before = try OriginalQueries.originalID(of: imageID, db)
        try OriginalQueries.store(receipt, sha256: sha256, imageID: imageID, db)
        try BoundQueries.note(receipt, imageID: imageID, insteadOf: before, db)
      }
      return lost.map(\.id)
    }
  }
}
