import Models

/// Fetches the originals that a feed's images lack, several at once, newest first.
struct OriginalSync {
  private(set) var counts = TransferCounts()
  private(set) var bytes = 0
  private let feed: Feed
  private let tools: SyncTools
  private let progress: SyncProgress
  private var orders: PictureOrders

  init(feed: Feed, tools: SyncTools, progress: SyncProgress) {
    self.feed = feed
    self.tools = tools
    self.progress = progress
    orders = PictureOrders(of: feed) { last throws(StoreError) in
      try tools.store.originalOrders(
        feedID: feed.id,
        after: last,
        limit: SyncLimits.ordersPerPage
      )
    }
  }

  /// Counts what is missing and, when `fetching`, fetches it.
  mutating func run(fetching: Bool, note: (SyncProblem) -> Void) async {
    do {
      counts.waiting = try tools.store.originalCount(feedID: feed.id)
    } catch {
      return note(.store(error, of: feed))
    }
    guard fetching, counts.waiting > 0 else { return }
    let total = counts.waiting
    progress.update { $0.originals.total += total }
    await fetchAll(note: note)
  }

  private mutating func fetchAll(note: (SyncProblem) -> Void) async {
    let fetcher = OriginalOrderFetcher(
      originals: tools.originals,
      fileFolder: feed.address.fileFolder,
      progress: progress
    )
    await fetchConcurrently(
      atOnce: SyncLimits.originalsAtOnce,
      next: { orders.next(note: note) },
      fetch: { await fetcher.fetch($0) },
      handle: { take($0, note: note) }
    )
  }

  private mutating func take(_ outcome: OriginalOrderFetcher.Outcome, note: (SyncProblem) -> Void) {
    switch outcome {
    case .fetched(let wireBytes):
      counts.noteStored()
      bytes += wireBytes
    case .failed(let order, let failure):
      guard !failure.isCancellation else { return }
      counts.noteFailed()
      if case .store(let error) = failure, error.endsWriting { orders.end() }
      note(SyncProblem(subject: .original, address: order.address, failure: failure))
    }
    progress.update { $0.originals.done += 1 }
  }
}
