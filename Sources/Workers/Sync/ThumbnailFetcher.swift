import Models

/// Fetches one thumbnail and finds out whether it is a whole picture.
struct ThumbnailFetcher: Sendable {
  enum Outcome: Sendable {
    case fetched(FetchedThumbnail, wireBytes: Int)
    case failed(PictureOrder, Failure)
  }

  let tools: SyncTools
  let fileFolder: String?

  @concurrent
  func fetch(_ order: PictureOrder) async -> Outcome {
    do throws(Failure) {
      let reply = try await reply(to: order)
      let thumbnail = FetchedThumbnail(
        imageID: order.imageID,
        address: order.address,
        validators: reply.header.validators,
        info: try info(of: reply.body),
        bytes: reply.body,
        fetched: tools.now()
      )
      return .fetched(thumbnail, wireBytes: reply.wireBytes)
    } catch {
      return .failed(order, error)
    }
  }

  private func reply(to order: PictureOrder) async throws(Failure) -> NetworkReply {
    let request = NetworkRequest(
      address: order.address,
      accept: AcceptField.pictures,
      byteLimit: SyncLimits.thumbnailBytes,
      fileFolder: fileFolder
    )
    let reply: NetworkReply
    do {
      reply = try await tools.network.fetch(request)
    } catch {
      throw .network(error)
    }
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    return reply
  }

  private func info(of bytes: [UInt8]) throws(Failure) -> PictureInfo {
    guard let check = PictureCheck(bytes) else {
      throw .notAPicture(looksLike: ContentKind(bytes).noun)
    }
    guard check.completeness != .cut else { throw .cutPicture(check.info.format) }
    return check.info
  }
}
