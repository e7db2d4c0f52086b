package import Models
package import Workers

/// A library in memory: holds what it is given, and notes what it is asked.
///
/// It knows of a query only where its page begins and ends: order, feed and search are the store's.
package final class LibraryStub: LibraryReading {
  package enum Event: Equatable, Sendable {
    case imageIDs(ImageQuery)
    case image(id: Int64)
    case thumbnailBytes(imageID: Int64)
    case feeds
    case manifests(at: WebAddress?)
    case failures
    case original(imageID: Int64)
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let images: [WebImage]
  private let storedFeeds: [Feed]
  private let storedManifests: [FeedManifest]
  private let storedFailures: [Int64: [FailureGroup]]
  private let thumbnail: [UInt8]?
  private let storedOriginal: StoredOriginal?
  private let error: StoreError?

  /// Takes what it holds; with an error, that is its answer to every question.
  package init(
    images: [WebImage] = [],
    feeds: [Feed] = [],
    manifests: [FeedManifest] = [],
    failures: [Int64: [FailureGroup]] = [:],
    thumbnail: [UInt8]? = nil,
    original: StoredOriginal? = nil,
    error: StoreError? = nil
  ) {
    self.images = images
    storedFeeds = feeds
    storedManifests = manifests
    storedFailures = failures
    self.thumbnail = thumbnail
    storedOriginal = original
    self.error = error
  }

  package func imageIDs(matching query: ImageQuery) throws(StoreError) -> [Int64] {
    try answer(.imageIDs(query))
    return images.dropFirst(query.offset).prefix(query.limit ?? .max).map(\.id)
  }

  package func images(ids: [Int64]) throws(StoreError) -> [WebImage] {
    ids.compactMap { id in images.first { $0.id == id } }
  }

  package func image(id: Int64) throws(StoreError) -> WebImage? {
    try answer(.image(id: id))
    return images.first { $0.id == id }
  }

  package func thumbnailBytes(imageID: Int64) throws(StoreError) -> [UInt8]? {
    try answer(.thumbnailBytes(imageID: imageID))
    return thumbnail
  }

  package func feeds() throws(StoreError) -> [Feed] {
    try answer(.feeds)
    return storedFeeds
  }

  package func manifests(at address: WebAddress?) throws(StoreError) -> [FeedManifest] {
    try answer(.manifests(at: address))
    return storedManifests.filter { address == nil || $0.address == address }
  }

  package func failures() throws(StoreError) -> [Int64: [FailureGroup]] {
    try answer(.failures)
    return storedFailures
  }

  package func original(imageID: Int64) throws(StoreError) -> StoredOriginal? {
    try answer(.original(imageID: imageID))
    return storedOriginal
  }

  private func answer(_ event: Event) throws(StoreError) {
    recorded.withLock { $0.append(event) }
    if let error { throw error }
  }
}
