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
  let fileFolder: String?
  let budget: TransferBudget
  let progress: SyncProgress

  @concurrent
  func fetch(_ order: PictureOrder) async -> Outcome {
    var counted = 0
    var last: Int?
    do {
      let fetched = try await originals.fetch(request(order)) { now in
        // Each response begins with what is here before it.
        let arrived = max(0, now.received - (last ?? now.received))
        last = now.received
        counted += arrived
        progress.update { $0.bytes += arrived }
      }
      let rest = fetched.wireBytes - counted
      progress.update { $0.bytes += rest }
      return Outcome(order: order, result: .success(fetched), wireBytes: fetched.wireBytes)
    } catch {
      return Outcome(order: order, result: .failure(error), wireBytes: counted)
    }
  }

  private func request(_ order: PictureOrder) -> OriginalRequest {
    OriginalRequest(
      imageID: order.imageID,
      address: order.address,
      fileFolder: fileFolder,
      budget: budget,
      isCheck: order.held != nil,
      since: order.since
    )
  }
}
