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

  /// The files that no row refers to and no process is writing.
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

/// What a stored picture was found to be.
package enum StoredCondition: Sendable, Equatable {
  /// As it was stored.
  case whole
  case damaged
  /// Its file is gone.
  case missing
}

/// Remembers which stored pictures are not what was stored.
package protocol DamageMarking: Sendable {
  /// Remembers what a thumbnail or an original was found to be.
  ///
  /// A damaged or missing one is wanted again, whatever its server says of having changed; what is
  /// stored of it stays until then.
  func mark(_ thing: CheckedThing, as condition: StoredCondition) async throws(StoreError)
}

/// Takes away what nothing refers to.
package protocol LibraryCleaning: Sendable {
  /// Deletes the images of removed feeds, and moves originals that no image has, files that no row refers
  /// to, and partial files that were left alone for a week to the library's trash; empties the trash
  /// of what has lain in it for a week.
  ///
  /// - Parameter plan: How.
  /// - Returns: What was taken away, or would be.
  /// - Throws: when the library cannot be read or written, fails the check of its tables, or has a link in the
  ///   place of a folder; what is needed stays in any case.
  func clean(_ plan: CleaningPlan) async throws(StoreError) -> CleanedLibrary
}

/// How a library is cleaned.
package struct CleaningPlan: Sendable, Equatable {
  /// Whether nothing is taken away, and only told.
  package var isRehearsal: Bool
  /// Whether files are deleted at once, those in the trash, too.
  package var isImmediate: Bool
  /// Whether the link in the place of the folder for originals is meant; the library remembers where it
  /// leads.
  package var meansLinkedOriginals: Bool

  package init(
    isRehearsal: Bool = false,
    isImmediate: Bool = false,
    meansLinkedOriginals: Bool = false
  ) {
    self.isRehearsal = isRehearsal
    self.isImmediate = isImmediate
    self.meansLinkedOriginals = meansLinkedOriginals
  }
}

/// What a cleaning took away, or would take away.
package struct CleanedLibrary: Sendable, Equatable {
  /// A number of files, and what they take in bytes.
  package struct Files: Sendable, Equatable {
    package var count: Int
    package var bytes: Int

    package init(count: Int = 0, bytes: Int = 0) {
      self.count = count
      self.bytes = bytes
    }
  }

  /// Removed feeds.
  package var feeds = 0
  /// Images of removed feeds.
  package var images = 0
  /// Originals that no image has.
  package var originals = 0
  /// Other files: partial ones, and those that no row refers to.
  package var files = 0
  /// Objects in the object store that no original has any more.
  package var objects = Files()
  /// What the originals and files take, in bytes; the database's own room is not counted.
  package var bytes = 0
  /// What was deleted of the trash.
  package var emptied = Files()
  /// What lies in the trash.
  package var trash = Files()

  package init() {}

  /// Whether there was nothing to take away.
  package var isEmpty: Bool {
    feeds + images + originals + files + emptied.count + objects.count == 0
  }
}

/// Finds out whether what a library has stored is still what was stored.
package protocol LibraryVerifying: Sendable {
  /// Starts a verification; it runs whether or not its facts are read.
  func verify(_ plan: VerificationPlan) -> VerificationRun
}

/// Brings back what is damaged or missing.
package protocol PictureRepairing: Sendable {
  /// Fetches or makes a picture again, or builds the database's indexes again.
  ///
  /// - Parameter thing: A thumbnail, an original, or the database.
  /// - Throws: why it cannot be had; what was stored of it stays.
  func repair(_ thing: CheckedThing) async throws(Failure)
}
