package import FoundationEssentials
package import Models

/// Tells whether a library has changed, and about how much, and remembers who has heard of it.
package protocol ChangeWatching: Sendable {
  /// Which library this is, and its last change.
  func version() async throws(StoreError) -> LibraryVersion

  /// A summary of what has changed behind a number.
  func changeCounts(after number: Int64) async throws(StoreError) -> ChangeCounts

  /// Remembers that clients have seen a state of the library.
  func noteFollowed(_ version: LibraryVersion) async throws(StoreError)
}

/// Reads the change log with the whole state of what has changed, for clients that keep a copy of the library.
///
/// See `Documentation/Changes.md`.
package protocol ChangeFollowing: ChangeWatching {
  /// Looks whether a backup was restored since clients last read changes, and forgets old tombstones.
  func prepareForFollowers() async throws(StoreError)

  /// The changes behind a position, read from one state of the library.
  func changePage(_ request: ChangeRequest) async throws(StoreError) -> ChangePage

  /// The hashes of all images; nil when there is no library.
  func tree() async throws(StoreError) -> LibraryTree?

  /// The images of a leaf of the tree, by id, as they are now.
  ///
  /// - Parameters:
  ///   - feedID: Their feed.
  ///   - month: As in `LibraryTree.Month`.
  ///   - ids: The range of their ids.
  /// - Returns: Their states.
  /// - Throws: when the library cannot be read.
  func images(
    ofFeed feedID: Int64,
    month: Int,
    ids: ClosedRange<Int64>
  ) async throws(StoreError) -> [ImageState]

  /// A sealed pack of thumbnails by its hash; nil when there is none.
  func pack(_ hash: SHA256Digest) async throws(StoreError) -> SealedPack?

  /// The sealed packs all of whose bytes are thumbnails of images that are listed.
  ///
  /// Others have pictures that were removed or replaced, which are nobody else's business.
  func publicPacks() async throws(StoreError) -> [SHA256Digest: SealedPack]
}

/// A file with thumbnails one behind the other, to which nothing is appended any more.
package struct SealedPack: Sendable, Equatable {
  package var path: String
  /// Its length; the file may have more behind it.
  package var bytes: Int

  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }
}

/// The part of a library that a client may see.
package struct LibraryPart: Sendable, Hashable {
  /// Only images of this feed; nil for all.
  package var feedID: Int64?
  /// Only images with these words; nil for all.
  package var search: String?

  package init(feedID: Int64? = nil, search: String? = nil) {
    self.feedID = feedID
    self.search = search
  }

  package var isWhole: Bool { feedID == nil && search == nil }
}

/// What a client of the change log asks for.
package struct ChangeRequest: Sendable, Equatable {
  /// Only changes behind it.
  package var position: ChangePosition
  /// The number of the library's last change when the client began with nothing.
  ///
  /// Up to there it cannot have anything that it was not sent, so it needs no removals.
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

/// Some changes, in their order, with the state of what has changed.
package struct ChangePage: Sendable, Equatable {
  /// The state of the library that it was read from.
  package var version: LibraryVersion
  /// The highest number of a removal that the library has forgotten.
  package var prunedNumber: Int64
  package var lines: [ChangeLine]
  /// Where the next page begins; nil when this is the last one.
  package var next: ChangePosition?

  package init(
    version: LibraryVersion,
    prunedNumber: Int64,
    lines: [ChangeLine] = [],
    next: ChangePosition? = nil
  ) {
    self.version = version
    self.prunedNumber = prunedNumber
    self.lines = lines
    self.next = next
  }
}

/// The last change of a feed, an image or a pin, with its state then.
package struct ChangeLine: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    case removed
    case feed(Feed)
    case image(ImageState)
    /// When it was pinned.
    case pin(Date)
  }

  package var position: ChangePosition
  package var state: State

  package init(position: ChangePosition, state: State) {
    self.position = position
    self.state = state
  }
}

/// A summary of what has changed.
package struct ChangeCounts: Sendable, Equatable {
  /// The feeds that have changed, or that have images that have changed.
  package var feeds: [Int64]
  /// How many images have changed; a large number is cut.
  package var images: Int

  package init(feeds: [Int64] = [], images: Int = 0) {
    self.feeds = feeds
    self.images = images
  }
}

/// Whose change it is; the store keeps the raw value, by which the changes of one transaction are sorted.
package enum ChangedKind: Int, Sendable, CaseIterable {
  case feed = 0
  /// An image with its thumbnail, and with the state of its original.
  case image = 1
  /// The id is the image's.
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

  /// In front of every change.
  package static let beginning = ChangePosition(number: 0, kind: .feed, id: 0)

  /// The highest id of a kind that does not come behind the position, among the changes with its number.
  ///
  /// An id of a lower kind comes before the position, whatever it is, and one of a higher kind behind it.
  package func lastID(of kind: ChangedKind) -> Int64 {
    kind == self.kind ? id : kind.rawValue < self.kind.rawValue ? .max : 0
  }
}

/// The last change of a feed, an image or a pin.
package struct Change: Sendable, Equatable {
  package var position: ChangePosition
  /// Whether it was removed or hidden, and left a tombstone.
  package var isRemoval: Bool

  package init(position: ChangePosition, isRemoval: Bool) {
    self.position = position
    self.isRemoval = isRemoval
  }
}
