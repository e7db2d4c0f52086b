package import FoundationEssentials
package import Models

/// Reads a library for scenes and syncs, without waiting for a writer or the network.
///
/// See `Documentation/Store.md`.
package protocol LibraryReading: Sendable {
  /// The identity of the library, and its last change.
  func version() async throws(StoreError) -> LibraryVersion

  /// The ids of the images that match a query, in its order.
  func imageIDs(matching query: ImageQuery) async throws(StoreError) -> [Int64]

  /// The images with the given ids, in this order; images that have been removed are left out.
  func images(ids: [Int64]) async throws(StoreError) -> [WebImage]

  /// The image with an id, including its manifest; nil when its feed is not followed.
  func image(id: Int64) async throws(StoreError) -> WebImage?

  /// The bytes of an image's stored thumbnail; nil when it is missing or damaged.
  func thumbnailBytes(imageID: Int64) async throws(StoreError) -> [UInt8]?

  /// An image's stored original; nil when it is not stored, or its file is missing.
  func original(imageID: Int64) async throws(StoreError) -> StoredOriginal?

  /// The newer pictures that are kept beside an image's stored ones, at most one of each kind.
  func successors(imageID: Int64) async throws(StoreError) -> [Successor]

  /// The feeds that are followed, by id.
  func feeds() async throws(StoreError) -> [Feed]

  /// The manifests of followed feeds' images, by feed, in the order of each feed.
  ///
  /// - Parameter address: The address of the manifests; nil for all.
  /// - Returns: The manifests.
  /// - Throws: when the library cannot be read.
  func manifests(at address: WebAddress?) async throws(StoreError) -> [FeedManifest]

  /// Recent failures of pictures, by the id of their feed, the most frequent reason first.
  func failures() async throws(StoreError) -> [Int64: [FailureGroup]]

  /// The numbers and sizes of stored data.
  func figures() async throws(StoreError) -> LibraryFigures

  /// The dates and bounds that apply to the stored pictures of an image; nil when its feed is not followed.
  func storage(imageID: Int64) async throws(StoreError) -> ImageStorage?

  /// All images that match a query, in its order, with their months.
  ///
  /// The query's limit and offset also apply.
  func timeline(matching query: ImageQuery) async throws(StoreError) -> Timeline

  /// The tiles of images for a grid, in the order of the ids; images that have been removed are left out.
  func tiles(ids: [Int64]) async throws(StoreError) -> [ImageTile]

  /// Stored thumbnails by the hashes of their bytes, in this order.
  ///
  /// Damaged thumbnails, and those of images that are not listed, are left out.
  func thumbnails(_ hashes: [SHA256Digest]) async throws(StoreError) -> [PictureBytes]

  /// A stored original by its hash; nil when no listed image has it, or its file is missing or damaged.
  func original(_ hash: SHA256Digest) async throws(StoreError) -> StoredOriginal?

  /// The listed images that have pictures with the given hashes as their stored thumbnail or original.
  func imageIDs(
    withPictures hashes: [SHA256Digest]
  ) async throws(StoreError) -> [SHA256Digest: [Int64]]

  /// The position after an image in an order, for `ImageQuery.after`; nil when the image is missing.
  func cursor(behind imageID: Int64, in order: ImageQuery.Order) async throws(StoreError)
    -> ImageCursor?

  /// The states of images, in the order of the ids; images that have been removed are left out.
  func states(ids: [Int64]) async throws(StoreError) -> [ImageState]

  /// The known other processes that use the library, by machine and process.
  func nodes() async throws(StoreError) -> [Node]
}

extension LibraryReading {
  /// A stored thumbnail by its hash; nil when it is not stored.
  package func thumbnail(_ hash: SHA256Digest) async throws(StoreError) -> PictureBytes? {
    try await thumbnails([hash]).first
  }
}

