import FoundationEssentials
package import Models
package import Workers

/// A library in memory with given contents, which records the requests.
///
/// Of a query it uses only the beginning and the length of the page, and ignores order, feed and search.
package final class LibraryStub: LibraryReading {
  package enum Event: Equatable, Sendable {
    case imageIDs(ImageQuery)
    case image(id: Int64)
    case thumbnailBytes(imageID: Int64)
    case feeds
    case manifests(at: WebAddress?)
    case failures
    case figures
    case storage(imageID: Int64)
    case original(imageID: Int64)
    case version
    case timeline(ImageQuery)
    case thumbnails([SHA256Digest])
    case originalFile(SHA256Digest)
    case cursor(behind: Int64, ImageQuery.Order)
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let images: [WebImage]
  private let storedFeeds: [Feed]
  private let storedManifests: [FeedManifest]
  private let storedFailures: [Int64: [FailureGroup]]
  private let thumbnail: [UInt8]?
  private let storedOriginal: StoredOriginal?
  private let storedSuccessors: [Successor]
  private let storedStates: [ImageState]
  private let number: Int64
  private let error: StoreError?

  /// Creates a stub with its contents; if there is an error, every request throws it.
  package init(
    images: [WebImage] = [],
    feeds: [Feed] = [],
    manifests: [FeedManifest] = [],
    failures: [Int64: [FailureGroup]] = [:],
    thumbnail: [UInt8]? = nil,
    original: StoredOriginal? = nil,
    successors: [Successor] = [],
    states: [ImageState] = [],
    number: Int64 = 1,
    error: StoreError? = nil
  ) {
    self.images = images
    storedFeeds = feeds
    storedManifests = manifests
    storedFailures = failures
    self.thumbnail = thumbnail
    storedOriginal = original
    storedSuccessors = successors
    storedStates = states
    self.number = number
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

  package func storage(imageID: Int64) throws(StoreError) -> ImageStorage? {
    try answer(.storage(imageID: imageID))
    return storedFeeds.first.map(ImageStorage.init)
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

  package func figures() throws(StoreError) -> LibraryFigures {
    try answer(.figures)
    var figures = LibraryFigures()
    figures.images = images.count
    return figures
  }

  package func original(imageID: Int64) throws(StoreError) -> StoredOriginal? {
    try answer(.original(imageID: imageID))
    return storedOriginal
  }

  package func successors(imageID: Int64) -> [Successor] { storedSuccessors }

  package func version() throws(StoreError) -> LibraryVersion {
    try answer(.version)
    return LibraryVersion(library: "5b0d1a52-4d3c-4e43-9d3a-3a8ffb6a1c11", epoch: 1, number: number)
  }

  package func timeline(matching query: ImageQuery) throws(StoreError) -> Timeline {
    try answer(.timeline(query))
    let ids = images.dropFirst(query.offset).prefix(query.limit ?? .max).map(\.id)
    return Timeline(ids: ids, runs: [Timeline.Run(month: nil, count: ids.count)])
  }

  package func tiles(ids: [Int64]) throws(StoreError) -> [ImageTile] {
    try images(ids: ids).map { image in
      ImageTile(
        id: image.id,
        name: image.title,
        thumbnail: image.thumbnail?.hash,
        isPinned: image.isPinned
      )
    }
  }

  /// Returns one picture for any hash.
  package func thumbnails(_ hashes: [SHA256Digest]) throws(StoreError) -> [Workers.PictureBytes] {
    try answer(.thumbnails(hashes))
    return thumbnail.map { [Workers.PictureBytes(bytes: $0, format: .jpeg)] } ?? []
  }

  package func original(_ hash: SHA256Digest) throws(StoreError) -> StoredOriginal? {
    try answer(.originalFile(hash))
    return storedOriginal
  }

  /// Returns the first image for any hash.
  package func imageIDs(
    withPictures hashes: [SHA256Digest]
  ) throws(StoreError) -> [SHA256Digest: [Int64]] {
    let ids = images.prefix(1).map(\.id)
    return Dictionary(hashes.map { ($0, ids) }) { first, _ in first }
  }

  package func cursor(
    behind imageID: Int64,
    in order: ImageQuery.Order
  ) throws(StoreError) -> ImageCursor? {
    try answer(.cursor(behind: imageID, order))
    let position = images.firstIndex { $0.id == imageID }
    return position.map { ImageCursor(number: 0, position: Int64($0), imageID: imageID) }
  }

  package func states(ids: [Int64]) -> [ImageState] {
    ids.compactMap { id in storedStates.first { $0.id == id } }
  }

  /// Two processes; the second one syncs a feed.
  package static let nodes = [
    Node(machine: "one", process: 7, since: Date(timeIntervalSince1970: 1)),
    Node(
      machine: "two",
      process: 8,
      since: Date(timeIntervalSince1970: 2),
      feeds: [SyncedFeed(id: 3, title: nil, address: "a", since: Date(timeIntervalSince1970: 3))]
    ),
  ]

  package func nodes() -> [Node] { Self.nodes }

  private func answer(_ event: Event) throws(StoreError) {
    recorded.withLock { $0.append(event) }
    if let error { throw error }
  }
}
