package import FoundationEssentials
import Models
package import Workers

/// Fetches originals: streams each one to a separate file, checks it, and stores it only when it is whole.
package struct OriginalWorker: OriginalFetching {
  package typealias Store = FeedStoring & PictureStoring & LibraryReading

  private let network: any Networking
  let store: any Store
  private let mirrors: (any MirrorStoring)?
  private let objects: ObjectOriginals?
  private let imaging: (any ImageDecoding)?
  private let details: (any PictureDetailing)?
  /// Reads the feed of an image whose address its server refuses; nil in a sync, which reads feeds itself.
  private let feeds: SyncWorker?
  private let wording: @Sendable (Failure) -> String
  let now: @Sendable () -> Date
  let replacements = AsyncSemaphore()

  package init(
    network: any Networking,
    store: any Store,
    mirrors: (any MirrorStoring)? = nil,
    objects: ObjectOriginals? = nil,
    imaging: (any ImageDecoding)?,
    details: (any PictureDetailing)? = nil,
    feeds: SyncWorker? = nil,
    wording: @escaping @Sendable (Failure) -> String,
    now: @escaping @Sendable () -> Date
  ) {
    self.network = network
    self.store = store
    self.mirrors = mirrors
    self.objects = objects
    self.imaging = imaging
    self.details = details
    self.feeds = feeds
    self.wording = wording
    self.now = now
  }

  /// Fetches an original from the object store if that has it, from the gallery of a mirrored image, or else from the
  /// image's own address, unless that stands for a file of the gallery's machine.
  package func fetch(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    if request.isInPlace { return try await inPlace(request) }
    let fetched: FetchedOriginal
    var request = request
    // A sync names the field itself.
    if request.isLookedAt, request.referer == nil, let feed = request.feed {
      request.referer = try? await store.feed(at: feed)?.pictureReferer
    }
    do throws(Failure) {
      fetched = try await fetchAny(&request, progress: progress)
    } catch {
      // A sync stores the failures of the pictures that it asks for itself.
      if request.isLookedAt { await remember(error, of: request) }
      throw error
    }
    if fetched.wasDownloaded { _ = await details?.details(of: fetched.original) }
    if fetched.original.isAway, request.isLookedAt {
      // The server has no newer version, so the one in the object store is fetched.
      var request = request
      request.isCheck = false
      return try await fetchNearest(request, progress: progress)
    }
    // A viewer does not wait for the put, and leaves it to the next sync. The end of a sync repeats a put that failed.
    if fetched.wasDownloaded, !request.isLookedAt, let original = ObjectOriginal(fetched, request) {
      try? await objects?.put(original)
    }
    return fetched
  }

  /// The original that is a file of a folder, of which the library makes no copy.
  private func inPlace(_ request: OriginalRequest) async throws(Failure) -> FetchedOriginal {
    guard let original = try await storedOriginal(of: request) else {
      throw .notInPlace(request.address)
    }
    return FetchedOriginal(
      original: original,
      wasDownloaded: false,
      isUnchanged: request.isCheck,
      wireBytes: 0
    )
  }

  /// The request with the address that the image's feed names now; nil if it still names the same.
  private func renewed(_ request: OriginalRequest) async -> OriginalRequest? {
    guard let feeds, request.isLookedAt,
      let image = try? await store.image(id: request.imageID)
    else { return nil }
    var renewed = request
    renewed.address = image.originalAddress
    if renewed.address == request.address {
      await feeds.readAgain(image.feed)
      guard let image = try? await store.image(id: request.imageID) else { return nil }
      renewed.address = image.originalAddress
    }
    return renewed.address == request.address ? nil : renewed
  }

  /// Stores the failure of an original, as a sync does; if the library cannot be written, the next view finds it again.
  private func remember(_ failure: Failure, of request: OriginalRequest) async {
    guard
      let failed = FailedPicture(
        failure,
        imageID: request.imageID,
        address: request.address,
        reason: wording(failure),
        now: now()
      )
    else { return }
    try? await store.store(PictureBatch(failed: [failed]), .original)
  }

  /// Fetches an original, or the next of its other renditions if it cannot be had.
  ///
  /// An address that may have expired is renewed first, once.
  ///
  /// A smaller rendition never takes the place of a right original.
  private func fetchAny(
    _ request: inout OriginalRequest,
    isRenewed: Bool = false,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    var failure: Failure
    do throws(Failure) {
      return try await fetchNearest(request, progress: progress)
    } catch {
      failure = error
    }
    if failure.refusesAddress, !isRenewed, let renewed = await renewed(request) {
      request = renewed
      return try await fetchAny(&request, isRenewed: true, progress: progress)
    }
    guard failure.allowsOtherRendition, try await storedOriginal(of: request)?.isRight != true
    else { throw failure }
    let others = try await Failure.ofStore(await store.renditions(imageID: request.imageID))
    for address in others where failure.allowsOtherRendition {
      var other = request
      (other.address, other.isCheck) = (address, false)
      do throws(Failure) {
        return try await fetchOne(other, progress: progress)
      } catch {
        if error.isCancellation { throw error }
        if !error.allowsOtherRendition { failure = error }
      }
    }
    throw failure
  }

  private func fetchNearest(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    if request.copy != nil { return try await fetchCopy(request, progress: progress) }
    for copy in await copies(for: request) {
      var other = request
      other.copy = copy
      do throws(Failure) {
        return try await fetchCopy(other, progress: progress)
      } catch {
        if copy.isOnlySource || error.isCancellation || error == .overBudget { throw error }
      }
    }
    return try await fetchOne(request, progress: progress)
  }

  /// Fetches a copy, or reads the equal bytes that this library has as the original of another image of the gallery.
  private func fetchCopy(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    if let equal = await equal(to: request) {
      do throws(Failure) {
        return try await fetchOne(equal) { _ in }
      } catch {
        // The file may have just given way, or may have been damaged.
        if error.isCancellation { throw error }
        if case .store = error { throw error }
      }
    }
    return try await fetchOne(request, progress: progress)
  }

  /// The request for a copy as one for an equal file on this disk; nil without one, and for the object store.
  private func equal(to request: OriginalRequest) async -> OriginalRequest? {
    guard let copy = request.copy, copy.stored == nil, let hash = copy.hash,
      let other = try? await mirrors?.imageID(withOriginal: hash, besides: request.imageID),
      let stored = try? await store.original(imageID: other), stored.sha256 == hash.hexadecimal
    else { return nil }
    let path = stored.path
    var equal = request
    let address = WebAddress(filePath: path, relativeTo: "/")
    equal.copy = OriginalCopy(address: address, hash: hash, reach: copy.reach)
    equal.copy?.fileFolder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    // Nothing comes over the network.
    equal.budget = nil
    return equal
  }

  /// The copies that are asked for before the image's own address, the nearest first.
  ///
  /// The own server is asked for a newer version, if there is one.
  private func copies(for request: OriginalRequest) async -> [OriginalCopy] {
    let stored = request.isCheck ? nil : await objects?.copy(of: request.imageID)
    let gallery = await copyInGallery(of: request.imageID)
    var copies = [stored, gallery].compactMap(\.self)
    if request.isCheck { copies.removeAll { !$0.isOnlySource } }
    // A file of another machine cannot be asked for here, so the reason why the last copy did not come says more.
    if request.address.isFile, request.fileFolder == nil, let last = copies.indices.last {
      copies[last].isOnlySource = true
    }
    return copies
  }

  private func copyInGallery(of imageID: Int64) async -> OriginalCopy? {
    guard let original = try? await mirrors?.mirroredOriginal(imageID: imageID) else { return nil }
    let gallery = GalleryAddress(base: original.gallery, isStatic: false)
    guard let address = original.hash.flatMap(gallery.original) ?? original.untold else {
      return nil
    }
    var copy = OriginalCopy(
      address: address,
      hash: original.hash,
      reach: NetworkReach(original.reach)
    )
    copy.isOnlySource = original.untold != nil
    return copy
  }

  private func fetchOne(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    let file = try await Failure.ofStore(await store.openOriginalFile(imageID: request.imageID))
    do throws(Failure) {
      // Another holder of the file may have fetched the same original in the meantime.
      var stored = try await storedOriginal(of: request)
      if stored == nil, request.isCheck {
        stored = await objects?.awayOriginal(imageID: request.imageID)
      }
      if let stored, stored.isRight, !request.isCheck,
        request.copy?.hash.map({ $0.hexadecimal == stored.sha256 }) ?? true
      {
        await file.suspend()
        return FetchedOriginal(original: stored, wasDownloaded: false, wireBytes: 0)
      }
      return try await fetch(request, into: file, replacing: stored, progress)
    } catch {
      await file.suspend()
      throw error
    }
  }

  /// The validators for a request; empty for the address of another file than theirs, and for a damaged file.
  ///
  /// They are those of the picture beside the stored one, if there is one. They are left out when nothing keeps it from
  /// taking its place any more, so that it comes again.
  ///
  /// An original that is not stale belongs to the address that the feed names, in whatever form that is signed now,
  /// unless it came from the address of another rendition.
  private func conditions(
    of stored: StoredOriginal?,
    for request: OriginalRequest
  ) async throws(Failure) -> Validators {
    guard let stored, request.copy == nil, !stored.isDamaged, stored.sha256 != request.sign,
      try await held("", request, stored)?.mayTakeSuccessor != true
    else { return Validators() }
    let source = stored.address?.identity
    if source == request.address.identity { return stored.validators }
    if stored.isStale { return Validators() }
    let others = try await Failure.ofStore(await store.renditions(imageID: request.imageID))
    return others.contains { $0.identity == source } ? Validators() : stored.validators
  }

  private func fetch(
    _ request: OriginalRequest,
    into file: any OriginalWriting,
    replacing stored: StoredOriginal?,
    _ progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    var download = OriginalDownload(
      request,
      into: file,
      unless: try await conditions(of: stored, for: request),
      storedBytes: stored?.info.bytes,
      network: network,
      store: store
    )
    switch try await download.run(progress) {
    case .whole(let info, let header):
      if let hash = request.copy?.hash, hash.hexadecimal != file.sha256 {
        await file.discard()
        throw .fault(.wrongPicture)
      }
      return try await keep(info, header, of: download, in: file, request, replacing: stored)
    case .unchanged(let header):
      await file.discard()
      return FetchedOriginal(
        original: try await renewed(stored, header, request),
        wasDownloaded: false,
        isUnchanged: true,
        wireBytes: download.wireBytes
      )
    }
  }

  package func bringBack(imageID: Int64) async {
    guard await objects?.awayOriginal(imageID: imageID) != nil,
      let image = try? await store.image(id: imageID)
    else { return }
    _ = try? await fetch(OriginalRequest(image)) { _ in }
  }

  package func makeThumbnail(imageID: Int64) async {
    guard let imaging, let wanted = try? await store.wantedThumbnail(madeFor: imageID) else {
      return
    }
    let maker = ThumbnailMaker(store: store, imaging: imaging, now: now)
    guard let thumbnail = try? await maker.thumbnailOfStored(wanted) else { return }
    try? await store.store(PictureBatch(new: [thumbnail]), .madeThumbnail)
  }

  func storedOriginal(of request: OriginalRequest) async throws(Failure) -> StoredOriginal? {
    try await Failure.ofStore(await store.original(imageID: request.imageID))
  }
}

extension ObjectOriginal {
  /// Nil for a malformed hash.
  fileprivate init?(_ fetched: FetchedOriginal, _ request: OriginalRequest) {
    let original = fetched.original
    guard let hash = SHA256Digest(hexadecimal: original.sha256) else { return nil }
    self.init(
      id: 0,
      path: original.path,
      hash: hash,
      format: original.info.format,
      bytes: original.info.bytes,
      imageIDs: [request.imageID]
    )
  }
}
