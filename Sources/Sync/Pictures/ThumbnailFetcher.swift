import FoundationEssentials
import Models
import PictureFiles
import Workers

/// Fetches one thumbnail, checks that it is a whole picture, and compares it with the stored one.
///
/// A large thumbnail is made smaller.
struct ThumbnailFetcher: Sendable {
  let origin: PictureOrigin
  let tools: SyncTools
  /// Lets in one large thumbnail at a time, which bounds the memory while many small ones arrive.
  let largeOnes: AsyncSemaphore

  @concurrent
  func fetch(_ wanted: WantedPicture) async -> PictureOutcome {
    let request = request(for: wanted)
    return await outcome(of: Result(of: try await tools.network.fetch(request)), to: wanted)
  }

  /// The outcome of an answer to `request(for:)`; nil for a large thumbnail, or one that has to be made smaller.
  ///
  /// Those need `outcome(of:to:)`, which takes longer.
  func outcomeAtOnce(
    of answer: Result<NetworkReply, NetworkError>,
    to wanted: WantedPicture
  ) async -> PictureOutcome? {
    switch answer {
    case .failure(let error):
      if isTooLarge(error) { return nil }
      return PictureOutcome(wanted: wanted, result: .failed(.network(error)))
    case .success(let reply):
      do throws(Failure) {
        let finding = try await finding(in: reply, to: wanted)
        if case .picture(let info, _) = finding, tools.isToBeShrunk(reply.body, info) {
          return nil
        }
        let result = try result(of: finding, reply, to: wanted, smaller: nil)
        return PictureOutcome(wanted: wanted, result: result, wireBytes: reply.wireBytes)
      } catch {
        return PictureOutcome(wanted: wanted, result: .failed(error), wireBytes: reply.wireBytes)
      }
    }
  }

  /// The outcome of an answer to `request(for:)`.
  @concurrent
  func outcome(
    of answer: Result<NetworkReply, NetworkError>,
    to wanted: WantedPicture
  ) async -> PictureOutcome {
    switch answer {
    case .success(let reply): await outcome(of: reply, to: wanted)
    case .failure(let error) where isTooLarge(error): await fetchLarge(wanted)
    case .failure(let error): PictureOutcome(wanted: wanted, result: .failed(.network(error)))
    }
  }

  private func isTooLarge(_ error: NetworkError) -> Bool {
    error.reason == .tooLarge(limit: SyncLimits.smallThumbnailBytes)
  }

  private func fetchLarge(_ wanted: WantedPicture) async -> PictureOutcome {
    await largeOnes.wait()
    do throws(NetworkError) {
      let request = request(for: wanted, limit: SyncLimits.thumbnailBytes)
      let reply = try await tools.network.fetch(request)
      var outcome = await outcome(of: reply, to: wanted)
      outcome.isLarge = outcome.byteCount > SyncLimits.smallThumbnailBytes
      if !outcome.isLarge { largeOnes.signal() }
      return outcome
    } catch {
      largeOnes.signal()
      return PictureOutcome(wanted: wanted, result: .failed(.network(error)))
    }
  }

  /// The request for a thumbnail.
  ///
  /// The first request refuses a large thumbnail, which is requested again when `largeOnes` lets it in.
  func request(
    for wanted: WantedPicture,
    limit: Int = SyncLimits.smallThumbnailBytes
  ) -> NetworkRequest {
    NetworkRequest(
      address: wanted.address,
      reach: origin.reach,
      validators: wanted.held ?? Validators(),
      accept: AcceptField.pictures,
      byteLimit: limit,
      fileFolder: origin.fileFolder,
      timeLimit: SyncLimits.thumbnailTime,
      feedKey: origin.feedKey
    )
  }

  private func outcome(of reply: NetworkReply, to wanted: WantedPicture) async -> PictureOutcome {
    do throws(Failure) {
      let finding = try await finding(in: reply, to: wanted)
      let smaller = try await shrunk(reply.body, finding)
      let result = try result(of: finding, reply, to: wanted, smaller: smaller)
      return PictureOutcome(wanted: wanted, result: result, wireBytes: reply.wireBytes)
    } catch {
      return PictureOutcome(wanted: wanted, result: .failed(error), wireBytes: reply.wireBytes)
    }
  }

