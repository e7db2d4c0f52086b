package import Models

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
  /// Until the copy is completed, no other process can open the library. A copy that was completed before stays so until
  /// the first change of a row, so that a run that ends before leaves it as it was.
  ///
  /// - Throws: `.occupied` for a library that is not a copy of the other one, and `.changedSince` for a copy that has
  ///   been changed since.
  func beginCopy(of header: LibraryHeader) throws(StoreError)

  /// Provides the current state of the copy.
  func withCopy(_ body: (any LibraryState) throws(StoreError) -> Void) throws(StoreError)

  /// Changes rows of the copy, in one transaction, which makes it incomplete.
  func changeCopy(_ change: CopyChange) throws(StoreError)

  /// The key pair of the library; nil before it was made.
  ///
  /// - Throws: `.unusableKey`, as described at `LibraryKeyKeeping`.
  func storedKey() throws(StoreError) -> (any LibrarySigning)?

  /// Gives the copy the key pair of the library, whose UUID it has.
  func keepKey(_ key: any LibrarySigning, of library: String) throws(StoreError)

  /// Completes the copy: it continues the ids and numbers of the other library, as another epoch of it.
  ///
  /// - Throws: when rows refer to missing rows; then it stays an incomplete copy.
  func endCopy(of header: LibraryHeader) throws(StoreError)
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

  package init(
    library: String,
    epoch: Int64,
    number: Int64,
    prunedNumber: Int64,
    lastIDs: [String: Int64]
  ) {
    self.library = library
    self.epoch = epoch
    self.number = number
    self.prunedNumber = prunedNumber
    self.lastIDs = lastIDs
  }
}

/// The state of the destination before the copy begins.
package struct CopyPlace {
  private let name: String
  private let library: String
  private let feeds: Int
  private let isUnfinished: Bool
  private let hasChanged: Bool

  /// - Parameters:
  ///   - name: The name of the destination for messages.
  ///   - library: The UUID of the library there.
  ///   - feeds: The number of feeds there.
  ///   - isUnfinished: Whether it is a copy that was not completed.
  ///   - number: The number of its last change.
  ///   - copied: The number at the end of the last copy, as its settings record it; nil before the first.
  package init(
    _ name: String,
    library: String,
    feeds: Int,
    isUnfinished: Bool,
    number: Int64,
    copied: String?
  ) {
    self.name = name
    self.library = library
    self.feeds = feeds
    self.isUnfinished = isUnfinished
    hasChanged = copied != "\(number)"
  }

  /// Whether it is a complete copy, if `check(for:)` does not throw.
  package var isWhole: Bool { feeds > 0 && !isUnfinished }

  /// - Throws: `.occupied` and `.changedSince`, as described at `LibraryCopying.beginCopy`.
  package func check(for header: LibraryHeader) throws(StoreError) {
    if feeds == 0 { return }
    guard library == header.library else {
      let message = feeds == 1 ? "1 feed" : "\(feeds) feeds"
      throw StoreError(reason: .occupied, path: name, message: message)
    }
    if !isUnfinished, hasChanged {
      throw StoreError(reason: .changedSince, path: name, message: "")
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

/// Copies a library to another place, of the same kind or another.
package protocol LibraryMoving: Sendable {
  func move() -> MoveRun
}

/// A running copy; if it is stopped, the next one continues from there.
package typealias MoveRun = FactRun<MoveFact, Locked<MoveCounts>>

/// A fact about a running copy.
package enum MoveFact: Sendable, Equatable {
  /// A thumbnail that is not copied, because it is damaged.
  case damagedThumbnail(imageID: Int64)
  /// An original whose file is missing in both places.
  case missingOriginal(SHA256Digest)
  /// Everything is copied and compared.
  case ended(MoveCounts)
  /// The copy was interrupted; copied data stays, and the next copy continues from there.
  case interrupted(MoveCounts)
  case failed(StoreError)
}

/// The amounts of data that a copy has processed.
package struct MoveCounts: Sendable, Equatable {
  package var images = 0
  package var thumbnails = 0
  package var originals = 0
  /// Rows of all tables that were missing, different or superfluous.
  package var changedRows = 0
  /// Files of originals that the copy did not have.
  package var newFiles = 0
  /// The size of the originals' files that were copied, in bytes; other files are links, or existed already.
  package var copiedBytes = 0
  /// Thumbnails and originals that were not copied, because they are missing or damaged.
  package var missing = 0
  /// Originals that were uploaded to the object store of the destination.
  package var objects = 0
  /// Originals that are not yet in the object store of the destination.
  package var waitingObjects = 0

  package init() {}
}

/// Copies the files of originals from one library's folder to another's.
package protocol OriginalCopying: Sendable {
  /// Links the file of an original, or copies it if it cannot be linked.
  ///
  /// - Parameters:
  ///   - hash: Its hash, which is compared with that of a copy.
  ///   - format: Its format.
  ///   - bytes: Its length.
  /// - Returns: The way in which it was copied; `.missing` when this folder does not have the whole file.
  /// - Throws: when it cannot be written.
  func copy(
    _ hash: SHA256Digest,
    _ format: ImageFormat,
    bytes: Int
  ) throws(StoreError) -> CopiedOriginal

  /// Flushes the names of new files to the disk.
  func settle() throws(StoreError)
}

/// The way in which the file of an original got into another folder.
package enum CopiedOriginal: Sendable {
  case wasThere
  case linked
  case copied
  case missing
}
