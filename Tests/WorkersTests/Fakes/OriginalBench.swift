import Models
import Workers

/// A worker for originals among fakes, with one image named "moon" that has a reply.
struct OriginalBench {
  let network: FakeNetwork
  let store: FakeStore
  let worker: OriginalWorker

  init(_ reply: FakeReply, failing: Set<StoreStep> = []) {
    network = FakeNetwork([.original("moon"): reply])
    store = FakeStore(failing: failing)
    store.keep(Feed(id: 7, address: .feed), images: ["moon"])
    worker = OriginalWorker(network: network, store: store)
  }

  func fetch(
    fileFolder: String? = nil,
    progress: (Int, Int?) -> Void = { _, _ in }
  ) async throws(Failure) -> FetchedOriginal {
    let request = OriginalRequest(
      imageID: 1,
      address: .original("moon"),
      fileFolder: fileFolder
    )
    return try await worker.fetch(request, progress: progress)
  }
}
