import Models

/// Fetches damaged pictures again, and has the database's indexes built again.
///
/// A picture is noted as wanted first: where its server cannot be reached now, a later sync or
/// `show` fetches it.
package struct PictureRepairer: PictureRepairing {
  private let tools: SyncTools
  private let library: any LibraryReading
  private let marker: any DamageMarking
  private let turnstile = Turnstile()

  package init(tools: SyncTools, library: any LibraryReading, marker: any DamageMarking) {
    self.tools = tools
    self.library = library
    self.marker = marker
  }

  package func repair(_ thing: CheckedThing) async throws(Failure) {
    switch thing {
    case .thumbnail(let imageID): try await repairThumbnail(of: imageID)
    case .original(let path, let imageIDs): try await repairOriginal(at: path, of: imageIDs)
    case .database:
      try storing { () throws(StoreError) in try marker.repairDatabase() }
    case .file: return
    }
  }

  private func repairThumbnail(of imageID: Int64) async throws(Failure) {
    try storing { () throws(StoreError) in try marker.wantAgain(thumbnailOf: imageID) }
    let image = try image(imageID)
    guard let address = image.thumbnailAddress else { return try await makeThumbnail(of: image) }
    let fetcher = ThumbnailFetcher(
      tools: tools,
      reach: NetworkReach(image.feed.reach),
      fileFolder: image.feed.address.fileFolder,
      turnstile: turnstile
    )
    let outcome = await fetcher.fetch(order(image, at: address))
    defer { if outcome.isLarge { turnstile.leave() } }
    if case .failed(let failure) = outcome.result { throw failure }
    guard let thumbnail = outcome.thumbnail else { return }
    try storing { () throws(StoreError) in
      try tools.store.store(ThumbnailBatch(new: [thumbnail]))
    }
  }

  private func makeThumbnail(of image: WebImage) async throws(Failure) {
    guard let imaging = tools.imaging else { throw .imaging(.noDecoder(lookedAt: [])) }
    let maker = ThumbnailMaker(
      tools: tools,
      imaging: imaging,
      reach: NetworkReach(image.feed.reach),
      fileFolder: image.feed.address.fileFolder,
      budget: nil,
      progress: SyncProgress()
    )
    let outcome = await maker.make(order(image, at: image.originalAddress))
    if case .failed(let failure) = outcome.result { throw failure }
    guard let thumbnail = outcome.thumbnail else { return }
    try storing { () throws(StoreError) in
      try tools.store.storeMade(ThumbnailBatch(new: [thumbnail]))
    }
  }

  /// As if nothing were stored of it.
  private func order(_ image: WebImage, at address: WebAddress) -> PictureOrder {
    let rank = PictureOrder.Rank(date: 0, place: 0)
    return PictureOrder(
      imageID: image.id,
      address: address,
      rank: rank,
      since: image.published ?? image.firstSeen
    )
  }

  /// Asks for the original of one image after the other until the file is what it was: then it is so
  /// for all of them.
  private func repairOriginal(at path: String, of imageIDs: [Int64]) async throws(Failure) {
    var failure: Failure?
    for imageID in imageIDs {
      do throws(Failure) {
        if try await fetchOriginal(of: imageID).path == path { return }
      } catch {
        if error.isCancellation { throw error }
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func fetchOriginal(of imageID: Int64) async throws(Failure) -> StoredOriginal {
    try storing { () throws(StoreError) in try marker.wantAgain(originalsOf: [imageID]) }
    let request = OriginalRequest(try image(imageID))
    return try await tools.originals.fetch(request) { _ in }.original
  }

  private func image(_ id: Int64) throws(Failure) -> WebImage {
    let image = try storing { () throws(StoreError) in try library.image(id: id) }
    guard let image else { throw .notFollowed }
    return image
  }

  private func storing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw .store(error) }
  }
}