/// The dates of an image's stored pictures: of their storage, their next check and their last view.
package struct ImageStorage: Sendable, Equatable {
  package var feed: Feed
  /// When the stored thumbnail was fetched or made; nil when it is not stored.
  package var thumbnailStored: Date?
  /// Whether it was made from the original.
  package var isThumbnailMade = false
  /// Whether the next sync with a decoder makes it from the original.
  package var isThumbnailUnmade = false
  /// When its server is next asked for a change; nil when it is not asked.
  package var thumbnailCheck: Date?
  /// When the original was stored; nil when it is not stored.
  package var originalStored: Date?
  package var originalCheck: Date?
  /// The address from which the original came; another one than the image's for another rendition.
  package var originalSource: WebAddress?
  /// When the original was last viewed; for one that was fetched ahead, the date of its image.
  package var originalUsed: Date?
  /// Whether the object store has the original, and whether only the object store has it.
  package var isPut = false
  package var isAway = false
  /// Whether only originals that the object store has give way to others.
  package var needsPut = false
  /// The number of originals that give way before it; nil when it does not give way.
  package var originalsBefore: Int?
  package var bounds = StorageBounds()
  /// The size of all originals' files on this disk in bytes.
  package var originalBytes = 0

  package init(feed: Feed) { self.feed = feed }
}

/// The numbers and sizes of the stored data of followed feeds.
package struct LibraryFigures: Sendable, Equatable {
  package var images = 0
  /// The images whose thumbnail is stored.
  package var thumbnails = 0
  /// The images whose thumbnail is still to be fetched or made.
  package var waitingThumbnails = 0
  /// The images whose original is stored.
  package var originals = 0
  /// Those of them that are files of folders which are feeds, and stay there, and the size of these files in bytes.
  package var originalsInPlace = 0
  package var bytesInPlace = 0
  package var pins = 0
  /// The size of all files with thumbnails, in bytes.
  package var thumbnailBytes = 0
  /// The size of all originals' files on this disk, in bytes, each counted once.
  package var originalBytes = 0
  /// The originals in the object store, each counted once, and their size in bytes.
  package var objects = 0
  package var objectBytes = 0
  /// Packs of thumbnails in the object store.
  package var packs = 0
  package var packBytes = 0
  /// The originals on this disk that are not in the object store; nil without an object store.
  package var waitingObjects: Int?
  /// When a verification was last completed; nil before the first.
  package var verified: Date?
  /// The limits for the size of originals.
  package var bounds = StorageBounds()
  /// The size of the database in bytes, without its log.
  package var databaseBytes = 0

  package init() {}
}

/// A manifest in a list of a feed's manifests.
package struct FeedManifest: Sendable, Equatable {
  /// The store's number for it.
  package var id: Int64
  package var feedID: Int64
  package var address: WebAddress
  package var label: String?
  package var imageCount: Int

  package init(id: Int64, feedID: Int64, address: WebAddress, label: String?, imageCount: Int) {
    self.id = id
    self.feedID = feedID
    self.address = address
    self.label = label
    self.imageCount = imageCount
  }
}

/// A process that uses the library.
package struct Node: Sendable, Equatable {
  package var machine: String
  package var process: Int
  /// When it opened the library, or began its longest sync.
  package var since: Date
  /// The feeds that it is syncing.
  package var feeds: [SyncedFeed] = []

  package init(machine: String, process: Int, since: Date, feeds: [SyncedFeed] = []) {
    self.machine = machine
    self.process = process
    self.since = since
    self.feeds = feeds
  }
}

/// A feed that a process is syncing.
package struct SyncedFeed: Sendable, Equatable {
  /// Nil for a feed that is being added.
  package var id: Int64?
  package var title: String?
  /// Its address, or the identity that all spellings of its address share.
  package var address: String
  /// When the sync began.
  package var since: Date

  package init(id: Int64?, title: String?, address: String, since: Date) {
    self.id = id
    self.title = title
    self.address = address
    self.since = since
  }
}
