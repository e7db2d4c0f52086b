import FoundationEssentials
import GRDB
import Models
package import Workers

extension SQLiteLibrary: LibraryInspecting {
  package func databaseFaults() throws(StoreError) -> [String] {
    try reader.read(VerificationQueries.faults) + wordFaults()
  }

  /// What is wrong with the indexes of words.
  ///
  /// They are copied to be looked at; where there is no room for that, they stay unseen.
  private func wordFaults() throws(StoreError) -> [String] {
    do throws(StoreError) {
      return try reader.read(SearchWriting.damagedIndexes).map {
        "the index of words \($0) does not have the words of its images"
      }
    } catch  where error.endsWriting {
      return []
    }
  }

  /// Throws unless the tables, and the indexes that they are looked up by, are sound: what is deleted is
  /// decided by them.
  func checkSound() throws(StoreError) {
    guard let fault = try reader.read(VerificationQueries.faults).first else { return }
    throw StoreError(reason: .unsound, path: folder.database, message: fault)
  }

  package func storedThumbnails(
    after imageID: Int64,
    limit: Int
  ) throws(StoreError) -> [StoredThumbnail] {
    let rows = try reader.read { db in
      try VerificationQueries.thumbnails(after: imageID, limit: limit, db)
    }
    return try rows.map { row throws(StoreError) in
      let bytes = try bytes(of: row)
      return StoredThumbnail(
        imageID: row.imageID,
        info: row.info,
        bytes: bytes ?? [],
        isIntact: bytes != nil,
        isMarked: row.isMarked
      )
    }
  }

  /// One that is not where its row said may have been replaced meanwhile.
  private func bytes(of row: VerificationQueries.Thumbnail) throws(StoreError) -> [UInt8]? {
    if let bytes = try reader.bytes(of: row.content) { return bytes }
    return try reader.thumbnailBytes(imageID: row.imageID)
  }

  package func filedOriginals(
    after id: Int64,
    limit: Int
  ) throws(StoreError) -> [FiledOriginal] {
    try reader.read { db in
      try VerificationQueries.originals(after: id, limit: limit, db).map { file in
        FiledOriginal(
          id: file.id,
          path: path(of: file),
          sha256: file.sha256,
          bytes: file.bytes,
          imageIDs: try VerificationQueries.images(ofOriginal: file.id, db),
          isMarked: try DamageQueries.isMarked(original: file.id, db)
        )
      }
    }
  }

  package func fault(of original: FiledOriginal) -> CheckFinding.Condition? {
    do throws(StoreError) {
      guard let kind = try FileSystem.kind(of: original.path) else {
        // Of a row that a power cut has brought back, or that waits to be cleaned away: no image lacks it.
        return original.imageIDs.isEmpty ? nil : .missing
      }
      guard case .file = kind else { return .damaged(.notAFile) }
      let (hash, bytes) = try FileHash.sha256(ofFileAt: original.path)
      if bytes != original.bytes {
        return .damaged(.otherLength(bytes, expected: original.bytes))
      }
      return hash == original.sha256 ? nil : .damaged(.otherContent)
    } catch {
      return .unreadable(error)
    }
  }

  package func strayFiles() throws(StoreError) -> [StrayFile] {
    let strays = StrayFiles(folder: folder, now: Date())
    return try reader.read { db in
      let meant = try RemovalQueries.linkedOriginals(db)
      var files: [StrayFile] = []
      // What lies behind a link is not the library's to call stray.
      if folder.link(at: folder.originals, meant: meant) == nil {
        files += try strays.originals(db)
      }
      if folder.link(at: folder.thumbnails) == nil { files += try strays.packs(db) }
      if folder.link(at: folder.partial) == nil { files += try strays.partials(db) }
      return files
    }
  }

  package func verificationMark() throws(StoreError) -> VerificationMark {
    try reader.read(VerificationQueries.mark)
  }

  package func setVerificationMark(_ mark: VerificationMark) throws(StoreError) {
    try write { db in try VerificationQueries.setMark(mark, db) }
  }

  func path(of file: VerificationQueries.File) -> String {
    folder.original(sha256: file.sha256, fileExtension: file.format.fileExtension)
  }
}
