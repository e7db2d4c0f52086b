/// Looks at what a library has stored, and remembers what was found.
package protocol LibraryInspecting: DamageMarking {
  /// What the storage library finds wrong with its own file; empty when nothing is.
  func databaseFaults() async throws(StoreError) -> [String]

  /// Builds the database's indexes again from its tables, and brings back rows of which one bit has
  /// turned over.
  ///
  /// - Throws: when a fault is left, or when the tables have lost rows that only the indexes still tell of.
  func repairDatabase() async throws(StoreError)

  /// Stored thumbnails by their images' ids, behind one.
  func storedThumbnails(after imageID: Int64, limit: Int) async throws(StoreError)
    -> [StoredThumbnail]

  /// Originals' rows by id, behind one.
  func filedOriginals(after id: Int64, limit: Int) async throws(StoreError) -> [FiledOriginal]

  /// Reads an original's whole file.
  ///
  /// - Returns: What is wrong with it; nil when its content is the one that was stored.
  func fault(of original: FiledOriginal) async -> CheckFinding.Condition?

  /// The files that no row refers to and nobody is writing.
  func strayFiles() async throws(StoreError) -> [StrayFile]

  /// Ties a stray file to the images whose original it is, and which have none: their rows were lost.
  ///
  /// - Returns: The images; none unless the file's content is what its name promises.
  func takeBack(strayAt path: String) async throws(StoreError) -> [Int64]

  /// How far the last verification came; at the start when it came to its end.
  func verificationMark() async throws(StoreError) -> VerificationMark

  /// Remembers how far a verification has come.
  func setVerificationMark(_ mark: VerificationMark) async throws(StoreError)
}
