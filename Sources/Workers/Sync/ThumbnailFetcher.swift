import Models

/// Fetches one thumbnail and finds out whether it is a whole picture.
struct ThumbnailFetcher: Sendable {
  enum Outcome: Sendable {
    case fetched(FetchedThumbnail, wireBytes: Int)
    case failed(PictureOrder, Failure)
  }

  let tools: SyncTools
  let fileFolder: String?
  /// Lets one large thumbnail in at a time: with many small ones at once, that bounds the memory.
  let turnstile: Turnstile

  @concurrent
  func fetch(_ order: PictureOrder) async -> Outcome {
    do throws(Failure) {
      let reply = try await reply(to: order)
      let thumbnail = FetchedThumbnail(
        imageID: order.imageID,
        address: order.address,
        validators: reply.header.validators,
        info: try info(of: reply),
        bytes: reply.body,
        fetched: tools.now()
      )
      return .fetched(thumbnail, wireBytes: reply.wireBytes)
    } catch {
      return .failed(order, error)
    }
  }

  private func reply(to order: PictureOrder) async throws(Failure) -> NetworkReply {
    let reply: NetworkReply
    do {
      reply = try await fetch(order, limit: SyncLimits.smallThumbnailBytes)
    } catch  where error.reason == .tooLarge(limit: SyncLimits.smallThumbnailBytes) {
      reply = try await largeReply(to: order)
    } catch {
      throw .network(error)
    }
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    return reply
  }

  private func largeReply(to order: PictureOrder) async throws(Failure) -> NetworkReply {
    await turnstile.enter()
    defer { turnstile.leave() }
    do {
      return try await fetch(order, limit: SyncLimits.thumbnailBytes)
    } catch {
      throw .network(error)
    }
  }

  private func fetch(
    _ order: PictureOrder,
    limit: Int
  ) async throws(NetworkError) -> NetworkReply {
    try await tools.network.fetch(
      NetworkRequest(
        address: order.address,
        accept: AcceptField.pictures,
        byteLimit: limit,
        fileFolder: fileFolder
      )
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
