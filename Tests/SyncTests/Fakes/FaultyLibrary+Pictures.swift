import FoundationEssentials
import Models
import SQLiteCache
import Store
import TestSupport
import Workers

extension FaultyLibrary: PictureStoring {
  func wantsThumbnails(feedID: Int64, _ filter: PictureFilter) async throws(StoreError) -> Bool {
    try attempt(.lookForThumbnails)
    return try await library.wantsThumbnails(feedID: feedID, filter)
  }

  func count(
    of kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> PictureCount {
    try attempt([.thumbnail: .countThumbnails, .original: .countOriginals], kind)
    return try await library.count(of: kind, feedID: feedID, filter)
  }

  func wanted(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter,
    after last: WantedPicture?,
    limit: Int
  ) async throws(StoreError) -> [WantedPicture] {
    let page = last == nil ? StoreStep.findThumbnails : .secondPageOfThumbnails
    try attempt([.thumbnail: page, .original: .findOriginals], kind)
    return try await library.wanted(kind, feedID: feedID, filter, after: last, limit: limit)
  }

  func wantedThumbnail(madeFor imageID: Int64) async throws(StoreError) -> WantedPicture? {
    try await library.wantedThumbnail(madeFor: imageID)
  }

  func due(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> [Int64] {
    if kind != .original { try attempt(.findDueThumbnails) }
    return try await library.due(kind, feedID: feedID, filter)
  }

  func checks(
    _ kind: PictureKind,
    imageIDs: [Int64]
  ) async throws(StoreError) -> [WantedPicture] {
    try await library.checks(kind, imageIDs: imageIDs)
  }

  func renditions(imageID: Int64) async throws(StoreError) -> [WebAddress] {
    try await library.renditions(imageID: imageID)
  }

  func thumbnailSource(imageID: Int64) async throws(StoreError) -> String? {
    try await library.thumbnailSource(imageID: imageID)
  }

  func held(
    _ kind: PictureKind,
    imageID: Int64,
    against sha256: String
  ) async throws(StoreError) -> HeldPicture? {
    try await library.held(kind, imageID: imageID, against: sha256)
  }

  func store(_ batch: PictureBatch, _ kind: PictureKind) async throws(StoreError) {
    try attempt([.thumbnail: .storeThumbnails, .original: .noteOriginals], kind)
    if kind == .original, !batch.unchanged.isEmpty { try attempt(.renewOriginal) }
    try await library.store(batch, kind)
    let fetched = (batch.new + batch.changed).map(\.imageID).sorted()
    if kind == .original {
      for picture in batch.unchanged { record(.renewed(picture)) }
    } else {
      if !fetched.isEmpty { record(.storedThumbnails(fetched)) }
      if !batch.unchanged.isEmpty { record(.keptThumbnails(batch.unchanged)) }
    }
    if kind == .madeThumbnail { madeBatches.add() }
  }

  private func attempt(
    _ steps: [PictureKind: StoreStep],
    _ kind: PictureKind
  ) throws(StoreError) {
    if let step = steps[kind] { try attempt(step) }
  }

  func openOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting {
    try attempt(.openOriginalFile)
    let file = try await library.openOriginalFile(imageID: imageID)
    return FaultyOriginalFile(file, imageID: imageID, of: self)
  }

  func hold(_ path: String, for time: OriginalHoldTime) async -> Bool {
    await library.hold(path, for: time)
  }

  func letGo() async { await library.letGo() }

  func noteLook(atOriginal sha256: String, now: Date) async {
    await library.noteLook(atOriginal: sha256, now: now)
  }

  func thumbnailsWithoutColours(limit: Int) async throws(StoreError) -> [SHA256Digest] {
    try await library.thumbnailsWithoutColours(limit: limit)
  }

  func store(colours: [SHA256Digest: [UInt8]]) async throws(StoreError) {
    try await library.store(colours: colours)
  }
}

extension FaultyLibrary: LibraryReading {
  func original(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    try attempt(.findOriginal)
    return try await library.original(imageID: imageID)
  }

  func version() async throws(StoreError) -> LibraryVersion { try await library.version() }

  func imageIDs(matching query: ImageQuery) async throws(StoreError) -> [Int64] {
    try await library.imageIDs(matching: query)
  }

  func images(ids: [Int64]) async throws(StoreError) -> [WebImage] {
    try await library.images(ids: ids)
  }

  func image(id: Int64) async throws(StoreError) -> WebImage? { try await library.image(id: id) }

  func thumbnailBytes(imageID: Int64) async throws(StoreError) -> [UInt8]? {
    try await library.thumbnailBytes(imageID: imageID)
  }

  func successors(imageID: Int64) async throws(StoreError) -> [Successor] {
    try await library.successors(imageID: imageID)
  }

  func feeds() async throws(StoreError) -> [Feed] { try await library.feeds() }

  func manifests(at address: WebAddress?) async throws(StoreError) -> [FeedManifest] {
    try await library.manifests(at: address)
  }

  func failures() async throws(StoreError) -> [Int64: [FailureGroup]] {
    try await library.failures()
  }

  func figures() async throws(StoreError) -> LibraryFigures { try await library.figures() }

  func storage(imageID: Int64) async throws(StoreError) -> ImageStorage? {
    try await library.storage(imageID: imageID)
  }

  func timeline(matching query: ImageQuery) async throws(StoreError) -> Timeline {
    try await library.timeline(matching: query)
  }

  func tiles(ids: [Int64]) async throws(StoreError) -> [ImageTile] {
    try await library.tiles(ids: ids)
  }

  func thumbnails(_ hashes: [SHA256Digest]) async throws(StoreError) -> [Workers.PictureBytes] {
    try await library.thumbnails(hashes)
  }

  func original(_ hash: SHA256Digest) async throws(StoreError) -> StoredOriginal? {
    try await library.original(hash)
  }

  func imageIDs(
    withPictures hashes: [SHA256Digest]
  ) async throws(StoreError) -> [SHA256Digest: [Int64]] {
    try await library.imageIDs(withPictures: hashes)
  }

  func cursor(
    behind imageID: Int64,
    in order: ImageQuery.Order
  ) async throws(StoreError) -> ImageCursor? {
    try await library.cursor(behind: imageID, in: order)
  }

  func states(ids: [Int64]) async throws(StoreError) -> [ImageState] {
    try await library.states(ids: ids)
  }

  func nodes() async throws(StoreError) -> [Node] { try await library.nodes() }
}
