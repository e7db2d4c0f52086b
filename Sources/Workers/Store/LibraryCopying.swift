package import Models

/// A library that can be copied to a store of another kind, and be such a copy.
///
/// Both have the same rows of `CopiedTable.all`, with the same ids and numbers of changes. Each store builds its own
/// indexes, checksums and packs. The methods block: call them on a thread that may wait.
package protocol LibraryCopying: Sendable {
  /// Gives one state of the library for as long as `body` takes; others may read and write meanwhile.
  func withState(
    _ body: @escaping @Sendable (any LibraryState) throws(StoreError) -> Void
  ) async throws(StoreError)

  /// Makes this library the copy of another one, or takes up a copy that was not ended.
  ///
  /// Until it is ended, nothing else can open the library.
  ///
  /// - Throws: `.occupied` for a library that is no copy of the other one, and `.changedSince` for a copy that has
  ///   changed by itself.
  func beginCopy(of header: LibraryHeader) throws(StoreError)

  /// The copy as it is by now.
  func withCopy(_ body: (any LibraryState) throws(StoreError) -> Void) throws(StoreError)

  /// Changes rows of the copy, in one transaction.
  func changeCopy(_ change: CopyChange) throws(StoreError)

  /// Makes the copy a library: it goes on with the ids and numbers of the other one, as another epoch of it.
  ///
  /// - Throws: when rows refer to others that are not there; then it stays a copy.
  func endCopy(of header: LibraryHeader) throws(StoreError)
}

/// One state of a library, for copying.
package protocol LibraryState {
  func header() throws(StoreError) -> LibraryHeader

  /// Rows of a table behind a key and up to another one, in the order of their keys.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - after: The key of the last row before; nil for the beginning.
  ///   - last: The key of the last row that may come; nil for all.
  ///   - limit: How many at most.
  /// - Returns: The rows.
  /// - Throws: when they cannot be read.
  func rows(
    of table: CopiedTable,
    after: [CopiedValue]?,
    through last: [CopiedValue]?,
    limit: Int
  ) throws(StoreError) -> [CopiedRow]

  /// The bytes of stored thumbnails by their images; those that are damaged are left out.
  func thumbnails(of imageIDs: [Int64]) throws(StoreError) -> [Int64: [UInt8]]
}

/// What a library is known by, and how far its numbers have come.
package struct LibraryHeader: Sendable, Equatable {
  /// Its UUID.
  package var library: String
  package var epoch: Int64
  /// The number of its last change.
  package var number: Int64
  /// The highest number of a tombstone that was deleted for its age.
  package var prunedNumber: Int64
  /// The highest ids that were ever given, by `CopiedTable.numbered`.
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

/// What is at the place of a copy before the copy is begun.
package struct CopyPlace {
  private let name: String
  private let library: String
  private let feeds: Int
  private let isUnfinished: Bool
  private let hasChanged: Bool

  /// - Parameters:
  ///   - name: What the place is called in messages.
  ///   - library: The UUID of the library there.
  ///   - feeds: How many feeds that has.
  ///   - isUnfinished: Whether it is a copy that was not ended.
  ///   - number: The number of its last change.
  ///   - copied: The number that it had at the end of the last copy, as its settings have it; nil before.
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

  /// - Throws: `.occupied` and `.changedSince`, as `LibraryCopying.beginCopy` says.
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

/// What is to be changed in a table of a copy.
package struct CopyChange: Sendable {
  package var table: CopiedTable
  /// The keys of rows that go.
  package var removed: [[CopiedValue]] = []
  /// Rows that come after that.
  package var added: [CopiedRow] = []
  /// The bytes of the thumbnails that are added, in their order; none for other tables.
  package var thumbnails: [[UInt8]] = []

  package init(_ table: CopiedTable) { self.table = table }
}

/// Copies a library to another place, of the same kind or another.
package protocol LibraryMoving: Sendable {
  func move() -> MoveRun
}

/// A copy that is under way; the next one goes on from where it is stopped.
package typealias MoveRun = FactRun<MoveFact, Locked<MoveCounts>>

/// What becomes of a copy.
package enum MoveFact: Sendable, Equatable {
  /// A thumbnail that is damaged, so that it is not copied.
  case damagedThumbnail(imageID: Int64)
  /// An original whose file is neither here nor there.
  case missingOriginal(SHA256Digest)
  /// All is copied and compared.
  case ended(MoveCounts)
  /// What was copied stays, and the next copy goes on from it.
  case interrupted(MoveCounts)
  case failed(StoreError)
}

/// What a copy has done.
package struct MoveCounts: Sendable, Equatable {
  package var images = 0
  package var thumbnails = 0
  package var originals = 0
  /// Rows that were missing, different or too many, of all tables.
  package var changedRows = 0
  /// Bytes of the originals' files that were copied: others are links, or were there.
  package var copiedBytes = 0
  /// Thumbnails and originals that the other place does not get.
  package var missing = 0
  /// Originals that have been put into the object store of the other place.
  package var objects = 0
  /// Originals that the object store of the other place does not have yet.
  package var waitingObjects = 0

  package init() {}
}

/// Brings the files of originals from one library's folder to another's.
package protocol OriginalCopying: Sendable {
  /// Links the file of an original, or copies it where no link can be made.
  ///
  /// - Parameters:
  ///   - hash: Its hash, which a copy is compared with.
  ///   - format: Its format.
  ///   - bytes: Its length.
  /// - Returns: What was done; `.missing` when no whole file is here.
  /// - Throws: when it cannot be written.
  func copy(
    _ hash: SHA256Digest,
    _ format: ImageFormat,
    bytes: Int
  ) throws(StoreError) -> CopiedOriginal

  /// Brings the names of new files to the disk.
  func settle() throws(StoreError)
}

/// How the file of an original came to another folder.
package enum CopiedOriginal: Sendable {
  case wasThere
  case linked
  case copied
  case missing
}
