import FoundationEssentials
import Models

/// Fetches one thumbnail and finds out whether it is a whole picture, and another than the stored one.
struct ThumbnailFetcher: Sendable {
  /// What came of one order.
  struct Outcome: Sendable {
    enum Result: Sendable {
      case new(FetchedThumbnail)
      case changed(FetchedThumbnail)
      case unchanged(UnchangedThumbnail)
      case failed(Failure)
    }

    var order: PictureOrder
    var result: Result
    /// Bytes that came over the wire, as far as that is known of a transfer that failed.
    var wireBytes = 0
    /// Whether it keeps the turnstile until whoever stores it lets the next one in.
    var isLarge = false
  }

  let tools: SyncTools
  let fileFolder: String?
  /// Lets one large thumbnail in at a time: with many small ones at once, that bounds the memory.
  let turnstile: Turnstile

  @concurrent
  func fetch(_ order: PictureOrder) async -> Outcome {
    do throws(NetworkError) {
      return outcome(of: try await fetch(order, limit: SyncLimits.smallThumbnailBytes), to: order)
    } catch  where error.reason == .tooLarge(limit: SyncLimits.smallThumbnailBytes) {
      return await fetchLarge(order)
    } catch {
      return Outcome(order: order, result: .failed(.network(error)))
    }
  }

  private func fetchLarge(_ order: PictureOrder) async -> Outcome {
    await turnstile.enter()
    do throws(NetworkError) {
      let reply = try await fetch(order, limit: SyncLimits.thumbnailBytes)
      var outcome = outcome(of: reply, to: order)
      outcome.isLarge = outcome.hasBytes
      if !outcome.isLarge { turnstile.leave() }
      return outcome
    } catch {
      turnstile.leave()
      return Outcome(order: order, result: .failed(.network(error)))
    }
  }

  private func fetch(
    _ order: PictureOrder,
    limit: Int
  ) async throws(NetworkError) -> NetworkReply {
    try await tools.network.fetch(
      NetworkRequest(
        address: order.address,
        validators: order.held ?? Validators(),
        accept: AcceptField.pictures,
        byteLimit: limit,
        fileFolder: fileFolder
      )
    )
  }

  private func outcome(of reply: NetworkReply, to order: PictureOrder) -> Outcome {
    do throws(Failure) {
      let result = try result(of: reply, to: order)
      return Outcome(order: order, result: result, wireBytes: reply.wireBytes)
    } catch {
      return Outcome(order: order, result: .failed(error), wireBytes: reply.wireBytes)
    }
  }

  private func result(
    of reply: NetworkReply,
    to order: PictureOrder
  ) throws(Failure) -> Outcome.Result {
    // To a request without validators it would be no answer.
    if reply.header.status == 304, let held = order.held, !held.isEmpty {
      return .unchanged(unchanged(order, reply, reply.header.validators.completed(by: held)))
    }
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    let info = try info(of: reply)
    guard order.held != nil else { return .new(thumbnail(order, reply, info, since: order.since)) }
    if try storedBytes(of: order) == reply.body {
      return .unchanged(unchanged(order, reply, reply.header.validators))
    }
    // It does change under its address, however long ago the image was published.
    return .changed(thumbnail(order, reply, info, since: tools.now()))
  }

  private func storedBytes(of order: PictureOrder) throws(Failure) -> [UInt8]? {
    do {
      return try tools.store.thumbnailBytes(imageID: order.imageID)
    } catch {
      throw .store(error)
    }
  }

  private func thumbnail(
    _ order: PictureOrder,
    _ reply: NetworkReply,
    _ info: PictureInfo,
    since: Date
  ) -> FetchedThumbnail {
    let now = tools.now()
    return FetchedThumbnail(
      imageID: order.imageID,
      address: order.address,
      validators: reply.header.validators,
      info: info,
      bytes: reply.body,
      fetched: now,
      checkDate: PictureFreshness.checkDate(reply.header, since: since, now: now)
    )
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

extension ThumbnailFetcher.Outcome {
  /// Whether it holds a whole thumbnail in memory.
  var hasBytes: Bool {
    switch result {
    case .new, .changed: true
    case .unchanged, .failed: false
    }
  }
}

extension Validators {
  /// A 304 need not repeat what it does not renew (RFC 9110, section 15.4.5).
  fileprivate func completed(by stored: Validators) -> Validators {
    Validators(
      entityTag: entityTag ?? stored.entityTag,
      lastModified: lastModified ?? stored.lastModified
    )
  }
}
