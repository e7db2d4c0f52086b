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
    guard order.held?.isEmpty != false else { return nil }
    return try await storedOriginals.thumbnail(order)
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
    let made = try await storedOriginals.decode(.file(path: file.path))
    let now = tools.now()
    // One that has changed may soon do so again, however long ago the image was published.
    let since = order.held == nil ? order.since : now
    let checkDate = PictureFreshness.checkDate(header, since: since, now: now)
    let thumbnail = FetchedThumbnail(
      order,
      made,
      of: (sha256, validators),
      fetched: now,
      checkDate: checkDate
    )
    return order.held == nil ? .new(thumbnail) : .changed(thumbnail)
  }

  private var storedOriginals: StoredOriginalThumbnails {
    StoredOriginalThumbnails(store: tools.store, imaging: imaging, now: tools.now)
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

/// Makes thumbnails from originals that are stored.
struct StoredOriginalThumbnails: Sendable {
  let store: any OriginalReading
  let imaging: any ImageDecoding
  let now: @Sendable () -> Date

  /// The thumbnail of an image's stored original; nil when none is stored, or when it is not right.
  func thumbnail(_ order: PictureOrder) async throws(Failure) -> FetchedThumbnail? {
    guard let original = try original(of: order), original.isRight else { return nil }
    do throws(Failure) {
      let made = try await decode(.file(path: original.path))
      let checkDate = original.checkDate ?? now()
      let version = (original.sha256, original.validators)
      return FetchedThumbnail(order, made, of: version, fetched: now(), checkDate: checkDate)
    } catch .imaging(.unreadable) {
      // The file has gone: fetch it, as if it had not been there.
      return nil
    }
  }

  func decode(_ picture: PictureSource) async throws(Failure) -> MadeThumbnail {
    do throws(ImagingError) {
      return try await imaging.thumbnail(of: picture, longestSide: SyncLimits.thumbnailSide)
    } catch {
      throw .imaging(error)
    }
  }

  private func original(of order: PictureOrder) throws(Failure) -> StoredOriginal? {
    do {
      return try store.original(imageID: order.imageID)
    } catch {
      throw .store(error)
    }
  }
}

extension FetchedThumbnail {
  fileprivate init(
    _ order: PictureOrder,
    _ made: MadeThumbnail,
    of original: (sha256: String, validators: Validators),
    fetched: Date,
    checkDate: Date
  ) {
    self.init(
      imageID: order.imageID,
      address: order.address,
      validators: original.validators,
      info: made.info,
      bytes: made.bytes,
      fetched: fetched,
      checkDate: checkDate,
      sourceSHA256: original.sha256
    )
  }
}
