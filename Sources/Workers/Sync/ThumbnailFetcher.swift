import FoundationEssentials
import Models
import PictureFiles

/// Fetches one thumbnail and finds out whether it is a whole picture, and another than the stored one;
/// a large one is made smaller.
struct ThumbnailFetcher: Sendable {
  let tools: SyncTools
  let reach: NetworkReach
  let fileFolder: String?
  /// As in the requests.
  let feedKey: Int
  /// Lets one large thumbnail in at a time: with many small ones at once, that bounds the memory.
  let turnstile: Turnstile

  @concurrent
  func fetch(_ order: PictureOrder) async -> ThumbnailOutcome {
    do throws(NetworkError) {
      let reply = try await tools.network.fetch(request(for: order))
      return await outcome(of: .success(reply), to: order)
    } catch {
      return await outcome(of: .failure(error), to: order)
    }
  }

  /// What is asked first: a large one is refused, and asked for again in its turn.
  func request(for order: PictureOrder) -> NetworkRequest {
    request(for: order, limit: SyncLimits.smallThumbnailBytes)
  }

  /// What comes of an answer to `request(for:)`; nil when that takes `outcome(of:to:)`, which is a large
  /// one or one that is made smaller.
  func outcomeAtOnce(
    of answer: Result<NetworkReply, NetworkError>,
    to order: PictureOrder
  ) -> ThumbnailOutcome? {
    switch answer {
    case .failure(let error):
      if isTooLarge(error) { return nil }
      return ThumbnailOutcome(order: order, result: .failed(.network(error)))
    case .success(let reply):
      do throws(Failure) {
        let finding = try finding(in: reply, to: order)
        if case .picture(let info, _) = finding, isToBeShrunk(reply.body, info) { return nil }
        let result = try result(of: finding, reply, to: order, smaller: nil)
        return ThumbnailOutcome(order: order, result: result, wireBytes: reply.wireBytes)
      } catch {
        return ThumbnailOutcome(order: order, result: .failed(error), wireBytes: reply.wireBytes)
      }
    }
  }

  /// What comes of an answer to `request(for:)`.
  @concurrent
  func outcome(
    of answer: Result<NetworkReply, NetworkError>,
    to order: PictureOrder
  ) async -> ThumbnailOutcome {
    switch answer {
    case .success(let reply): await outcome(of: reply, to: order)
    case .failure(let error) where isTooLarge(error): await fetchLarge(order)
    case .failure(let error): ThumbnailOutcome(order: order, result: .failed(.network(error)))
    }
  }

  private func isTooLarge(_ error: NetworkError) -> Bool {
    error.reason == .tooLarge(limit: SyncLimits.smallThumbnailBytes)
  }

  private func fetchLarge(_ order: PictureOrder) async -> ThumbnailOutcome {
    await turnstile.enter()
    do throws(NetworkError) {
      let request = request(for: order, limit: SyncLimits.thumbnailBytes)
      let reply = try await tools.network.fetch(request)
      var outcome = await outcome(of: reply, to: order)
      outcome.isLarge = outcome.byteCount > SyncLimits.smallThumbnailBytes
      if !outcome.isLarge { turnstile.leave() }
      return outcome
    } catch {
      turnstile.leave()
      return ThumbnailOutcome(order: order, result: .failed(.network(error)))
    }
  }

  private func request(for order: PictureOrder, limit: Int) -> NetworkRequest {
    NetworkRequest(
      address: order.address,
      reach: reach,
      validators: order.held ?? Validators(),
      accept: AcceptField.pictures,
      byteLimit: limit,
      fileFolder: fileFolder,
      timeLimit: SyncLimits.thumbnailTime,
      feedKey: feedKey
    )
  }

  private func outcome(of reply: NetworkReply, to order: PictureOrder) async -> ThumbnailOutcome {
    do throws(Failure) {
      let finding = try finding(in: reply, to: order)
      let smaller = try await shrunk(reply.body, finding)
      let result = try result(of: finding, reply, to: order, smaller: smaller)
      return ThumbnailOutcome(order: order, result: result, wireBytes: reply.wireBytes)
    } catch {
      return ThumbnailOutcome(order: order, result: .failed(error), wireBytes: reply.wireBytes)
    }
  }

  /// What a reply is, before any of it is made smaller.
  private enum Finding {
    /// What is stored is right, and these are its validators from here on.
    case unchanged(Validators)
    case picture(PictureInfo, isChange: Bool)
  }

