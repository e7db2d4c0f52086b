package import FoundationEssentials
package import Models

/// Reports whether and how much a library has changed, and records which changes clients have seen.
package protocol ChangeWatching: Sendable {
  /// The identity of the library, and its last change.
  func version() async throws(StoreError) -> LibraryVersion

  /// A number that is another one after each change of anything in the library, by any process.
  ///
  /// It is known at once, without a task: the event loops of a server ask for it. Nil when the library cannot tell it
  /// so, as a database on another machine, or when there is no library.
  var changeMark: Int? { get }

  /// A summary of the changes after a change number.
  func changeCounts(after number: Int64) async throws(StoreError) -> ChangeCounts

  /// Records that clients have seen a state of the library.
  func noteFollowed(_ version: LibraryVersion) async throws(StoreError)
}

extension ChangeWatching {
  package var changeMark: Int? { nil }
}

/// Reads the change log with the full state of changed objects, for clients that keep a copy of the library.
///
/// See `Documentation/Changes.md`.
package protocol ChangeFollowing: ChangeWatching {
  /// Checks whether a backup was restored since clients last read changes, and deletes old tombstones.
  func prepareForFollowers() async throws(StoreError)

  /// The changes after a position, read from one state of the library.
  func changePage(_ request: ChangeRequest) async throws(StoreError) -> ChangePage

  /// The hashes of all images; nil when the library does not exist.
  func tree() async throws(StoreError) -> LibraryTree?

  /// The current images of a leaf of the tree, by id.
  ///
  /// - Parameters:
  ///   - feedID: The feed of the images.
  ///   - month: As in `LibraryTree.Month`.
  ///   - ids: The range of their ids.
  /// - Returns: Their states.
  /// - Throws: when the library cannot be read.
  func images(
    ofFeed feedID: Int64,
    month: Int,
    ids: ClosedRange<Int64>
  ) async throws(StoreError) -> [ImageState]

  /// A sealed pack of thumbnails by its hash; nil if it does not exist.
  func pack(_ hash: SHA256Digest) async throws(StoreError) -> SealedPack?

  /// The sealed packs that contain only thumbnails of listed images.
  ///
  /// Other packs contain pictures that were removed or replaced, and must not be given to others.
  func publicPacks() async throws(StoreError) -> [SHA256Digest: SealedPack]
}

/// A file of concatenated thumbnails to which nothing is appended any more.
package struct SealedPack: Sendable, Equatable {
  package var path: String
  /// Its length; the file may have further bytes after it.
  package var bytes: Int

  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }
}

/// A client's request to the change log.
package struct ChangeRequest: Sendable, Equatable {
  /// The position after which changes are returned.
  package var position: ChangePosition
  /// The library's last change number when the client started with an empty copy.
  ///
  /// Until that number, the client has only what it was sent, so it does not need removals.
  package var start: Int64
  package var kinds: Set<ChangedKind>
  package var part: LibraryPart
  package var limit: Int

  package init(
    position: ChangePosition = .beginning,
    start: Int64 = 0,
    kinds: Set<ChangedKind> = Set(ChangedKind.allCases),
    part: LibraryPart = LibraryPart(),
    limit: Int
  ) {
    self.position = position
    self.start = start
    self.kinds = kinds
    self.part = part
    self.limit = limit
  }
}

/// A page of changes in their order, with the state of the changed objects.
package struct ChangePage: Sendable, Equatable {
  /// The state of the library from which the page was read.
  package var version: LibraryVersion
  /// The highest number of a removal whose tombstone was deleted.
  package var prunedNumber: Int64
  package var lines: [ChangeLine]
  /// The position for the next page; nil when this page is the last.
  package var next: ChangePosition?
  /// The images of the client's part; nil when the client sees the whole library.
  package var partImages: PartImages?

  package init(
    version: LibraryVersion,
    prunedNumber: Int64,
    lines: [ChangeLine] = [],
    next: ChangePosition? = nil,
    partImages: PartImages? = nil
  ) {
    self.version = version
    self.prunedNumber = prunedNumber
    self.lines = lines
    self.next = next
    self.partImages = partImages
  }
}

/// The last change of a feed, an image or a pin, with its state after the change.
package struct ChangeLine: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    case removed
    case feed(Feed)
    case image(ImageState)
    /// The date of pinning.
    case pin(Date)
  }

  package var position: ChangePosition
  package var state: State

  package init(position: ChangePosition, state: State) {
    self.position = position
    self.state = state
  }
}

/// A summary of changes.
package struct ChangeCounts: Sendable, Equatable {
  /// The feeds that have changed, or that have images that have changed.
  package var feeds: [Int64]
  /// The number of changed images, up to a limit.
  package var images: Int

  package init(feeds: [Int64] = [], images: Int = 0) {
    self.feeds = feeds
    self.images = images
  }
}

/// The kind of a changed object; the store keeps the raw value, which orders the changes of one transaction.
package enum ChangedKind: Int, Sendable, CaseIterable {
  case feed = 0
  /// An image with its thumbnail, and the state of its original.
  case image = 1
  /// A pin, with the id of its image.
  case pin = 2
}

/// A position in the order of changes.
package struct ChangePosition: Sendable, Equatable {
  /// The number of the transaction (`change_seq`).
  package var number: Int64
  package var kind: ChangedKind
  package var id: Int64

  package init(number: Int64, kind: ChangedKind, id: Int64) {
    self.number = number
    self.kind = kind
    self.id = id
  }

  /// The position before every change.
  package static let beginning = ChangePosition(number: 0, kind: .feed, id: 0)

  /// The highest id of a kind that is not after the position, among the changes with the position's number.
  ///
  /// All ids of a lower kind are before the position, and all ids of a higher kind are after it.
  package func lastID(of kind: ChangedKind) -> Int64 {
    kind == self.kind ? id : kind.rawValue < self.kind.rawValue ? .max : 0
  }
}

/// The last change of a feed, an image or a pin.
package struct Change: Sendable, Equatable {
  package var position: ChangePosition
  /// Whether the object was removed or hidden, and left a tombstone.
  package var isRemoval: Bool

  package init(position: ChangePosition, isRemoval: Bool) {
    self.position = position
    self.isRemoval = isRemoval
  }
}
