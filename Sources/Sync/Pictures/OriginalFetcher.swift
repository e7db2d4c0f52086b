import FoundationEssentials
import Models
import Workers

/// Fetches one original for a sync, to keep it, or to make a thumbnail from it.
///
/// The sync's progress counts its bytes as they arrive. A transfer that breaks off leaves a part, which the next fetch
/// of the same original resumes, for either purpose.
struct OriginalFetcher: Sendable {
  let origin: PictureOrigin
  let tools: SyncTools
  let budget: TransferBudget?
  let progress: SyncProgress
  /// Whether an original that is fetched to be kept also gives the image's thumbnail.
  let makesThumbnails: Bool
  let signs: SubstituteSigns

  // MARK: Originals to keep

  /// Fetches and stores an original, and makes the image's thumbnail if that is to be made.
  @concurrent
  func fetch(_ wanted: WantedPicture) async -> PictureOutcome {
    var tally = ArrivalTally(progress)
    do throws(Failure) {
      var request = request(wanted)
      request.isCheck = wanted.held != nil
      request.since = wanted.since
      var fetched = try await tools.originals.fetch(request) { tally.note(received: $0.received) }
      var countedBytes = tally.bytes
      let stored = fetched.original.sha256
      fetched = await signs.unmasked(fetched, wanted, of: origin) { again in
        await fetch(again, insteadOf: stored, &countedBytes)
      }
      return PictureOutcome(
        wanted: wanted,
        result: .original(fetched, made: await madeThumbnail(of: wanted.imageID)),
        wireBytes: fetched.wireBytes,
        countedBytes: countedBytes
      )
    } catch {
      return failed(error, wanted, tally)
    }
  }

  /// Fetches an original in place of a sign, which was counted as the original; nil if it cannot be had.
  ///
  /// Its thumbnail is made later, if that was made from the sign.
  func replace(_ sign: String, of wanted: WantedPicture) async -> PictureOutcome? {
    var (picture, countedBytes) = (wanted, 0)
    guard var fetched = await fetch(wanted, insteadOf: sign, &countedBytes) else { return nil }
    (fetched.wasDownloaded, picture.held) = (false, Validators())
    return PictureOutcome(
      wanted: picture,
      result: .original(fetched, made: nil),
      wireBytes: fetched.wireBytes,
      countedBytes: countedBytes
    )
  }

  private func fetch(
    _ wanted: WantedPicture,
    insteadOf sign: String,
    _ countedBytes: inout Int
  ) async -> FetchedOriginal? {
    var request = request(wanted)
    (request.isCheck, request.sign) = (true, sign)
    request.since = wanted.since
    var tally = ArrivalTally(progress)
    let fetched = try? await tools.originals.fetch(request) { tally.note(received: $0.received) }
    countedBytes += tally.bytes
    return fetched
  }

  /// Makes a thumbnail from an original that has just arrived.
  ///
  /// A missing decoder is reported once all originals have arrived.
  private func madeThumbnail(of imageID: Int64) async -> PictureOutcome? {
    guard makesThumbnails, tools.imaging != nil,
      let wanted = try? await tools.store.wantedThumbnail(madeFor: imageID)
    else { return nil }
    let outcome = await makeThumbnail(wanted)
    if case .failed(.imaging(let error)) = outcome.result, error.isOfDecoder { return nil }
    return outcome
  }

  // MARK: Thumbnails of originals

  /// Makes the thumbnail of an image from its stored original, or from one that is fetched for this and not kept.
  @concurrent
  func makeThumbnail(_ wanted: WantedPicture) async -> PictureOutcome {
    let outcome = await make(wanted)
    return await signs.unmasked(outcome, of: origin) { await make($0) }
  }

  private func make(_ wanted: WantedPicture) async -> PictureOutcome {
    var tally = ArrivalTally(progress)
    do throws(Failure) {
      guard let imaging = tools.imaging else { throw .imaging(.noDecoder(lookedAt: [])) }
      let maker = ThumbnailMaker(store: tools.store, imaging: imaging, now: tools.now)
      if wanted.mayUseStored, tools.objects != nil {
        await tools.originals.bringBack(imageID: wanted.imageID)
      }
      if wanted.mayUseStored, let thumbnail = try await maker.thumbnailOfStored(wanted) {
        return PictureOutcome(wanted: wanted, result: .new(thumbnail))
      }
      if request(wanted).isInPlace { throw Failure.notInPlace(wanted.address) }
      return try await makeOfFetched(wanted, with: maker, counting: &tally)
    } catch {
      return failed(error, wanted, tally)
    }
  }

