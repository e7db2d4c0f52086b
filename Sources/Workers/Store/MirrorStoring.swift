package import FoundationEssentials
package import Models

/// Keeps copies of other galleries: their feeds and images, with ids of this library.
///
/// A mirror is identified by the gallery's base address (`GalleryAddress`). Ids and numbers in its pages are those of
/// the gallery. See `Documentation/Mirrors.md`.
package protocol MirrorStoring: Sendable {
  /// The identity of this library.
  func version() async throws(StoreError) -> LibraryVersion

  /// The state of a gallery's mirror; nil when the gallery is not mirrored, or the library does not exist.
  func mirror(of gallery: WebAddress) async throws(StoreError) -> MirrorState?

  /// The addresses from which a library is mirrored, also those of removed galleries.
  func galleries(ofLibrary library: String) async throws(StoreError) -> [WebAddress]

  /// Applies a page and stores its cursor, in one transaction.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - target: The mirror to which it is applied.
  /// - Returns: The numbers of changes.
  /// - Throws: when the library cannot be written; then no part of the page is applied.
  func apply(_ page: MirrorPage, to target: MirrorTarget) async throws(StoreError) -> MirrorCounts

  /// The applied ids and numbers of the images of one of the gallery's feeds, by id.
  ///
  /// Images that the gallery has lost, and that stay because they are pinned here, are left out.
  func images(
    ofFeed originID: Int64,
    mirroredFrom gallery: WebAddress
  ) async throws(StoreError) -> [MirroredImage]

  /// The next thumbnails that only the gallery has, by pack and offset.
  func wantedThumbnails(
    from gallery: WebAddress,
    limit: Int
  ) async throws(StoreError) -> [MirroredThumbnail]

  /// The thumbnail of an image that only the gallery has; nil if the image has it, and for an image that is not mirrored.
  func wantedThumbnail(imageID: Int64) async throws(StoreError) -> MirroredThumbnail?

  /// The next originals that only the gallery has, those of the latest images first.
  func wantedOriginals(
    from gallery: WebAddress,
    before imageID: Int64?,
    limit: Int
  ) async throws(StoreError) -> [MirroredOriginal]

  /// The gallery's original of an image; nil for an image that is not mirrored, and for one whose original the gallery
  /// has not stored and others have.
  func mirroredOriginal(imageID: Int64) async throws(StoreError) -> MirroredOriginal?

  /// Another image of the same gallery whose stored original has a hash; nil without one.
  ///
  /// Images of other feeds do not count: a gallery that states a hash must not get their files shown as its own, nor
  /// learn from a request that does not come that this library has them.
  func imageID(
    withOriginal hash: SHA256Digest,
    besides imageID: Int64
  ) async throws(StoreError) -> Int64?
}

/// A gallery that this library mirrors, with the progress of its mirror.
package struct MirrorState: Sendable, Equatable {
  /// The feed that represents the gallery.
  package var feed: Feed
  /// The UUID of its library.
  package var library: String
  /// The key with which the gallery signs; nil for a gallery that has not signed yet.
  package var key: LibraryKey?
  /// The cursor for the next page; nil when the whole library has to be compared.
  package var cursor: String?
  /// Whether the gallery is a static site.
  package var isStatic: Bool
  /// The change numbers of its mirrored feeds, by their ids.
  package var feeds: [Int64: Int64]
  /// The ids of its images that the gallery has pinned.
  package var pins: Set<Int64>
  /// The number of its images in this library.
  package var images: Int

  package init(
    feed: Feed,
    library: String,
    key: LibraryKey? = nil,
    cursor: String?,
    isStatic: Bool,
    feeds: [Int64: Int64],
    pins: Set<Int64>,
    images: Int
  ) {
    self.feed = feed
    self.library = library
    self.key = key
    self.cursor = cursor
    self.isStatic = isStatic
    self.feeds = feeds
    self.pins = pins
    self.images = images
  }

  /// The part of the gallery that is mirrored, as its cursor names it; nil when no cursor names one.
  package var part: String? { cursor.flatMap { ChangeCursor($0)?.part } }

  /// Whether it was to be a copy of the whole gallery, which has sent only a part, as it does for a limited token.
  package var isLimited: Bool {
    !GalleryAddress(base: feed.address, isStatic: isStatic).isPart
      && part.map { $0 != ChangeCursor.wholeLibrary } ?? false
  }
}

