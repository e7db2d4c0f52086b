import FoundationEssentials
import GRDB
import Models
package import Workers

extension SQLiteLibrary: LibraryInspecting {
  package func databaseFaults() throws(StoreError) -> [String] {
    try reader.read(VerificationQueries.faults)
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
        isIntact: bytes != nil
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
          imageIDs: try VerificationQueries.images(ofOriginal: file.id, db)
        )
      }
    }
  }

  package func fault(of original: FiledOriginal) -> CheckFinding.Condition? {
    do throws(StoreError) {
      guard let kind = try FileSystem.kind(of: original.path) else { return .missing }
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
      try strays.originals(db) + strays.packs(db) + strays.partials(db)
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
