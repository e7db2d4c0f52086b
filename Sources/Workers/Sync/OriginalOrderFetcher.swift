import Models

/// Fetches one original for a sync, whose progress counts its bytes while they arrive.
struct OriginalOrderFetcher: Sendable {
  enum Outcome: Sendable {
    case fetched(wireBytes: Int)
    case failed(PictureOrder, Failure)
  }

  let originals: any OriginalFetching
  let fileFolder: String?
  let progress: SyncProgress

  @concurrent
  func fetch(_ order: PictureOrder) async -> Outcome {
    let request = OriginalRequest(
      imageID: order.imageID,
      address: order.address,
      fileFolder: fileFolder
    )
    var counted = 0
    var last: Int?
    do {
      let fetched = try await originals.fetch(request) { received, _ in
        // Each response begins with what is here before it.
        let arrived = max(0, received - (last ?? received))
        last = received
        counted += arrived
        progress.update { $0.bytes += arrived }
      }
      let rest = fetched.wireBytes - counted
      progress.update { $0.bytes += rest }
      return .fetched(wireBytes: fetched.wireBytes)
    } catch {
      return .failed(order, error)
    }
  }
}
