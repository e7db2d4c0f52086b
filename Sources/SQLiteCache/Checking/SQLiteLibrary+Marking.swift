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
}
