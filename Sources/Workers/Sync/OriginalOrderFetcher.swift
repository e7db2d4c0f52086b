import Models

/// Fetches one original for a sync, whose progress counts its bytes while they arrive.
struct OriginalOrderFetcher: Sendable {
  /// What came of one order.
  struct Outcome: Sendable {
    var order: PictureOrder
    var result: Result<FetchedOriginal, Failure>
    /// Bytes that came over the wire, as far as that is known of a transfer that failed.
    var wireBytes: Int
  }

  let originals: any OriginalFetching
  let reach: NetworkReach
  let fileFolder: String?
  let budget: TransferBudget
  let progress: SyncProgress

  @concurrent
  func fetch(_ order: PictureOrder) async -> Outcome {
    var tally = ArrivalTally(progress)
    do {
      let fetched = try await originals.fetch(request(order)) { now in
        tally.note(received: now.received)
      }
      let rest = fetched.wireBytes - tally.bytes
      progress.update { $0.bytes += rest }
      return Outcome(order: order, result: .success(fetched), wireBytes: fetched.wireBytes)
    } catch {
      return Outcome(order: order, result: .failure(error), wireBytes: tally.bytes)
    }
  }

  private func request(_ order: PictureOrder) -> OriginalRequest {
    OriginalRequest(
      imageID: order.imageID,
      address: order.address,
      reach: reach,
      fileFolder: fileFolder,
      budget: budget,
      isCheck: order.held != nil,
      since: order.since
    )
  }
}
