import FoundationEssentials
import GRDB
import Models
import PictureFiles
package import Workers

extension SQLiteLibrary: DamageMarking {
  package func mark(
    _ thing: CheckedThing,
    as condition: StoredCondition
  ) async throws(StoreError) {
    switch thing {
    case .thumbnail(let imageID):
      try await writing { db in try DamageQueries.mark(thumbnailOf: imageID, as: condition, db) }
    case .original(_, let imageIDs):
      guard let imageID = imageIDs.first else { return }
      try await writing { db in try DamageQueries.mark(originalOf: imageID, as: condition, db) }
    case .database, .file: return
    }
  }

  /// Takes as long as the library is large, and keeps writers waiting: only what is damaged is repaired.
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
      try db.execute(sql: "REINDEX")
      for seal in RowSeal.all {
        for id in try seal.unsoundRows(limit: Limits.rowsCorrected, db) {
          _ = try seal.correct(id, db)
        }
      }
      try SearchWriting.rebuild(db)
    }
    try flushNow()
    if let fault = try faults().first {
      throw StoreError(reason: .unsound, path: folder.database, message: fault)
    }
  }

  // MARK: Files whose rows were lost

  /// Two records outlive a row: the note on the file of which image it is the original
  /// (`OriginOfFile`), and that of a thumbnail that was made from it.
  package func takeBack(strayAt path: String) async throws(StoreError) -> [Int64] {
    try await onWrites { () throws(StoreError) in try self.take(strayAt: path) }
  }

  private func take(strayAt path: String) throws(StoreError) -> [Int64] {
    let sha256 = String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
    guard sha256.isSHA256 else { return [] }
    let origin = OriginOfFile(ofFileAt: path)
    let images = try read { db in
      try VerificationQueries.imagesWithout(originalOf: origin, sha256: sha256, db)
    }
    guard !images.isEmpty, let info = try info(ofFileAt: path, sha256: sha256) else { return [] }
    return try write { db in
      let lost = try VerificationQueries.imagesWithout(originalOf: origin, sha256: sha256, db)
      for (imageID, address) in lost {
        let receipt = OriginalReceipt(
          info: info,
          address: address,
          validators: Validators(),
          arrived: Date(),
          checkDate: Date()
        )
        try OriginalQueries.store(receipt, sha256: sha256, imageID: imageID, db)
      }
      return lost.map(\.id)
    }
  }

  /// What a file is; nil unless it is the picture that its name promises.
  private func info(ofFileAt path: String, sha256: String) throws(StoreError) -> PictureInfo? {
    var sample = PictureSample()
    let found = try FileHash.sha256(ofFileAt: path) { sample.append($0) }
    guard found.hash == sha256, let info = PictureCheck(sample)?.info,
      path == folder.original(sha256: sha256, fileExtension: info.format.fileExtension)
    else { return nil }
    return info
  }
}
