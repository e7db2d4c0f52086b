import FoundationEssentials
import Models

/// Fetches one thumbnail and finds out whether it is a whole picture, and another than the stored one;
/// a large one is made smaller.
struct ThumbnailFetcher: Sendable {
  let tools: SyncTools
  let reach: NetworkReach
  let fileFolder: String?
  /// Lets one large thumbnail in at a time: with many small ones at once, that bounds the memory.
  let turnstile: Turnstile

  @concurrent
  func fetch(_ order: PictureOrder) async -> ThumbnailOutcome {
    do throws(NetworkError) {
      let reply = try await fetch(order, limit: SyncLimits.smallThumbnailBytes)
      return await outcome(of: reply, to: order)
    } catch  where error.reason == .tooLarge(limit: SyncLimits.smallThumbnailBytes) {
      return await fetchLarge(order)
    } catch {
      return ThumbnailOutcome(order: order, result: .failed(.network(error)))
    }
  }

  private func fetchLarge(_ order: PictureOrder) async -> ThumbnailOutcome {
    await turnstile.enter()
    do throws(NetworkError) {
      let reply = try await fetch(order, limit: SyncLimits.thumbnailBytes)
      var outcome = await outcome(of: reply, to: order)
      outcome.isLarge = outcome.thumbnail?.bytes.count ?? 0 > SyncLimits.smallThumbnailBytes
      if !outcome.isLarge { turnstile.leave() }
      return outcome
    } catch {
      turnstile.leave()
      return ThumbnailOutcome(order: order, result: .failed(.network(error)))
    }
  }

  private func fetch(
    _ order: PictureOrder,
    limit: Int
  ) async throws(NetworkError) -> NetworkReply {
    try await tools.network.fetch(
      NetworkRequest(
        address: order.address,
        reach: reach,
        validators: order.held ?? Validators(),
        accept: AcceptField.pictures,
        byteLimit: limit,
        fileFolder: fileFolder
      )
    )
  }

  private func outcome(of reply: NetworkReply, to order: PictureOrder) async -> ThumbnailOutcome {
    do throws(Failure) {
      let result = try await result(of: reply, to: order)
      return ThumbnailOutcome(order: order, result: result, wireBytes: reply.wireBytes)
    } catch {
      return ThumbnailOutcome(order: order, result: .failed(error), wireBytes: reply.wireBytes)
    }
  }

  private func result(
    of reply: NetworkReply,
    to order: PictureOrder
  ) async throws(Failure) -> ThumbnailOutcome.Result {
    // To a request without validators it would be no answer.
    if reply.header.status == 304, let held = order.held, !held.isEmpty {
      return .unchanged(unchanged(order, reply, reply.header.validators.completed(by: held)))
    }
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    let info = try info(of: reply)
    guard order.held != nil else {
      return .new(try await thumbnail(order, reply, info, since: order.since))
    }
    if try isStored(reply.body, of: order) {
      return .unchanged(unchanged(order, reply, reply.header.validators))
    }
    // It does change under its address, however long ago the image was published.
    return .changed(try await thumbnail(order, reply, info, since: tools.now()))
  }

  /// Whether these bytes are stored, or what is stored was made from them.
  private func isStored(_ bytes: [UInt8], of order: PictureOrder) throws(Failure) -> Bool {
    do {
      if let source = try tools.store.thumbnailSource(imageID: order.imageID) {
        return source == tools.store.sha256(of: bytes)
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
    since: Date
  ) async throws(Failure) -> FetchedThumbnail {
    let now = tools.now()
    let smaller = try await shrunk(reply.body, info)
    return FetchedThumbnail(
      imageID: order.imageID,
      address: order.address,
      validators: reply.header.validators,
      info: smaller?.info ?? info,
      bytes: smaller?.bytes ?? reply.body,
      fetched: now,
      checkDate: PictureFreshness.checkDate(reply.header, since: since, now: now),
      sourceSHA256: smaller.map { _ in tools.store.sha256(of: reply.body) }
    )
  }

  /// A smaller one of a picture that is larger than a thumbnail has to be; nil for one that is stored
  /// as it came, because it is small, or because it can only be kept, not decoded, here.
  private func shrunk(_ bytes: [UInt8], _ info: PictureInfo) async throws(Failure) -> MadeThumbnail?
  {
    let side = max(info.width ?? 0, info.height ?? 0)
    guard side > SyncLimits.thumbnailSide || bytes.count > SyncLimits.thumbnailBytesAsItCame,
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
