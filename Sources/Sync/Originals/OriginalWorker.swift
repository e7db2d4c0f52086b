package import FoundationEssentials
import Models
package import Workers

/// Fetches originals: streams each one to a separate file, checks it, and stores it only when it is whole.
package struct OriginalWorker: OriginalFetching {
  package typealias Store = FeedStoring & PictureStoring & LibraryReading

  private let network: any Networking
  private let store: any Store
  private let mirrors: (any MirrorStoring)?
  private let objects: ObjectOriginals?
  private let imaging: (any ImageDecoding)?
  private let wording: @Sendable (Failure) -> String
  private let now: @Sendable () -> Date

  package init(
    network: any Networking,
    store: any Store,
    mirrors: (any MirrorStoring)? = nil,
    objects: ObjectOriginals? = nil,
    imaging: (any ImageDecoding)?,
    wording: @escaping @Sendable (Failure) -> String,
    now: @escaping @Sendable () -> Date
  ) {
    self.network = network
    self.store = store
    self.mirrors = mirrors
    self.objects = objects
    self.imaging = imaging
    self.wording = wording
    self.now = now
  }

  /// Fetches an original from the object store if that has it, from the gallery of a mirrored image, or else from the
  /// image's own address.
  package func fetch(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    let fetched: FetchedOriginal
    do throws(Failure) {
      fetched = try await fetchNearest(request, progress: progress)
    } catch {
      // A sync stores the failures of the pictures that it asks for itself.
      if request.isLookedAt { await remember(error, of: request) }
      throw error
    }
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

  private func fetchNearest(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    if request.copy == nil, !request.isCheck, let copy = await copy(of: request.imageID) {
      var fromGallery = request
      fromGallery.copy = copy
      do throws(Failure) {
        return try await fetchOne(fromGallery, progress: progress)
      } catch  where !error.isCancellation && error != .overBudget {
        return try await fetchOne(request, progress: progress)
      }
    }
    return try await fetchOne(request, progress: progress)
  }

  private func copy(of imageID: Int64) async -> OriginalCopy? {
    if let copy = await objects?.copy(of: imageID) { return copy }
    guard let original = try? await mirrors?.mirroredOriginal(imageID: imageID),
      let address = GalleryAddress(base: original.gallery, isStatic: false).original(original.hash)
    else { return nil }
    return OriginalCopy(
      address: address,
      hash: original.hash,
      reach: NetworkReach(original.reach)
    )
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
        request.copy.map({ $0.hash.hexadecimal == stored.sha256 }) ?? true
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

  private func fetch(
    _ request: OriginalRequest,
    into file: any OriginalWriting,
    replacing stored: StoredOriginal?,
    _ progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    var download = OriginalDownload(
      request,
      into: file,
      unless: request.copy == nil
        ? stored?.conditions(for: request.address) ?? Validators() : Validators(),
      network: network,
      store: store
    )
    switch try await download.run(progress) {
    case .whole(let info, let header):
      if let copy = request.copy, copy.hash.hexadecimal != file.sha256 {
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

  private func keep(
    _ info: PictureInfo,
    _ header: NetworkHeader,
    of download: OriginalDownload,
    in file: any OriginalWriting,
    _ request: OriginalRequest,
    replacing stored: StoredOriginal?
  ) async throws(Failure) -> FetchedOriginal {
    let isSame = stored?.sha256 == file.sha256
    let now = now()
    let held = request.copy?.stored
    // An original that has just changed may soon change again.
    let since = stored == nil || isSame ? request.since : now
    let receipt = OriginalReceipt(
      info: info,
      address: held?.address ?? request.address,
      // The validators of a copy say nothing about the image's own address.
      validators: request.copy == nil ? download.validators : held?.validators ?? Validators(),
      arrived: now,
      checkDate: held?.checkDate ?? header.checkDate(since: since, now: now),
      lookedAt: request.isLookedAt ? now : nil
    )
    return FetchedOriginal(
      original: try await Failure.ofStore(await file.commit(receipt)),
      wasDownloaded: true,
      resumedFrom: download.resumedFrom,
      isUnchanged: isSame && stored?.isDamaged == false,
      wireBytes: download.wireBytes
    )
  }

  /// Notes that the stored original is valid; it may have been removed in the meantime.
  private func renewed(
    _ stored: StoredOriginal?,
    _ header: NetworkHeader,
    _ request: OriginalRequest
  ) async throws(Failure) -> StoredOriginal {
    let unchanged = UnchangedPicture(
      imageID: request.imageID,
      address: request.address,
      validators: header.validators,
      checkDate: header.checkDate(since: request.since, now: now())
    )
    try await Failure.ofStore(
      await store.store(PictureBatch(unchanged: [unchanged]), .original)
    )
    guard let original = try await storedOriginal(of: request) ?? stored else {
      throw .status(header.status)
    }
    return original
  }

  package func noteLook(at original: StoredOriginal) async {
    await store.noteLook(atOriginal: original.sha256, now: now())
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

  private func storedOriginal(of request: OriginalRequest) async throws(Failure) -> StoredOriginal?
  {
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

extension StoredOriginal {
  /// The validators for a request; empty for another address than theirs, and for a damaged file.
  fileprivate func conditions(for address: WebAddress) -> Validators {
    !isDamaged && self.address?.identity == address.identity ? validators : Validators()
  }
}
