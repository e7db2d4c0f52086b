package import FoundationEssentials
package import Models

/// Keeps copies of other galleries: their feeds and images, with ids of this library's own.
///
/// A mirror is known by the gallery's base address (`GalleryAddress`). Ids and numbers in its pages are the gallery's.
/// See `Documentation/Mirrors.md`.
package protocol MirrorStoring: Sendable {
  /// How far a gallery has been followed; nil when it is not, or when there is no library.
  func mirror(of gallery: WebAddress) async throws(StoreError) -> MirrorState?

  /// Applies a page and keeps its cursor, in one transaction.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - target: Where it goes.
  /// - Returns: What it did.
  /// - Throws: when the library cannot be written; then nothing of the page is.
  func apply(_ page: MirrorPage, to target: MirrorTarget) async throws(StoreError) -> MirrorCounts

  /// The ids and numbers of the images of one of the gallery's feeds, by id, as they were applied.
  func images(
    ofFeed originID: Int64,
    mirroredFrom gallery: WebAddress
  ) async throws(StoreError) -> [MirroredImage]

  /// The next thumbnails that a gallery has and this library lacks, by pack and offset.
  func wantedThumbnails(
    from gallery: WebAddress,
    limit: Int
  ) async throws(StoreError) -> [MirroredThumbnail]

  /// The next originals that a gallery has and this library lacks, the latest images first.
  func wantedOriginals(
    from gallery: WebAddress,
    before imageID: Int64?,
    limit: Int
  ) async throws(StoreError) -> [MirroredOriginal]

  /// The original that a gallery has of an image; nil for an image that is not mirrored.
  func mirroredOriginal(imageID: Int64) async throws(StoreError) -> MirroredOriginal?
}

/// A gallery that this library mirrors, and how far.
package struct MirrorState: Sendable, Equatable {
  /// The gallery among the feeds.
  package var feed: Feed
  /// The UUID of its library.
  package var library: String
  /// Nil when it is to be compared as a whole.
  package var cursor: String?
  /// Whether it was exported to plain files.
  package var isStatic: Bool
  /// The numbers of the last changes of its feeds that are mirrored, by their ids.
  package var feeds: [Int64: Int64]
  /// The ids of its images that are pinned there.
  package var pins: Set<Int64>
  /// How many of its images are here.
  package var images: Int

  package init(
    feed: Feed,
    library: String,
    cursor: String?,
    isStatic: Bool,
    feeds: [Int64: Int64],
    pins: Set<Int64>,
    images: Int
  ) {
    self.feed = feed
    self.library = library
    self.cursor = cursor
    self.isStatic = isStatic
    self.feeds = feeds
    self.pins = pins
    self.images = images
  }
}

/// A part of what another gallery has, as changes.
package struct MirrorPage: Sendable, Equatable {
  package var lines: [ChangeLine]
  /// Where to go on; nil leaves what there is.
  package var cursor: String?
  /// Whether another page follows.
  package var hasMore: Bool

  package init(lines: [ChangeLine], cursor: String? = nil, hasMore: Bool = true) {
    self.lines = lines
    self.cursor = cursor
    self.hasMore = hasMore
  }
}

/// The mirror that a page is applied to.
package struct MirrorTarget: Sendable, Equatable {
  package var gallery: GalleryAddress
  /// The UUID of the gallery's library.
  package var library: String
  /// How far its content may lead; nil leaves what there is.
  package var reach: FeedReach?
  package var now: Date
  /// Whether the page is only counted.
  package var isDryRun: Bool

  package init(
    gallery: GalleryAddress,
    library: String,
    reach: FeedReach? = nil,
    now: Date,
    isDryRun: Bool = false
  ) {
    self.gallery = gallery
    self.library = library
    self.reach = reach
    self.now = now
    self.isDryRun = isDryRun
  }
}

/// What pages of another gallery did.
package struct MirrorCounts: Sendable, Equatable {
  package var new = 0
  package var changed = 0
  package var removed = 0
  /// Images of feeds that this library follows by itself, or has from another gallery.
  package var left = 0
  /// The ids of the new images in this library.
  package var newIDs: [ClosedRange<Int64>] = []

  package init() {}

  /// How many images are new, changed or removed.
  package var news: Int { new + changed + removed }

  package mutating func add(_ other: MirrorCounts) {
    new += other.new
    changed += other.changed
    removed += other.removed
    left += other.left
    for range in other.newIDs { addNew(range) }
  }

  /// Adds ids that follow the last ones, or others.
  package mutating func addNew(_ ids: ClosedRange<Int64>) {
    if let last = newIDs.last, last.upperBound + 1 == ids.lowerBound {
      newIDs[newIDs.count - 1] = last.lowerBound...ids.upperBound
    } else {
      newIDs.append(ids)
    }
  }
}

/// An image of another gallery, as far as its hashes need it.
package struct MirroredImage: Sendable, Equatable {
  package var id: Int64
  /// The number of its last change.
  package var number: Int64
  /// As in `LibraryTree.Month`.
  package var month: Int

  package init(id: Int64, number: Int64, month: Int) {
    self.id = id
    self.number = number
    self.month = month
  }
}

/// A thumbnail that another gallery has, and this one lacks.
package struct MirroredThumbnail: Sendable, Equatable {
  /// The image in this library.
  package var imageID: Int64
  package var hash: SHA256Digest
  package var bytes: Int
  /// Where it lies in a sealed pack of the gallery; nil when it lies in none.
  package var pack: ImageState.PackReference?
  /// What its feed names: the address of the thumbnail, or of the original that it was made from.
  package var address: WebAddress
  package var isMade: Bool

  package init(
    imageID: Int64,
    hash: SHA256Digest,
    bytes: Int,
    pack: ImageState.PackReference?,
    address: WebAddress,
    isMade: Bool
  ) {
    self.imageID = imageID
    self.hash = hash
    self.bytes = bytes
    self.pack = pack
    self.address = address
    self.isMade = isMade
  }
}

/// An original that another gallery has stored.
package struct MirroredOriginal: Sendable, Equatable {
  /// The image in this library.
  package var imageID: Int64
  package var hash: SHA256Digest
  /// What its feed names.
  package var address: WebAddress
  package var gallery: WebAddress
  /// How far the gallery's content may lead.
  package var reach: FeedReach?

  package init(
    imageID: Int64,
    hash: SHA256Digest,
    address: WebAddress,
    gallery: WebAddress,
    reach: FeedReach?
  ) {
    self.imageID = imageID
    self.hash = hash
    self.address = address
    self.gallery = gallery
    self.reach = reach
  }
}
