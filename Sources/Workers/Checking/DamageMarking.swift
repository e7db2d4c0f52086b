/// Notes that stored pictures are not what they should be, so that they are fetched anew.
package protocol DamageMarking: Sendable {
  /// Makes a thumbnail wanted; what is stored of it stays until another one is whole.
  func wantAgain(thumbnailOf imageID: Int64) throws(StoreError)

  /// Makes the originals of images wanted, whatever their servers say of having changed; what is
  /// stored of them stays.
  func wantAgain(originalsOf imageIDs: [Int64]) throws(StoreError)

  /// Builds the database's indexes again from its tables, and brings back rows of which one bit has
  /// turned over.
  ///
  /// - Throws: when a fault is left, or when the tables have lost rows that only the indexes still tell of.
  func repairDatabase() throws(StoreError)
}