  private func finding(
    in reply: NetworkReply,
    to order: PictureOrder
  ) throws(Failure) -> Finding {
    // To a request without validators it would be no answer.
    if reply.header.status == 304, let held = order.held, !held.isEmpty {
      return .unchanged(reply.header.validators.completed(by: held))
    }
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    let info = try info(of: reply)
    guard order.held != nil else { return .picture(info, isChange: false) }
    if try isStored(reply.body, of: order) { return .unchanged(reply.header.validators) }
    return .picture(info, isChange: true)
  }

  private func result(
    of finding: Finding,
    _ reply: NetworkReply,
    to order: PictureOrder,
    smaller: MadeThumbnail?
  ) throws(Failure) -> ThumbnailOutcome.Result {
    switch finding {
    case .unchanged(let validators): .unchanged(unchanged(order, reply, validators))
    case .picture(let info, isChange: false):
      .new(try thumbnail(order, reply, info, since: order.since, smaller: smaller))
    case .picture(let info, isChange: true):
      // It does change under its address, however long ago the image was published.
      .changed(try thumbnail(order, reply, info, since: tools.now(), smaller: smaller))
    }
  }

  /// Whether these bytes are stored, or what is stored was made from them.
  private func isStored(_ bytes: [UInt8], of order: PictureOrder) throws(Failure) -> Bool {
    do {
      if let source = try tools.store.thumbnailSource(imageID: order.imageID) {
        return try source == tools.store.sha256(of: bytes)
      }
      return try tools.store.thumbnailBytes(imageID: order.imageID) == bytes
    } catch {
      throw .store(error)
    }
  }

  private func thumbnail(
    _ order: PictureOrder,
    _ reply: NetworkReply,
    _ info: PictureInfo,
    since: Date,
    smaller: MadeThumbnail?
  ) throws(Failure) -> FetchedThumbnail {
    let now = tools.now()
    let source = smaller == nil ? nil : try hash(of: reply.body)
    return FetchedThumbnail(
      imageID: order.imageID,
      address: order.address,
      validators: reply.header.validators,
      info: smaller?.info ?? info,
      bytes: smaller?.bytes ?? reply.body,
      fetched: now,
      checkDate: PictureFreshness.checkDate(reply.header, since: since, now: now),
      sourceSHA256: source
    )
  }

  private func hash(of bytes: [UInt8]) throws(Failure) -> String {
    do throws(StoreError) {
      return try tools.store.sha256(of: bytes)
    } catch {
      throw .store(error)
    }
  }

  /// Whether a picture is larger than a thumbnail has to be.
  private func isToBeShrunk(_ bytes: [UInt8], _ info: PictureInfo) -> Bool {
    let side = max(info.width ?? 0, info.height ?? 0)
    return tools.imaging != nil
      && (side > SyncLimits.thumbnailSide || bytes.count > SyncLimits.thumbnailBytesAsItCame)
  }

  /// A smaller one of a picture that is larger than a thumbnail has to be; nil for one that is stored
  /// as it came, because it is small, or because it can only be kept, not decoded, here.
  private func shrunk(
    _ bytes: [UInt8],
    _ finding: Finding
  ) async throws(Failure) -> MadeThumbnail? {
    guard case .picture(let info, _) = finding, isToBeShrunk(bytes, info),
      let imaging = tools.imaging
    else { return nil }
    do throws(ImagingError) {
      return try await imaging.thumbnail(of: .bytes(bytes), longestSide: SyncLimits.thumbnailSide)
    } catch .unsupported {
      return nil
    } catch  where error.isOfDecoder {
      return nil
    } catch {
      throw .imaging(error)
    }
  }

  private func unchanged(
    _ order: PictureOrder,
    _ reply: NetworkReply,
    _ validators: Validators
  ) -> UnchangedThumbnail {
    UnchangedThumbnail(
      imageID: order.imageID,
      address: order.address,
      validators: validators == order.held ? nil : validators,
      checkDate: PictureFreshness.checkDate(reply.header, since: order.since, now: tools.now())
    )
  }

  /// A body of undeclared length is whole only if its format says so.
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
  /// A 304 need not repeat what it does not renew (RFC 9110, section 15.4.5).
  func completed(by stored: Validators) -> Validators {
    Validators(
      entityTag: entityTag ?? stored.entityTag,
      lastModified: lastModified ?? stored.lastModified
    )
  }
}
