import Models

/// Fetches the thumbnails that a feed's images want, many at once, and stores them in batches.
struct ThumbnailSync {
  private(set) var counts = TransferCounts()
  private(set) var bytes = 0
  private let feed: Feed
  private let all: Bool
  private let tools: SyncTools
  private let progress: SyncProgress
  private let turnstile: Turnstile
  private var orders: PictureOrders
  private var batch: [FetchedThumbnail] = []
  private var batchBytes = 0

  /// With `all`, the thumbnails that are stored and right are fetched again.
  init(
    feed: Feed,
    all: Bool,
    tools: SyncTools,
    progress: SyncProgress,
    turnstile: Turnstile
  ) {
    self.feed = feed
    self.all = all
    self.tools = tools
    self.progress = progress
    self.turnstile = turnstile
    orders = PictureOrders(of: feed) { last throws(StoreError) in
      try tools.store.thumbnailOrders(
        feedID: feed.id,
        all: all,
        after: last,
        limit: SyncLimits.ordersPerPage
      )
    }
  }

  /// Counts what is wanted and, when `fetching`, fetches it.
  mutating func run(fetching: Bool, note: (SyncProblem) -> Void) async {
    do {
      counts.waiting = try tools.store.thumbnailCount(feedID: feed.id, all: all)
    } catch {
      return note(.store(error, of: feed))
    }
    guard fetching, counts.waiting > 0 else { return }
    let total = counts.waiting
    progress.update { $0.thumbnails.total += total }
    await fetchAll(note: note)
    storeBatch(note: note)
  }

  private mutating func fetchAll(note: (SyncProblem) -> Void) async {
    let fetcher = ThumbnailFetcher(
      tools: tools,
      fileFolder: feed.address.fileFolder,
      turnstile: turnstile
    )
    await fetchConcurrently(
      atOnce: SyncLimits.thumbnailsAtOnce,
      next: { orders.next(note: note) },
      fetch: { await fetcher.fetch($0) },
      handle: { take($0, note: note) }
    )
  }

  private mutating func take(_ outcome: ThumbnailFetcher.Outcome, note: (SyncProblem) -> Void) {
    switch outcome {
    case .fetched(let thumbnail, let wireBytes, let isLarge):
      add(thumbnail, wireBytes: wireBytes)
      if isBatchFull || isLarge { storeBatch(note: note) }
      if isLarge { turnstile.leave() }
    case .failed(let order, let failure):
      guard !failure.isCancellation else { return }
      countFailure()
      note(SyncProblem(subject: .thumbnail, address: order.address, failure: failure))
    }
  }

  private mutating func add(_ thumbnail: FetchedThumbnail, wireBytes: Int) {
    batch.append(thumbnail)
    batchBytes += thumbnail.bytes.count
    bytes += wireBytes
    progress.update {
      $0.thumbnails.done += 1
      $0.bytes += wireBytes
    }
  }

  private mutating func countFailure() {
    counts.noteFailed()
    progress.update { $0.thumbnails.done += 1 }
  }

  private var isBatchFull: Bool {
    batch.count >= SyncLimits.thumbnailsPerBatch || batchBytes >= SyncLimits.thumbnailBytesPerBatch
  }

  /// A batch that cannot be stored stays wanted, and says so once; on a full disk nothing more is
  /// fetched for it.
  private mutating func storeBatch(note: (SyncProblem) -> Void) {
    defer {
      batch.removeAll(keepingCapacity: true)
      batchBytes = 0
    }
    do {
      if !batch.isEmpty { try tools.store.store(batch) }
      counts.noteStored(batch.count)
    } catch {
      if error.endsWriting { orders.end() }
      note(.store(error, of: feed))
    }
  }
}
