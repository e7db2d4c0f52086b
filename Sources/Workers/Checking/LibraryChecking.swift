/// Checks the stored data of a library, and records the results.
package protocol LibraryInspecting: DamageMarking {
  /// The faults that a check of the database finds; empty when it finds none.
  func databaseFaults() async throws(StoreError) -> [String]

  /// Rebuilds the database's indexes from its tables, and restores rows in which one bit has flipped.
  ///
  /// - Throws: when a fault remains, or when the tables have lost rows that only the indexes still have.
  func repairDatabase() async throws(StoreError)

  /// Checks that the key pair of the library can be used, if it has one.
  ///
  /// - Throws: `.unusableKey`, as described at `LibraryKeyKeeping`.
  func checkKey() async throws(StoreError)

  /// Makes a new key pair in the place of a lost one; other galleries do not accept it before their users do.
  ///
  /// - Throws: `.unusableKey` when the key pair is not lost, but cannot be used.
  func replaceLostKey() async throws(StoreError)

  /// Stored thumbnails by image id, after the given id.
  func storedThumbnails(after imageID: Int64, limit: Int) async throws(StoreError)
    -> [StoredThumbnail]

  /// Rows of originals by id, after the given id.
  func filedOriginals(after id: Int64, limit: Int) async throws(StoreError) -> [FiledOriginal]

  /// Reads an original's whole file.
  ///
  /// - Returns: The fault of the file; nil when its content is as it was stored.
  func fault(of original: FiledOriginal) async -> CheckFinding.Condition?

  /// The files that no row refers to and no process is writing.
  func strayFiles() async throws(StoreError) -> [StrayFile]

  /// The images without an original, by the stray files whose notes name their addresses.
  ///
  /// An image whose row was lost gets another id when a sync brings it again.
  func images(atAddressesOf paths: [String]) async throws(StoreError) -> [String: [Int64]]

  /// Assigns a stray file to the images whose original it is and which have none, because their rows were lost.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - images: The images at the address that the note on the file names, if it names no stored image by its id.
  /// - Returns: The images; empty unless the file's content matches its name.
  /// - Throws: when the file or the library cannot be read or written.
  func takeBack(strayAt path: String, for images: [Int64]) async throws(StoreError) -> [Int64]

  /// The position that the last verification reached; the start if it was completed.
  func verificationMark() async throws(StoreError) -> VerificationMark

  /// Records the position that a verification has reached.
  func setVerificationMark(_ mark: VerificationMark) async throws(StoreError)
}

extension LibraryInspecting {
  package func takeBack(strayAt path: String) async throws(StoreError) -> [Int64] {
    try await takeBack(strayAt: path, for: [])
  }
}

/// The condition in which a check found a stored picture.
package enum StoredCondition: Sendable, Equatable {
  /// As it was stored.
  case whole
  case damaged
  /// Its file is missing.
  case missing
}

/// Records which stored pictures are damaged or missing.
package protocol DamageMarking: Sendable {
  /// Records the condition of a thumbnail or an original.
  ///
  /// A damaged or missing picture is wanted again, even if its server says that it has not changed. Its stored data
  /// stays until then.
  func mark(_ thing: CheckedThing, as condition: StoredCondition) async throws(StoreError)
}

/// Deletes data that nothing refers to.
package protocol LibraryCleaning: Sendable {
  /// Deletes the images of removed feeds, and moves unneeded files to the library's trash.
  ///
  /// These files are originals that no image has, files that no row refers to, and partial files that have not changed
  /// for a week. Files that have been in the trash for a week are deleted.
  ///
  /// - Parameter plan: The options of this cleaning.
  /// - Returns: The numbers of files and rows that were removed, or would be.
  /// - Throws: when the library cannot be read or written, fails the check of its tables, or has a link in the place of
  ///   a folder; needed data stays in any case.
  func clean(_ plan: CleaningPlan) async throws(StoreError) -> CleanedLibrary
}

/// Keeps a library within the bounds that it was opened with.
package protocol LibraryBounding: Sendable {
  /// Deletes originals, the least recently viewed first, until the rest is within the bounds.
  ///
  /// Works in steps, so that other processes may write in between. Pinned originals stay, and so do those that are
  /// being fetched, or shown (`OriginalFetching.hold`).
  ///
  /// - Parameter isStopped: Whether to end before the next step.
  /// - Returns: The originals that gave way.
  /// - Throws: when the library cannot be read or written.
  func giveWay(until isStopped: @escaping @Sendable () -> Bool) async throws(StoreError) -> GivenWay
}

/// The originals that gave way to a bound.
package struct GivenWay: Sendable, Equatable {
  package var originals: Int
  package var bytes: Int
  /// The bytes beyond the bound that remain, because nothing more may give way; 0 for none.
  package var excess: Int
  /// The originals that stay only because they are being shown.
  package var shown: Int

  package init(originals: Int = 0, bytes: Int = 0, excess: Int = 0, shown: Int = 0) {
    self.originals = originals
    self.bytes = bytes
    self.excess = excess
    self.shown = shown
  }
}

/// The options of a cleaning.
package struct CleaningPlan: Sendable, Equatable {
  /// Whether this is a dry run, which removes nothing.
  package var isRehearsal: Bool
  /// Whether files are deleted immediately, including those in the trash.
  package var isImmediate: Bool
  /// Whether the user confirms the link in the place of the folder for originals; the library remembers its target.
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

/// The files and rows that a cleaning removed, or would remove.
package struct CleanedLibrary: Sendable, Equatable {
  /// A number of files, and their size in bytes.
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
  /// Images of these feeds.
  package var images = 0
  /// Originals that no image has.
  package var originals = 0
  /// Other files: partial files, and files that no row refers to.
  package var files = 0
  /// Objects in the object store that no original has any more.
  package var objects = Files()
  /// The size of the originals and files in bytes, without the room in the database.
  package var bytes = 0
  /// Files that were deleted from the trash.
  package var emptied = Files()
  /// Files that remain in the trash.
  package var trash = Files()

  package init() {}

  /// Whether there was nothing to remove.
  package var isEmpty: Bool {
    feeds + images + originals + files + emptied.count + objects.count == 0
  }
}

/// Checks whether the stored data of a library is as it was stored.
package protocol LibraryVerifying: Sendable {
  /// Starts a verification, which runs whether or not its facts are read.
  func verify(_ plan: VerificationPlan) -> VerificationRun
}

/// Restores damaged or missing pictures.
package protocol PictureRepairing: Sendable {
  /// Fetches or makes a picture again, or rebuilds the database's indexes.
  ///
  /// - Parameter thing: A thumbnail, an original, or the database.
  /// - Throws: the reason why it cannot be restored; its stored data stays.
  func repair(_ thing: CheckedThing) async throws(Failure)

  /// What hinders the repair of a damaged or missing picture; nil if a repair may restore it, or if that is unknown.
  func obstacle(to thing: CheckedThing) async -> RepairObstacle?

  /// Removes from a thumbnail where the picture was taken, and from one that was made here, all that cameras write.
  ///
  /// Thumbnails are published also where places are not. The pixels stay as they are, unless the place can be removed
  /// only by drawing the thumbnail again.
  ///
  /// - Parameter thumbnail: A thumbnail that is not damaged.
  /// - Returns: Whether something was removed.
  /// - Throws: when the library cannot be read or written; its stored data stays.
  func removeMetadata(of thumbnail: StoredThumbnail) async throws(Failure) -> Bool

  /// Makes the missing thumbnails that stored originals give, without a network, and reports the image of each.
  func makeThumbnails(_ report: (_ imageID: Int64) -> Void) async throws(Failure)
}
