import Models
import PictureFiles
package import Workers

/// Fetches damaged pictures again, and removes places and the camera's data from thumbnails.
///
/// The pictures are marked as damaged or missing before. If a server cannot be reached now, a later sync or `show`
/// fetches them.
package struct PictureRepairer: PictureRepairing {
  private let tools: SyncTools
  private let largeThumbnails = AsyncSemaphore()

  package init(tools: SyncTools) { self.tools = tools }

  package func repair(_ thing: CheckedThing) async throws(Failure) {
    switch thing {
    case .thumbnail(let imageID): try await repairThumbnail(of: imageID)
    case .original(let path, let imageIDs): try await repairOriginal(at: path, of: imageIDs)
    case .database, .file, .object: return
    }
  }

  package func obstacle(to thing: CheckedThing) async -> RepairObstacle? {
    let (ids, kinds): ([Int64], [PictureKind]) =
      switch thing {
      case .thumbnail(let id): ([id], [.thumbnail, .madeThumbnail])
      case .original(_, let ids): (ids, [.original])
      case .database, .file, .object: ([], [])
      }
    if ids.isEmpty { return nil }
    var images: [WebImage] = []
    for id in ids {
      do throws(StoreError) {
        if let image = try await tools.store.image(id: id) { images.append(image) }
      } catch { return nil }
    }
    if images.isEmpty { return .removedFeed }
    let failures = images.map { image in image.failures.filter { kinds.contains($0.kind) } }
    if failures.contains([]) { return nil }
    let areLost = zip(images, failures).allSatisfy { image, failures in
      let reason = tools.wording(.notInPlace(image.originalAddress))
      return failures.contains { $0.reason == reason }
    }
    return areLost ? .lostFile : .failed
  }

  package func removeMetadata(of thumbnail: StoredThumbnail) async throws(Failure) -> Bool {
    let finding = PlaceFinding(in: thumbnail.bytes)
    let bare = ImageHeader.withoutMetadata(ofWebP: thumbnail.bytes)
    if finding == .none, bare == nil { return false }
    let (pictures, id) = (tools.store, thumbnail.imageID)
    let source = try await Failure.ofStore(await pictures.thumbnailSource(imageID: id))
    for kind in [PictureKind.thumbnail, .madeThumbnail] {
      let stored = try await Failure.ofStore(await pictures.checks(kind, imageIDs: [id])).first
      guard let stored, let validators = stored.held else { continue }
      // A named thumbnail that tells no place stays as it came, or as a sync has left it.
      let isMadeHere = source != nil && (kind == .madeThumbnail || finding != .none)
      let file = try await self.file(of: thumbnail, finding, bare: isMadeHere ? bare : nil)
      guard let file else { return false }
      let origin: String = if let source { source } else { try tools.hash(of: thumbnail.bytes) }
      return try await store(file, of: thumbnail, kind, stored.address, validators, from: origin)
    }
    return false
  }

  /// The file of a thumbnail without its metadata; nil if it stays as it is.
  private func file(
    of thumbnail: StoredThumbnail,
    _ finding: PlaceFinding,
    bare: [UInt8]?
  ) async throws(Failure) -> ThumbnailFile? {
    guard let info = thumbnail.info else { return nil }
    if let bare { return ThumbnailFile(info: info, bytes: bare) }
    switch finding {
    case .none: return nil
    case .removable(let copy, _): return ThumbnailFile(info: info, bytes: copy)
    case .notRemovable: return try await tools.drawn(thumbnail.bytes)
    }
  }

  /// Stores another file in the place of a thumbnail; false if something else has taken its place meanwhile.
  private func store(
    _ file: ThumbnailFile,
    of thumbnail: StoredThumbnail,
    _ kind: PictureKind,
    _ address: WebAddress,
    _ validators: Validators,
    from source: String
  ) async throws(Failure) -> Bool {
    let (store, id) = (tools.store, thumbnail.imageID)
    // A successor that is kept beside it would be lost.
    let held = try await Failure.ofStore(await store.held(kind, imageID: id, against: source))
    guard let held, held.successor == nil else { return false }
    // Read after the validators: another process may have replaced the thumbnail since it was checked.
    let current = try await Failure.ofStore(await store.thumbnailBytes(imageID: id))
    guard current == thumbnail.bytes else { return false }
    var cleaned = FetchedThumbnail(
      imageID: id,
      address: address,
      validators: validators,
      info: PictureInfo(
        format: file.info.format,
        bytes: file.bytes.count,
        width: file.info.width,
        height: file.info.height
      ),
      bytes: file.bytes,
      fetched: tools.now(),
      checkDate: tools.now(),
      sourceSHA256: source
    )
    cleaned.isRedirected = held.isRedirected
    try await Failure.ofStore(await store.store(PictureBatch(new: [cleaned]), kind))
    return true
  }

  package func makeThumbnails(_ report: (_ imageID: Int64) -> Void) async throws(Failure) {
    guard let imaging = tools.imaging else { return }
    let maker = ThumbnailMaker(store: tools.store, imaging: imaging, now: tools.now)
    let filter = PictureFilter(now: tools.now()).from(.stored)
    for feed in try await Failure.ofStore(await tools.store.feeds()) {
      var wanted = WantedPictures(.madeThumbnail, of: feed, filter, tools.store)
      while !Task.isCancelled, let picture = await wanted.next(note: { _ in }) {
        if feed.gallery != nil, try await !isToBeMade(picture.imageID) { continue }
        // A picture that cannot be decoded stays without one; a sync says why.
        guard let made = try? await maker.thumbnailOfStored(picture) else { continue }
        let batch = PictureBatch(new: [made])
        try await Failure.ofStore(await tools.store.store(batch, .madeThumbnail))
        report(picture.imageID)
      }
    }
  }

  /// Fetches the thumbnail of a gallery, or the one that the feed names; if that fails, or if the feed names none, makes
  /// one from the original.
  private func repairThumbnail(of imageID: Int64) async throws(Failure) {
    let image = try await image(imageID)
    if try await repairByGallery(image) { return }
    if let address = image.thumbnailAddress {
      do throws(Failure) {
        return try await repair(.thumbnail, of: image, at: address)
      } catch {
        let isTried = try await remember(error, .thumbnail, of: image, at: address)
        guard isTried, tools.imaging != nil, try await isToBeMade(image.id) else { throw error }
      }
    }
    let address = image.originalAddress
    do throws(Failure) { try await repair(.madeThumbnail, of: image, at: address) } catch {
      _ = try await remember(error, .madeThumbnail, of: image, at: address)
      throw error
    }
  }

  /// Fetches the thumbnail of a mirrored image from its gallery, so that the copy stays equal to it.
  ///
  /// If that fails, `makeThumbnails` makes one until a sync fetches that of the gallery.
  ///
  /// - Returns: Whether the gallery has one; false for an image that is not mirrored.
  private func repairByGallery(_ image: WebImage) async throws(Failure) -> Bool {
    guard let base = image.feed.gallery, let mirrors = tools.mirrors else { return false }
    let wanted = try await Failure.ofStore(await mirrors.wantedThumbnail(imageID: image.id))
    guard let wanted else { return false }
    let mirror = try await Failure.ofStore(await mirrors.mirror(of: base))
    guard let mirror else { return false }
    let gallery = GalleryAddress(base: base, isStatic: mirror.isStatic)
    let client = GalleryClient(
      gallery,
      reach: mirror.feed.reach,
      bounds: FeedBounds(),
      tools: tools,
      progress: SyncProgress()
    )
    let reply = try await client.fetch(
      NetworkRequest(
        address: gallery.thumbnail(wanted.hash) ?? base,
        reach: client.networkReach,
        accept: AcceptField.pictures,
        byteLimit: SyncLimits.thumbnailBytes,
        timeLimit: SyncLimits.thumbnailTime
      )
    )
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    var keeper = MirroredThumbnails(tools, SyncProgress())
    guard try await keeper.take(reply.body, of: wanted) else { throw .fault(.wrongPicture) }
    if let problem = keeper.problems.first { throw problem.failure }
    try await keeper.store()
    return true
  }

  /// Whether a thumbnail is to be made from the stored original of an image.
  private func isToBeMade(_ imageID: Int64) async throws(Failure) -> Bool {
    try await Failure.ofStore(await tools.store.wantedThumbnail(madeFor: imageID)) != nil
  }

  /// Stores that a thumbnail has failed, as a sync does, and returns whether its server or its file is the cause.
  private func remember(
    _ failure: Failure,
    _ kind: PictureKind,
    of image: WebImage,
    at address: WebAddress
  ) async throws(Failure) -> Bool {
    let failed = FailedPicture(
      failure,
      imageID: image.id,
      address: address,
      reason: tools.wording(failure),
      now: tools.now()
    )
    guard var failed else { return false }
    failed.canBeMade = tools.imaging != nil
    try await Failure.ofStore(await tools.store.store(PictureBatch(failed: [failed]), kind))
    return true
  }

  private func repair(
    _ kind: PictureKind,
    of image: WebImage,
    at address: WebAddress
  ) async throws(Failure) {
    let outcome = await fetch(wanted(image, at: address), kind, of: image)
    defer { if outcome.isLarge { largeThumbnails.signal() } }
    if case .failed(let failure) = outcome.result { throw failure }
    guard let thumbnail = outcome.thumbnail else { return }
    try await Failure.ofStore(await tools.store.store(PictureBatch(new: [thumbnail]), kind))
  }

  private func fetch(
    _ wanted: WantedPicture,
    _ kind: PictureKind,
    of image: WebImage
  ) async -> PictureOutcome {
    var origin = image.feed.origin
    origin.referer = try? await tools.store.feed(at: image.feed.address)?.pictureReferer
    guard kind == .madeThumbnail else {
      let fetcher = ThumbnailFetcher(
        origin: origin,
        tools: tools,
        largeOnes: largeThumbnails,
        signs: SubstituteSigns()
      )
      return await fetcher.fetch(wanted)
    }
    let fetcher = OriginalFetcher(
      origin: origin,
      tools: tools,
      budget: nil,
      progress: SyncProgress(),
      makesThumbnails: false,
      signs: SubstituteSigns()
    )
    return await fetcher.makeThumbnail(wanted)
  }

  /// The picture to fetch, as if the library had nothing of it.
  private func wanted(_ image: WebImage, at address: WebAddress) -> WantedPicture {
    WantedPicture(
      imageID: image.id,
      address: address,
      rank: WantedPicture.Rank(date: 0, position: 0),
      since: image.published ?? image.firstSeen,
      page: image.pageAddress
    )
  }

  /// Fetches the original of one image after another, until one brings the same file as before.
  ///
  /// That file then serves all of the images.
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
    let request = OriginalRequest(try await image(imageID))
    return try await tools.originals.fetch(request) { _ in }.original
  }

  private func image(_ id: Int64) async throws(Failure) -> WebImage {
    let image = try await Failure.ofStore(await tools.store.image(id: id))
    guard let image else { throw .notFollowed }
    return image
  }
}
