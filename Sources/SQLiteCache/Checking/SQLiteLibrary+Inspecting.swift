import FoundationEssentials
import GRDB
import Models
package import Workers

extension SQLiteLibrary: LibraryInspecting {
  package func databaseFaults() async throws(StoreError) -> [String] {
    try await onReads { () throws(StoreError) in try self.faults() }
  }

  func faults() throws(StoreError) -> [String] {
    try read(VerificationQueries.faults) + wordFaults()
  }

  /// What is wrong with the indexes of words.
  ///
  /// They are copied to be looked at; where there is no room for that, they stay unseen.
  private func wordFaults() throws(StoreError) -> [String] {
    do throws(StoreError) {
      return try read(SearchWriting.damagedIndexes).map {
        "the index of words \($0) does not have the words of its images"
      }
    } catch  where error.endsWriting {
      return []
    }
  }

  /// Throws unless the tables, and the indexes that they are looked up by, are sound: what is deleted is
  /// decided by them.
  func checkSound() throws(StoreError) {
    guard let fault = try read(VerificationQueries.faults).first else { return }
    throw StoreError(reason: .unsound, path: folder.database, message: fault)
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
        isIntact: bytes != nil,
        isMarked: row.isMarked
      )
    }
  }

  /// One that is not where its row said may have been replaced meanwhile.
  private func bytes(of row: VerificationQueries.Thumbnail) throws(StoreError) -> [UInt8]? {
    if let bytes = try bytes(of: row.content) { return bytes }
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

  package func fault(of original: FiledOriginal) async -> CheckFinding.Condition? {
    try? await onFiles { Self.fault(of: original) }
  }

  private static func fault(of original: FiledOriginal) -> CheckFinding.Condition? {
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

  package func strayFiles() async throws(StoreError) -> [StrayFile] {
    let folder = folder
    let strays = StrayFiles(folder: folder, now: Date())
    return try await reading { db in
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

  package func verificationMark() async throws(StoreError) -> VerificationMark {
    try await reading { db in try VerificationQueries.mark(db) }
  }

  package func setVerificationMark(_ mark: VerificationMark) async throws(StoreError) {
    try await writing { db in try VerificationQueries.setMark(mark, db) }
  }

  func path(of file: VerificationQueries.File) -> String {
    folder.original(sha256: file.sha256, fileExtension: file.format.fileExtension)
  }
}
