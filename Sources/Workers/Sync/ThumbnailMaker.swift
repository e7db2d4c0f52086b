import FoundationEssentials
import Models

/// Makes one thumbnail from an original: the stored one, else one that is fetched for it and not
/// kept.
///
/// What arrives is written to a file, and decoded from there; a transfer that breaks off is gone on
/// from by the next one to fetch the same original, whatever for.
struct ThumbnailMaker: Sendable {
  let tools: SyncTools
  let imaging: any ImageDecoding
  let reach: NetworkReach
  let fileFolder: String?
  let feedKey: Int
  let budget: TransferBudget?
  let progress: SyncProgress

  @concurrent
  func make(_ order: PictureOrder) async -> ThumbnailOutcome {
    var tally = ArrivalTally(progress)
    do throws(Failure) {
      if let thumbnail = try await thumbnailOfStored(order) {
        return ThumbnailOutcome(order: order, result: .new(thumbnail))
      }
      return try await makeOfFetched(order, counting: &tally)
    } catch {
      let (bytes, result) = (tally.bytes, ThumbnailOutcome.Result.failed(error))
      return ThumbnailOutcome(order: order, result: result, wireBytes: bytes, countedBytes: bytes)
    }
  }

  /// Nil when the original is not stored, or its server is to be asked.
  private func thumbnailOfStored(_ order: PictureOrder) async throws(Failure) -> FetchedThumbnail? {
    guard order.held?.isEmpty != false, let original = try storedOriginal(of: order) else {
      return nil
    }
    do throws(Failure) {
      let made = try await decode(.file(path: original.path))
      let version = (original.sha256, original.validators)
      return thumbnail(order, made, version, checkDate: original.checkDate ?? tools.now())
    } catch .imaging(.unreadable) {
      // A file that has gone is fetched, as if it had not been there.
      return nil
    }
  }

  private func storedOriginal(of order: PictureOrder) throws(Failure) -> StoredOriginal? {
    let stored = try storing { () throws(StoreError) in
      try tools.store.original(imageID: order.imageID)
    }
    return stored?.isRight == true ? stored : nil
  }

  private func makeOfFetched(
    _ order: PictureOrder,
    counting tally: inout ArrivalTally
  ) async throws(Failure) -> ThumbnailOutcome {
    let file = try await makeFile(for: order)
    do throws(Failure) {
      // Whoever held the file before us may have fetched the same original, and kept it.
      if let thumbnail = try await thumbnailOfStored(order) {
        file.suspend()
        return ThumbnailOutcome(order: order, result: .new(thumbnail))
      }
      let outcome = try await fetch(order, into: file, counting: &tally)
      file.discard()
      return outcome
    } catch {
      if error.isOfNoUse { file.discard() } else { file.suspend() }
      throw error
    }
  }

  private func fetch(
    _ order: PictureOrder,
    into file: any OriginalWriting,
    counting tally: inout ArrivalTally
  ) async throws(Failure) -> ThumbnailOutcome {
    let request = OriginalRequest(
      imageID: order.imageID,
      address: order.address,
      reach: reach,
      fileFolder: fileFolder,
      budget: budget,
      keepsRoom: true,
      feedKey: feedKey
    )
    var download = OriginalDownload(
      request,
      into: file,
      unless: order.held ?? Validators(),
      network: tools.network
    )
    let result: ThumbnailOutcome.Result
    switch try await download.run({ tally.note(received: $0.received) }) {
    case .unchanged(let header):
      let validators = header.validators.completed(by: order.held ?? Validators())
      result = .unchanged(unchanged(order, header, validators))
    case .whole(_, let header):
      result = try await self.result(of: file, header, download.validators, to: order)
    }
    return ThumbnailOutcome(
      order: order,
      result: result,
      wireBytes: download.wireBytes,
      countedBytes: tally.bytes
    )
  }

  private func result(
    of file: any OriginalWriting,
    _ header: NetworkHeader,
    _ validators: Validators,
    to order: PictureOrder
  ) async throws(Failure) -> ThumbnailOutcome.Result {
    let sha256 = file.sha256
    if order.held != nil, try source(of: order) == sha256 {
      return .unchanged(unchanged(order, header, validators))
    }
    let made = try await decode(.file(path: file.path))
    let now = tools.now()
    // One that has changed may soon do so again, however long ago the image was published.
    let since = order.held == nil ? order.since : now
    let checkDate = PictureFreshness.checkDate(header, since: since, now: now)
    let thumbnail = thumbnail(order, made, (sha256, validators), checkDate: checkDate)
    return order.held == nil ? .new(thumbnail) : .changed(thumbnail)
  }

  private func decode(_ picture: PictureSource) async throws(Failure) -> MadeThumbnail {
    do throws(ImagingError) {
      return try await imaging.thumbnail(of: picture, longestSide: SyncLimits.thumbnailSide)
    } catch {
      throw .imaging(error)
    }
  }

  private func thumbnail(
    _ order: PictureOrder,
    _ made: MadeThumbnail,
    _ original: (sha256: String, validators: Validators),
    checkDate: Date
  ) -> FetchedThumbnail {
    FetchedThumbnail(
      imageID: order.imageID,
      address: order.address,
      validators: original.validators,
      info: made.info,
      bytes: made.bytes,
      fetched: tools.now(),
      checkDate: checkDate,
      sourceSHA256: original.sha256
    )
  }

  private func unchanged(
    _ order: PictureOrder,
    _ header: NetworkHeader,
    _ validators: Validators
  ) -> UnchangedThumbnail {
    UnchangedThumbnail(
      imageID: order.imageID,
      address: order.address,
      validators: validators == order.held ? nil : validators,
      checkDate: PictureFreshness.checkDate(header, since: order.since, now: tools.now())
    )
  }

  private func source(of order: PictureOrder) throws(Failure) -> String? {
    try storing { () throws(StoreError) in
      try tools.store.thumbnailSource(imageID: order.imageID)
    }
  }

  private func makeFile(for order: PictureOrder) async throws(Failure) -> any OriginalWriting {
    do {
      return try await tools.store.makeOriginalFile(imageID: order.imageID)
    } catch {
      throw .store(error)
    }
  }

  private func storing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw .store(error) }
  }
}

extension Failure {
  /// Whether what has arrived is not worth keeping: it is a picture that cannot be decoded.
  fileprivate var isOfNoUse: Bool {
    if case .imaging = self { pictureClass != nil } else { false }
  }
}
