package import FoundationEssentials
import Models

/// A library that can be copied to a store of another kind, and can be such a copy.
///
/// Both have the same rows of `CopiedTable.all`, with the same ids and change numbers. Each store builds its own
/// indexes, checksums and packs. The methods block, so call them on a thread that may wait.
package protocol LibraryCopying: Sendable {
  /// Provides one state of the library while `body` runs; other processes may read and write.
  func withState(
    _ body: @escaping @Sendable (any LibraryState) throws(StoreError) -> Void
  ) async throws(StoreError)

  /// Makes this library the copy of another one, or resumes a copy that was not completed.
  ///
  /// Until the copy is completed, no other process can open the library. A copy that was completed before stays as it was
  /// for all other processes until `endCopy`, since all changes are then one transaction.
  ///
  /// - Throws: the errors of `CopyPlace.check`.
  func beginCopy(of header: LibraryHeader, for purpose: CopyPurpose) throws(StoreError)

  /// Provides the current state of the copy.
  func withCopy(_ body: (any LibraryState) throws(StoreError) -> Void) throws(StoreError)

  /// Changes rows of the copy, all or none.
  func changeCopy(_ change: CopyChange) throws(StoreError)

  /// The key pair of the library; nil before it was made.
  ///
  /// - Throws: `.unusableKey`, as described at `LibraryKeyKeeping`.
  func storedKey() throws(StoreError) -> (any LibrarySigning)?

  /// Gives the copy the key pair of the library, whose UUID it has.
  func keepKey(_ key: any LibrarySigning, of library: String) throws(StoreError)

  /// Completes the copy: it continues the ids and numbers of the other library, as another epoch of it.
  ///
  /// - Throws: when rows refer to missing rows; then it is not completed.
  func endCopy(of header: LibraryHeader, for purpose: CopyPurpose) throws(StoreError)

  /// Takes back the changes to a copy that was completed before; a copy that never was stays incomplete.
  func abandonCopy()

  /// Whether the library is a backup, to which nothing but the next backup and a cleaning writes.
  func isBackup() async throws(StoreError) -> Bool
}

/// The purpose of a copy of a library.
package enum CopyPurpose: Sendable {
  /// The copy is the gallery from then on.
  case move
  /// The copy keeps a state of the library, and does not become the gallery itself.
  case backup
  /// The copy of a backup is the gallery again.
  case restore
}

/// A state of a library that is being copied.
package protocol LibraryState {
  func header() throws(StoreError) -> LibraryHeader

  /// The rows of a table after a key, up to another key, in the order of their keys.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - after: The key of the row before the first one; nil for the beginning.
  ///   - last: The key of the last row; nil for all rows.
  ///   - limit: The most rows.
  /// - Returns: The rows.
  /// - Throws: when they cannot be read.
  func rows(
    of table: CopiedTable,
    after: [CopiedValue]?,
    through last: [CopiedValue]?,
    limit: Int
  ) throws(StoreError) -> [CopiedRow]

  /// The bytes of stored thumbnails by their images; damaged thumbnails are left out.
  func thumbnails(of imageIDs: [Int64]) throws(StoreError) -> [Int64: [UInt8]]

  /// The images whose thumbnails are in files that are missing or cut; no thumbnail is read.
  func lostThumbnails() throws(StoreError) -> Set<Int64>

  /// The ids of the listed images, and those of the images that have given way to newer ones of their feeds
  /// (`FeedRetention`), each in ascending order.
  func imageIDs() throws(StoreError) -> (listed: [Int64], retired: [Int64])

  /// The followed folders whose pictures stay there, those with the most pictures first.
  func pictureFolders() throws(StoreError) -> [PictureFolderCount]
}