  private func makeOfFetched(
    _ wanted: WantedPicture,
    with maker: ThumbnailMaker,
    counting tally: inout ArrivalTally
  ) async throws(Failure) -> PictureOutcome {
    let file = try await Failure.ofStore(
      await tools.store.openOriginalFile(imageID: wanted.imageID)
    )
    do throws(Failure) {
      // Another holder of the file may have fetched the same original in the meantime, and kept it.
      if wanted.mayUseStored, let thumbnail = try await maker.thumbnailOfStored(wanted) {
        await file.suspend()
        return PictureOutcome(wanted: wanted, result: .new(thumbnail))
      }
      let outcome = try await fetch(wanted, into: file, with: maker, counting: &tally)
      await file.discard()
      return outcome
    } catch {
      if error.isOfNoUse { await file.discard() } else { await file.suspend() }
      throw error
    }
  }

  private func fetch(
    _ wanted: WantedPicture,
    into file: any OriginalWriting,
    with maker: ThumbnailMaker,
    counting tally: inout ArrivalTally
  ) async throws(Failure) -> PictureOutcome {
    let (held, store) = (wanted.held ?? Validators(), tools.store)
    var request = request(wanted)
    request.purpose = .thumbnail
    var download = OriginalDownload(
      request,
      into: file,
      unless: held,
      network: tools.network,
      store: store
    )
    let result: PictureOutcome.Result
    switch try await download.run({ tally.note(received: $0.received) }) {
    case .unchanged(let header):
      result = .unchanged(
        wanted.unchanged(header, header.validators.completed(by: held), tools.now())
      )
    case .whole(_, let header):
      result = try await made(
        maker.thumbnail(wanted, of: file, header, download.validators),
        header,
        wanted
      )
    }
    return PictureOutcome(
      wanted: wanted,
      result: result,
      wireBytes: download.wireBytes,
      countedBytes: tally.bytes
    )
  }

  /// The result for a thumbnail that was made from what has arrived, compared with the stored one.
  private func made(
    _ result: PictureOutcome.Result,
    _ header: NetworkHeader,
    _ wanted: WantedPicture
  ) async throws(Failure) -> PictureOutcome.Result {
    switch result {
    case .new(let thumbnail), .changed(let thumbnail):
      try await tools.judged(thumbnail, .madeThumbnail, header, wanted)
    default: result
    }
  }

  private func request(_ wanted: WantedPicture) -> OriginalRequest {
    var request = OriginalRequest(
      imageID: wanted.imageID,
      address: wanted.address,
      reach: origin.reach,
      fileFolder: origin.fileFolder,
      feedKey: origin.feedKey
    )
    request.budget = budget
    request.keepsRoom = true
    (request.feed, request.page) = (origin.feed, wanted.page ?? wanted.address)
    request.referer = wanted.referer ?? signs.referer(of: origin)
    return request
  }

  private func failed(
    _ failure: Failure,
    _ wanted: WantedPicture,
    _ tally: ArrivalTally
  ) -> PictureOutcome {
    PictureOutcome(
      wanted: wanted,
      result: .failed(failure),
      wireBytes: tally.bytes,
      countedBytes: tally.bytes
    )
  }
}

extension Failure {
  /// Whether the bytes that have arrived are useless: they are a picture that cannot be decoded.
  fileprivate var isOfNoUse: Bool {
    if case .imaging = self { pictureClass != nil } else { false }
  }
}

extension WantedPicture {
  /// Whether the stored original may be used, without a request to its server.
  fileprivate var mayUseStored: Bool { held?.isEmpty != false }

  /// Notes that a response has confirmed the stored picture; unchanged validators are not stored again.
  func unchanged(_ header: NetworkHeader, _ validators: Validators, _ now: Date) -> UnchangedPicture
  {
    var picture = UnchangedPicture(
      imageID: imageID,
      address: address,
      validators: validators == held ? nil : validators,
      checkDate: header.checkDate(since: since, now: now)
    )
    picture.isRedirected = !header.address.isAtPlace(of: address)
    return picture
  }
}

/// Counts the bytes of one original in a sync's progress while they arrive.
struct ArrivalTally {
  /// The number of bytes counted so far.
  private(set) var bytes = 0
  private let progress: SyncProgress
  private var last: Int?

  init(_ progress: SyncProgress) { self.progress = progress }

  /// Takes the number of bytes that are here; the first call for each response gives those from before it.
  mutating func note(received: Int) {
    let arrived = max(0, received - (last ?? received))
    last = received
    bytes += arrived
    progress.update { $0.bytes += arrived }
  }
}
