import GRDB
package import Workers

extension SQLiteLibrary: DamageMarking {
  package func wantAgain(thumbnailOf imageID: Int64) throws(StoreError) {
    try write { db in try VerificationQueries.wantThumbnail(imageID: imageID, db) }
  }

  package func wantAgain(originalsOf imageIDs: [Int64]) throws(StoreError) {
    try write { db in
      for imageID in imageIDs { try VerificationQueries.wantOriginal(imageID: imageID, db) }
    }
  }

  /// Takes as long as the library is large, and keeps writers waiting: only what is damaged is repaired.
  package func repairDatabase() throws(StoreError) {
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
    try flush()
    if let fault = try databaseFaults().first {
      throw StoreError(reason: .unsound, path: folder.database, message: fault)
    }
  }
}