/// The identity of a library, and its last numbers and ids.
package struct LibraryHeader: Sendable, Equatable {
  /// Its UUID.
  package var library: String
  package var epoch: Int64
  /// The number of its last change.
  package var number: Int64
  /// The highest number of a tombstone that was deleted because of its age.
  package var prunedNumber: Int64
  /// The highest ids ever assigned, for each of `CopiedTable.numbered`.
  package var lastIDs: [String: Int64]
  package var isBackup: Bool
  /// Whether it is a copy of another library, such as a backup, that was completed.
  package var isCopy: Bool

  package init(
    library: String,
    epoch: Int64,
    number: Int64,
    prunedNumber: Int64,
    lastIDs: [String: Int64],
    isBackup: Bool,
    isCopy: Bool = false
  ) {
    self.library = library
    self.epoch = epoch
    self.number = number
    self.prunedNumber = prunedNumber
    self.lastIDs = lastIDs
    self.isBackup = isBackup
    self.isCopy = isCopy
  }

  /// The header for a library that is restored from this backup.
  ///
  /// Clients may have seen changes, images and feeds that came after the backup, so the restored library repeats neither
  /// their numbers nor their ids (`LibraryVersion`). Its epoch is at least the number of days since 2026, so that a backup
  /// that is restored again gives another epoch.
  ///
  /// - Parameter now: The time at which the library is restored.
  /// - Returns: The header for `endCopy`.
  package func restored(now: Date) -> LibraryHeader {
    var header = self
    let days = Int64(saturating: now.timeIntervalSince(Self.year2026) / 86_400)
    // The copy gets the epoch after this one.
    header.epoch = max(epoch, days.subtracting(1))
    let first = header.epoch.adding(1).multiplied(by: LibraryVersion.numbersOfEpoch)
    header.number = max(number, first)
    for table in ["feed", "image"] {
      header.lastIDs[table] = (lastIDs[table] ?? 0).adding(LibraryVersion.idsLeftOut)
    }
    return header
  }

  private static let year2026 = Date(timeIntervalSince1970: 1_767_225_600)
}

/// The state of the destination before the copy begins.
package struct CopyPlace {
  private let name: String
  private let library: String
  private let feeds: Int
  private let followed: Int
  private let isUnfinished: Bool
  private let isBackup: Bool
  private let hasChanged: Bool

  /// - Parameters:
  ///   - name: The name of the destination for messages.
  ///   - library: The UUID of the library there.
  ///   - feeds: The number of feeds there, also of removed ones, whose images are hidden.
  ///   - followed: The number of those that are followed.
  ///   - isUnfinished: Whether it is a copy that was not completed.
  ///   - isBackup: Whether it is a backup.
  ///   - number: The number of its last change.
  ///   - copied: The number at the end of the last copy, as its settings record it; nil before the first.
  package init(
    _ name: String,
    library: String,
    feeds: Int,
    followed: Int,
    isUnfinished: Bool,
    isBackup: Bool,
    number: Int64,
    copied: String?
  ) {
    self.name = name
    self.library = library
    self.feeds = feeds
    self.followed = followed
    self.isUnfinished = isUnfinished
    self.isBackup = isBackup
    hasChanged = copied != "\(number)"
  }

  /// Whether it is a complete copy, if `check` does not throw.
  package var isWhole: Bool { (feeds > 0 || isBackup) && !isUnfinished }

  /// - Throws: `.occupied` for another library, `.changedSince` for a copy that has changed since, `.notBackup` for a copy
  ///   that is not a backup where one is to be, `.backup` for a backup that would become the gallery, and `.notEmpty` for a
  ///   library that would be replaced by a restored one.
  package func check(for header: LibraryHeader, _ purpose: CopyPurpose) throws(StoreError) {
    if isBackup, purpose != .backup {
      throw StoreError(reason: .backup, path: name, message: "")
    }
    if feeds == 0, !isBackup { return }
    let number = followed > 0 ? followed : feeds
    let message =
      "\(number) \(followed > 0 ? "" : "removed ")\(number == 1 ? "feed" : "feeds")"
    guard library == header.library else {
      throw StoreError(reason: .occupied, path: name, message: message)
    }
    if isUnfinished { return }
    switch purpose {
    case .move where hasChanged: throw StoreError(reason: .changedSince, path: name, message: "")
    case .backup where !isBackup: throw StoreError(reason: .notBackup, path: name, message: "")
    case .restore: throw StoreError(reason: .notEmpty, path: name, message: message)
    case .move, .backup: break
    }
  }
}

/// Changes of one table of a copy.
package struct CopyChange: Sendable {
  package var table: CopiedTable
  /// The keys of rows to delete.
  package var removed: [[CopiedValue]] = []
  /// Rows to insert afterwards.
  package var added: [CopiedRow] = []
  /// The bytes of the inserted thumbnails, in the order of the rows; empty for other tables.
  package var thumbnails: [[UInt8]] = []

  package init(_ table: CopiedTable) { self.table = table }
}
