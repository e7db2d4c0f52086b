import Models

/// Fetches one thumbnail and finds out whether it is a whole picture.
struct ThumbnailFetcher: Sendable {
  enum Outcome: Sendable {
    /// One that is large keeps the turnstile until whoever stores it lets the next one in.
    case fetched(FetchedThumbnail, wireBytes: Int, isLarge: Bool)
    case failed(PictureOrder, Failure)
  }

  let tools: SyncTools
  let fileFolder: String?
  /// Lets one large thumbnail in at a time: with many small ones at once, that bounds the memory.
  let turnstile: Turnstile

  @concurrent
  func fetch(_ order: PictureOrder) async -> Outcome {
    do throws(NetworkError) {
      let reply = try await fetch(order, limit: SyncLimits.smallThumbnailBytes)
      return outcome(of: reply, to: order, isLarge: false)
    } catch  where error.reason == .tooLarge(limit: SyncLimits.smallThumbnailBytes) {
      return await fetchLarge(order)
    } catch {
      return .failed(order, .network(error))
    }
  }

  private func fetchLarge(_ order: PictureOrder) async -> Outcome {
    await turnstile.enter()
    do throws(NetworkError) {
      let reply = try await fetch(order, limit: SyncLimits.thumbnailBytes)
      let outcome = outcome(of: reply, to: order, isLarge: true)
      if case .failed = outcome { turnstile.leave() }
      return outcome
    } catch {
      turnstile.leave()
      return .failed(order, .network(error))
    }
  }

  private func outcome(of reply: NetworkReply, to order: PictureOrder, isLarge: Bool) -> Outcome {
    do throws(Failure) {
      guard reply.header.status == 200 else { throw .status(reply.header.status) }
      let thumbnail = FetchedThumbnail(
        imageID: order.imageID,
        address: order.address,
        validators: reply.header.validators,
        info: try info(of: reply),
        bytes: reply.body,
        fetched: tools.now()
      )
      return .fetched(thumbnail, wireBytes: reply.wireBytes, isLarge: isLarge)
    } catch {
      return .failed(order, error)
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
