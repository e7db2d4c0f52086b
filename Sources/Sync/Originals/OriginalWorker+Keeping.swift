import FoundationEssentials
import Models
package import Workers

/// What becomes of an original that has arrived: it is stored, kept beside the stored one, or known already.
extension OriginalWorker {
  /// Stores what has arrived.
  ///
  /// Where an original is stored already, one at a time: the second image that gets a sign must see what the first one
  /// got, and the first one whether it has got its former original back.
  func keep(
    _ info: PictureInfo,
    _ header: NetworkHeader,
    of download: OriginalDownload,
    in file: any OriginalWriting,
    _ request: OriginalRequest,
    replacing stored: StoredOriginal?
  ) async throws(Failure) -> FetchedOriginal {
    guard let stored, !request.isKnownByHash else {
      return try await keepNow(info, header, of: download, in: file, request, replacing: stored)
    }
    await replacements.wait()
    defer { replacements.signal() }
    let present = try await storedOriginal(of: request) ?? stored
    return try await keepNow(info, header, of: download, in: file, request, replacing: present)
  }

  private func keepNow(
    _ info: PictureInfo,
    _ header: NetworkHeader,
    of download: OriginalDownload,
    in file: any OriginalWriting,
    _ request: OriginalRequest,
    replacing stored: StoredOriginal?
  ) async throws(Failure) -> FetchedOriginal {
    let isSame = stored?.sha256 == file.sha256
    let isSign = stored.map { $0.sha256 == request.sign } ?? false
    if let stored, isSign, !isSame, info.area < stored.info.area {
      // A host may also refuse requests with the field, so this may be the sign, and the stored one the picture.
      await file.discard()
      return FetchedOriginal(
        original: stored,
        wasDownloaded: false,
        wireBytes: download.wireBytes
      )
    }
    let held = isSame || isSign ? nil : try await self.held(file.sha256, request, stored)
    if let stored, let held, held.successor == file.sha256, !held.mayTakeSuccessor {
      // It is kept beside the stored one already.
      await file.discard()
      let original = try await renewed(stored, header, request)
      if original.isDamaged { throw .doubtfulSuccessor }
      return FetchedOriginal(
        original: original,
        wasDownloaded: false,
        wireBytes: download.wireBytes
      )
    }
    let rule = held.map { self.rule(about: info, header, request, $0) }
    let doubts = rule?.doubts ?? []
    let now = now()
    let copied = request.copy?.stored
    // An original that has just changed may soon change again.
    let since = stored == nil || isSame ? request.since : now
    var receipt = OriginalReceipt(
      info: info,
      address: copied?.address ?? request.address,
      // The validators of a copy say nothing about the image's own address.
      validators: request.copy == nil ? download.validators : copied?.validators ?? Validators(),
      arrived: now,
      checkDate: copied?.checkDate ?? header.checkDate(since: since, now: now),
      lookedAt: request.isLookedAt ? now : nil
    )
    (receipt.doubts, receipt.misled) = (doubts, rule?.misled ?? [])
    receipt.isRedirected = request.copy == nil && !header.address.isAtPlace(of: request.address)
    var fetched = FetchedOriginal(
      original: try await Failure.ofStore(await file.commit(receipt)),
      wasDownloaded: doubts.isEmpty,
      resumedFrom: download.resumedFrom,
      isUnchanged: isSame && stored?.isDamaged == false,
      wireBytes: download.wireBytes
    )
    (fetched.doubts, fetched.misled) = (doubts, receipt.misled)
    if !doubts.isEmpty, fetched.original.isDamaged { throw .doubtfulSuccessor }
    return fetched
  }

  /// The stored original that one with another hash would replace.
  ///
  /// Nil for a copy that is known by its hash.
  func held(
    _ sha256: String,
    _ request: OriginalRequest,
    _ stored: StoredOriginal?
  ) async throws(Failure) -> HeldPicture? {
    guard stored != nil, !request.isKnownByHash else { return nil }
    let (id, store) = (request.imageID, store)
    return try await Failure.ofStore(await store.held(.original, imageID: id, against: sha256))
  }

  /// Says whether what has arrived may not be the same picture as the stored original.
  private func rule(
    about info: PictureInfo,
    _ header: NetworkHeader,
    _ request: OriginalRequest,
    _ held: HeldPicture
  ) -> SuccessorRule {
    SuccessorRule(held: held, requested: request.address, answered: header.address, info: info)
  }

  /// Notes that the stored original is valid; it may have been removed in the meantime.
  func renewed(
    _ stored: StoredOriginal?,
    _ header: NetworkHeader,
    _ request: OriginalRequest
  ) async throws(Failure) -> StoredOriginal {
    var unchanged = UnchangedPicture(
      imageID: request.imageID,
      address: request.address,
      validators: header.validators,
      checkDate: header.checkDate(since: request.since, now: now())
    )
    unchanged.isRedirected = !header.address.isAtPlace(of: request.address)
    try await Failure.ofStore(
      await store.store(PictureBatch(unchanged: [unchanged]), .original)
    )
    guard let original = try await storedOriginal(of: request) ?? stored else {
      throw .status(header.status)
    }
    return original
  }

  // MARK: Originals that are shown

  package func noteLook(at original: StoredOriginal) async {
    await store.noteLook(atOriginal: original.sha256, now: now())
  }

  package func hold(_ path: String, for time: OriginalHoldTime) async -> Bool {
    await store.hold(path, for: time)
  }

  package func letGo() async { await store.letGo() }
}

extension OriginalRequest {
  /// Whether it is for a copy of which the hash is known, so that nothing else can come.
  fileprivate var isKnownByHash: Bool { copy?.hash != nil }
}

extension PictureInfo {
  /// In pixels; 0 if it is unknown.
  fileprivate var area: Int { (width ?? 0).multiplied(by: height ?? 0) }
}
