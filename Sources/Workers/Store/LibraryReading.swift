package import FoundationEssentials
package import Models

/// Reads a library for scenes and for a sync; never waits for a writer or the network.
///
/// See `Documentation/Store.md`.
package protocol LibraryReading: Sendable {
  /// Which library this is, and its last change.
  func version() async throws(StoreError) -> LibraryVersion

  /// The ids of the images that a query asks for, in its order.
  func imageIDs(matching query: ImageQuery) async throws(StoreError) -> [Int64]

  /// The images with some ids, in the order of these; an image that has been removed since is left out.
  func images(ids: [Int64]) async throws(StoreError) -> [WebImage]

  /// The image with an id, with what the manifest says that it is from; nil when no followed feed has it.
  func image(id: Int64) async throws(StoreError) -> WebImage?

  /// The bytes of an image's stored thumbnail; nil when none is stored, or when they are damaged.
  func thumbnailBytes(imageID: Int64) async throws(StoreError) -> [UInt8]?

  /// An image's stored original; nil when none is stored, or when its file is missing.
  func original(imageID: Int64) async throws(StoreError) -> StoredOriginal?

  /// The feeds that are followed, by id.
  func feeds() async throws(StoreError) -> [Feed]

  /// The manifests that images of followed feeds are from, by feed, in its order.
  ///
  /// - Parameter address: Only those at this address; nil for all.
  /// - Returns: The manifests.
  /// - Throws: when the library cannot be read.
  func manifests(at address: WebAddress?) async throws(StoreError) -> [FeedManifest]

  /// Which pictures failed lately, by the id of their feed, the most frequent reason first.
  func failures() async throws(StoreError) -> [Int64: [FailureGroup]]

  /// How much is stored.
  func figures() async throws(StoreError) -> LibraryFigures

  /// Since when the pictures of an image are stored, and until when; nil when no followed feed has it.
  func storage(imageID: Int64) async throws(StoreError) -> ImageStorage?

  /// All images that a query asks for, in its order, with the months that they are from.
  ///
  /// The query's limit and offset count, too.
  func timeline(matching query: ImageQuery) async throws(StoreError) -> Timeline

  /// What a grid shows of some images, in the order of the ids; an image that has been removed since is left out.
  func tiles(ids: [Int64]) async throws(StoreError) -> [ImageTile]

  /// Stored thumbnails by the hashes of their bytes, in this order.
  ///
  /// Left out are those that no listed image has, and those that are damaged.
  func thumbnails(_ hashes: [SHA256Digest]) async throws(StoreError) -> [PictureBytes]

  /// A stored original by its hash; nil when no image that is listed has it, or when its file is missing or damaged.
  func original(_ hash: SHA256Digest) async throws(StoreError) -> StoredOriginal?

  /// The position behind an image in an order, for `ImageQuery.after`; nil when the image is missing.
  func cursor(behind imageID: Int64, in order: ImageQuery.Order) async throws(StoreError)
    -> ImageCursor?

  /// The states of images, in the order of the ids; an image that has been removed since is left out.
  func states(ids: [Int64]) async throws(StoreError) -> [ImageState]

  /// The other processes that use the library, as far as they are known, by machine and process.
  func nodes() async throws(StoreError) -> [Node]
}

extension LibraryReading {
  /// A stored thumbnail by its hash; nil when it is not stored.
  package func thumbnail(_ hash: SHA256Digest) async throws(StoreError) -> PictureBytes? {
    try await thumbnails([hash]).first
  }
}

/// Since when the pictures of an image are stored, when their servers are asked again, and what takes them away.
package struct ImageStorage: Sendable, Equatable {
  package var feed: Feed
  /// When the stored thumbnail was fetched or made; nil when none is stored.
  package var thumbnailStored: Date?
  /// Whether it was made from the original.
  package var isThumbnailMade = false
  /// From when on its server is asked whether it has changed; nil when it is not.
  package var thumbnailCheck: Date?
  /// When the original was stored; nil when none is.
  package var originalStored: Date?
  package var originalCheck: Date?
  /// When the original was last looked at; for one that was fetched ahead, the date of its image.
  package var originalUsed: Date?
  /// Whether the object store has the original, and whether it alone does.
  package var isPut = false
  package var isAway = false
  /// How many originals give way before it.
  package var originalsBefore = 0
  package var bounds = StorageBounds()
  /// The bytes of all originals.
  package var originalBytes = 0

  package init(feed: Feed) { self.feed = feed }
}

/// How much a library has stored, of the feeds that are followed, and in how many bytes.
package struct LibraryFigures: Sendable, Equatable {
  package var images = 0
  /// The images whose thumbnail is stored.
  package var thumbnails = 0
  /// The images whose thumbnail is still to be fetched or made.
  package var waitingThumbnails = 0
  /// The images whose original is stored.
  package var originals = 0
  package var pins = 0
  /// The bytes of all files with thumbnails.
  package var thumbnailBytes = 0
  /// The bytes of all originals' files on this disk, each counted once.
  package var originalBytes = 0
  /// The originals in the object store, each counted once, and their bytes.
  package var objects = 0
  package var objectBytes = 0
  /// Packs of thumbnails in the object store.
  package var packs = 0
  package var packBytes = 0
  /// The originals on this disk that the object store lacks; nil without an object store.
  package var waitingObjects: Int?
  /// When a verification last came to its end; nil when none has.
  package var verified: Date?
  /// How many bytes originals may take.
  package var bounds = StorageBounds()
  /// The bytes of the database, without its log.
  package var databaseBytes = 0

  package init() {}
}

/// A manifest of a feed in a list.
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
  /// The feeds that it syncs now.
  package var feeds: [SyncedFeed] = []

  package init(machine: String, process: Int, since: Date, feeds: [SyncedFeed] = []) {
    self.machine = machine
    self.process = process
    self.since = since
    self.feeds = feeds
  }
}

/// A feed that a process syncs.
package struct SyncedFeed: Sendable, Equatable {
  /// Nil for one that is being added.
  package var id: Int64?
  package var title: String?
  /// Its address, or what all spellings of it share.
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
