package import FoundationEssentials
package import Models

/// Reads a library for scenes and for a sync; never waits for a writer or the network.
///
/// See `Documentation/Store.md`.
package protocol LibraryReading: Sendable {
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
