/// Looks at what a library has stored, and remembers what was found.
package protocol LibraryInspecting: DamageMarking {
  /// What the storage library finds wrong with its own file; empty when nothing is.
  func databaseFaults() throws(StoreError) -> [String]

  /// Builds the database's indexes again from its tables, and brings back rows of which one bit has
  /// turned over.
  ///
  /// - Throws: when a fault is left, or when the tables have lost rows that only the indexes still tell of.
  func repairDatabase() throws(StoreError)

  /// Stored thumbnails by their images' ids, behind one.
  func storedThumbnails(after imageID: Int64, limit: Int) throws(StoreError) -> [StoredThumbnail]

  /// Originals' rows by id, behind one.
  func filedOriginals(after id: Int64, limit: Int) throws(StoreError) -> [FiledOriginal]

  /// Reads an original's whole file.
  ///
  /// - Returns: What is wrong with it; nil when its content is the one that was stored.
  func fault(of original: FiledOriginal) -> CheckFinding.Condition?

  /// The files that no row refers to and nobody is writing.
  func strayFiles() throws(StoreError) -> [StrayFile]

  /// Ties a stray file to the images whose original it is, and which have none: their rows were lost.
  ///
  /// - Returns: The images; none unless the file's content is what its name promises.
  func takeBack(strayAt path: String) throws(StoreError) -> [Int64]

  /// How far the last verification came; at the start when it came to its end.
  func verificationMark() throws(StoreError) -> VerificationMark

  /// Remembers how far a verification has come.
  func setVerificationMark(_ mark: VerificationMark) throws(StoreError)
}