/// Changes that bring a part of a mirror up to date.
package struct MirrorPage: Sendable, Equatable {
  package var lines: [ChangeLine]
  /// The cursor for the next page; nil keeps the stored one.
  package var cursor: String?
  /// Whether another page follows.
  package var hasMore: Bool

  package init(lines: [ChangeLine], cursor: String? = nil, hasMore: Bool = true) {
    self.lines = lines
    self.cursor = cursor
    self.hasMore = hasMore
  }
}

extension ChangeLine {
  /// The bytes of the texts that applying it stores.
  package var textBytes: Int {
    switch state {
    case .feed(let feed): feed.address.text.utf8.count + (feed.title?.utf8.count ?? 0)
    case .image(let image): image.textBytes
    case .pin, .removed: 0
    }
  }
}

/// The mirror that a page is applied to.
package struct MirrorTarget: Sendable, Equatable {
  package var gallery: GalleryAddress
  /// The UUID of the gallery's library.
  package var library: String
  /// The key with which the gallery signs from now on; nil for a gallery that does not sign.
  package var key: LibraryKey?
  /// The title of the gallery; nil keeps the stored one.
  package var title: String?
  /// The address of a gallery of the same library whose copy it takes over, by the user's word; nil for none.
  package var former: WebAddress?
  /// The reach of its content; nil keeps the stored reach.
  package var reach: FeedReach?
  package var now: Date
  /// Whether the changes are only counted.
  package var isDryRun: Bool

  package init(
    gallery: GalleryAddress,
    library: String,
    key: LibraryKey? = nil,
    title: String? = nil,
    former: WebAddress? = nil,
    reach: FeedReach? = nil,
    now: Date,
    isDryRun: Bool = false
  ) {
    self.gallery = gallery
    self.library = library
    self.key = key
    self.title = title
    self.former = former
    self.reach = reach
    self.now = now
    self.isDryRun = isDryRun
  }
}

/// The numbers of changes that pages of another gallery have made.
package struct MirrorCounts: Sendable, Equatable {
  package var new = 0
  package var changed = 0
  package var removed = 0
  /// Images that were skipped, because their feed is followed directly or comes from another gallery.
  package var left = 0
  /// The ids of the new images in this library.
  package var newIDs: [ClosedRange<Int64>] = []
  /// The bytes of the texts in new and changed rows (`ChangeLine.textBytes`).
  package var textBytes = 0

  package init() {}

  /// The number of images that are new, changed or removed.
  package var news: Int { new + changed + removed }

  package mutating func add(_ other: MirrorCounts) {
    new += other.new
    changed += other.changed
    removed += other.removed
    left += other.left
    textBytes += other.textBytes
    for range in other.newIDs { addNew(range) }
  }

  /// Adds ids, and joins them with the last range if they follow it.
  package mutating func addNew(_ ids: ClosedRange<Int64>) {
    if let last = newIDs.last, last.upperBound + 1 == ids.lowerBound {
      newIDs[newIDs.count - 1] = last.lowerBound...ids.upperBound
    } else {
      newIDs.append(ids)
    }
  }
}

/// The fields of another gallery's image that its hashes depend on.
package struct MirroredImage: Sendable, Equatable {
  package var id: Int64
  /// The change number of the image.
  package var number: Int64
  /// As in `LibraryTree.Month`.
  package var month: Int

  package init(id: Int64, number: Int64, month: Int) {
    self.id = id
    self.number = number
    self.month = month
  }
}

/// A thumbnail that another gallery has and this library lacks.
package struct MirroredThumbnail: Sendable, Equatable {
  /// The id of the image in this library.
  package var imageID: Int64
  package var hash: SHA256Digest
  package var bytes: Int
  /// The place in a sealed pack of the gallery; nil when it is not in one.
  package var pack: ImageState.PackReference?
  /// The address in its feed: that of the thumbnail, or of the original from which it was made.
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

/// An original that another gallery has stored, or that is a file of its machine.
package struct MirroredOriginal: Sendable, Equatable {
  /// The id of the image in this library.
  package var imageID: Int64
  /// Nil while the gallery has not stored it.
  package var hash: SHA256Digest?
  /// The original's address in its feed.
  package var address: WebAddress
  package var gallery: WebAddress
  /// The reach of the gallery's content.
  package var reach: FeedReach?
  /// Where the gallery has it now, if its own address is that of a file of the gallery's machine or stands for one; nil
  /// for an original that others have, too.
  ///
  /// An address that stands for one may lead to a place that the gallery has left.
  package var untold: WebAddress?

  package init(
    imageID: Int64,
    hash: SHA256Digest?,
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
