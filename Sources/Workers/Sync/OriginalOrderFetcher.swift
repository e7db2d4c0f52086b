import Models

/// Fetches one original for a sync, whose progress counts its bytes while they arrive.
struct OriginalOrderFetcher: Sendable {
  /// What came of one order.
  struct Outcome: Sendable {
    var order: PictureOrder
    var result: Result<FetchedOriginal, Failure>
    /// Bytes that came over the wire, as far as that is known of a transfer that failed.
    var wireBytes: Int
    /// What came of making the image's thumbnail from it; nil when none was to be made.
    var thumbnail: ThumbnailOutcome?
  }

  let originals: any OriginalFetching
  let reach: NetworkReach
  let fileFolder: String?
  let feedKey: Int
  let budget: TransferBudget
  let progress: SyncProgress
  /// Makes the thumbnails that the feed does not name; nil when none are made.
  let maker: ThumbnailMaker?

  @concurrent
  func fetch(_ order: PictureOrder) async -> Outcome {
    var tally = ArrivalTally(progress)
    do {
      let fetched = try await originals.fetch(request(order)) { now in
        tally.note(received: now.received)
      }
      let rest = fetched.wireBytes - tally.bytes
      progress.update { $0.bytes += rest }
      return Outcome(
        order: order,
        result: .success(fetched),
        wireBytes: fetched.wireBytes,
        thumbnail: await makeThumbnail(of: order.imageID)
      )
    } catch {
      return Outcome(order: order, result: .failure(error), wireBytes: tally.bytes)
    }
  }

  /// A decoder that is not to be had is told of once all originals have come.
  private func makeThumbnail(of imageID: Int64) async -> ThumbnailOutcome? {
    guard let maker, let order = try? maker.tools.store.unmadeOrder(imageID: imageID) else {
      return nil
    }
    let outcome = await maker.make(order)
    if case .failed(.imaging(let error)) = outcome.result, error.isOfDecoder { return nil }
    return outcome
  }

  private func request(_ order: PictureOrder) -> OriginalRequest {
    OriginalRequest(
      imageID: order.imageID,
      address: order.address,
      reach: reach,
      fileFolder: fileFolder,
      budget: budget,
      keepsRoom: true,
      feedKey: feedKey,
      isCheck: order.held != nil,
      since: order.since
    )
  }
}