  /// The meaning of a reply, before a picture in it is made smaller.
  private enum Finding {
    /// The stored thumbnail is valid, and has these validators from now on.
    case unchanged(Validators)
    case picture(PictureInfo, isChange: Bool)
  }

  private func finding(
    in reply: NetworkReply,
    to wanted: WantedPicture
  ) async throws(Failure) -> Finding {
    // A 304 is valid only if the request had validators.
    if reply.header.status == 304, let held = wanted.held, !held.isEmpty {
      return .unchanged(reply.header.validators.completed(by: held))
    }
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    let info = try info(of: reply)
    guard wanted.held != nil else { return .picture(info, isChange: false) }
    if try await isStored(reply.body, of: wanted) { return .unchanged(reply.header.validators) }
    return .picture(info, isChange: true)
  }

  private func result(
    of finding: Finding,
    _ reply: NetworkReply,
    to wanted: WantedPicture,
    smaller: MadeThumbnail?
  ) throws(Failure) -> PictureOutcome.Result {
    switch finding {
    case .unchanged(let validators):
      .unchanged(wanted.unchanged(reply.header, validators, tools.now()))
    case .picture(let info, isChange: false):
      .new(try thumbnail(wanted, reply, info, since: wanted.since, smaller: smaller))
    case .picture(let info, isChange: true):
      // The picture does change under its address, no matter when the image was published.
      .changed(try thumbnail(wanted, reply, info, since: tools.now(), smaller: smaller))
    }
  }

  /// Whether these bytes are stored, or the stored thumbnail was made from them.
  private func isStored(_ bytes: [UInt8], of wanted: WantedPicture) async throws(Failure) -> Bool {
    let (store, id) = (tools.store, wanted.imageID)
    if let source = try await Failure.ofStore(await store.thumbnailSource(imageID: id)) {
      return try source == tools.hash(of: bytes)
    }
    return try await Failure.ofStore(await store.thumbnailBytes(imageID: id)) == bytes
  }

  private func thumbnail(
    _ wanted: WantedPicture,
    _ reply: NetworkReply,
    _ info: PictureInfo,
    since: Date,
    smaller: MadeThumbnail?
  ) throws(Failure) -> FetchedThumbnail {
    let now = tools.now()
    let source = smaller == nil ? nil : try tools.hash(of: reply.body)
    return FetchedThumbnail(
      imageID: wanted.imageID,
      address: wanted.address,
      validators: reply.header.validators,
      info: smaller?.info ?? info,
      bytes: smaller?.bytes ?? reply.body,
      fetched: now,
      checkDate: reply.header.checkDate(since: since, now: now),
      sourceSHA256: source
    )
  }

  private func shrunk(
    _ bytes: [UInt8],
    _ finding: Finding
  ) async throws(Failure) -> MadeThumbnail? {
    guard case .picture(let info, _) = finding else { return nil }
    return try await tools.shrunk(bytes, info)
  }

  /// The info of the picture in a reply; a body of undeclared length is whole only if its format says so.
  private func info(of reply: NetworkReply) throws(Failure) -> PictureInfo {
    guard let check = PictureCheck(reply.body) else {
      throw .notAPicture(looksLike: ContentKind(reply.body).noun)
    }
    let isDeclared = reply.header.contentLength != nil
    guard check.completeness == .whole || check.completeness == .unknown && isDeclared else {
      throw .cutPicture(check.info.format)
    }
    return check.info
  }
}

extension Validators {
  /// Completes the validators of a 304, which need not repeat those that it does not renew (RFC 9110, section 15.4.5).
  func completed(by stored: Validators) -> Validators {
    Validators(
      entityTag: entityTag ?? stored.entityTag,
      lastModified: lastModified ?? stored.lastModified
    )
  }
}
