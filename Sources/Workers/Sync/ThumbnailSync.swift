import Models

/// Fetches the thumbnails that a feed's images want, many at once, asks about stored ones that are
/// due, and keeps what came of it in batches.
struct ThumbnailSync {
  private(set) var counts = TransferCounts()
  private(set) var bytes = 0
  private let feed: Feed
  private let wish: PictureWish
  private let tools: SyncTools
  private let turnstile: Turnstile
  private var share: ProgressShare
  private var failures: PictureFailures
  private var orders: PictureOrders
  private var batch = ThumbnailBatch()
  private var batchBytes = 0

  init(
    feed: Feed,
    wish: PictureWish,
    tools: SyncTools,
    progress: SyncProgress,
    turnstile: Turnstile
  ) {
    self.feed = feed
    self.wish = wish
    self.tools = tools
    self.turnstile = turnstile
    share = ProgressShare(of: progress, \.thumbnails)
    failures = PictureFailures(tools)
    orders = PictureOrders(
      of: feed,
      wanted: { last throws(StoreError) in
        let limit = SyncLimits.ordersPerPage
        return try tools.store.thumbnailOrders(feedID: feed.id, wish, after: last, limit: limit)
      },
      checks: tools.store.thumbnailChecks
    )
  }

  /// Counts what is wanted and, when `fetching`, fetches it and asks about what is due.
  mutating func run(fetching: Bool, note: (SyncProblem) -> Void) async {
    do {
      let number = try prepare(fetching: fetching)
      guard number > 0 else { return }
      share.announce(number)
    } catch {
      return note(.store(error, of: feed))
    }
    await fetchAll(note: note)
    storeBatch(note: note)
    share.end()
  }

  /// How many are to be asked for.
  ///
  /// What is due is known before anything is fetched, so that nothing is asked for twice.
  private mutating func prepare(fetching: Bool) throws(StoreError) -> Int {
    let count = try tools.store.thumbnailCount(feedID: feed.id, wish)
    counts.waiting = count.wanted
    guard fetching else { return 0 }
    if !wish.all { orders.due = try tools.store.dueThumbnails(feedID: feed.id, wish)[...] }
    return count.offered + orders.due.count
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
    switch outcome.result {
    case .new(let thumbnail):
      batch.new.append(thumbnail)
      batchBytes += thumbnail.bytes.count
    case .changed(let thumbnail):
      batch.changed.append(thumbnail)
      batchBytes += thumbnail.bytes.count
    case .unchanged(let thumbnail): batch.unchanged.append(thumbnail)
    case .failed(let failure):
      guard !failure.isCancellation else { return }
      take(failure, of: outcome.order, note: note)
    }
    bytes += outcome.wireBytes
    share.finishOne(bytes: outcome.wireBytes)
    if isBatchFull || outcome.isLarge { storeBatch(note: note) }
    if outcome.isLarge { turnstile.leave() }
  }

  private mutating func take(
    _ failure: Failure,
    of order: PictureOrder,
    note: (SyncProblem) -> Void
  ) {
    failures.memory(of: failure, order).map { batch.failed.append($0) }
    guard failures.isTold(failure, of: order) else { return }
    counts.noteFailed(wasWaiting: wish.all || order.held == nil)
    note(SyncProblem(subject: .thumbnail, address: order.address, failure: failure))
  }

  private var isBatchFull: Bool {
    batch.count >= SyncLimits.thumbnailsPerBatch || batchBytes >= SyncLimits.thumbnailBytesPerBatch
  }

  /// A batch that cannot be stored stays wanted, and says so once; on a full disk nothing more is
  /// fetched for it.
  private mutating func storeBatch(note: (SyncProblem) -> Void) {
    defer {
      batch = ThumbnailBatch()
      batchBytes = 0
    }
    do {
      if batch.count > 0 { try tools.store.store(batch) }
      countStored()
    } catch {
      if error.endsWriting { orders.end() }
      note(.store(error, of: feed))
    }
  }

  /// One that was asked for although it is stored counts as stored, changed or not; of those that
  /// were only asked about, what has changed.
  private mutating func countStored() {
    counts.noteStored(batch.new.count)
    counts.noteStored(batch.changed.count, wereWaiting: wish.all)
    if wish.all { counts.noteStored(batch.unchanged.count) }
  }
}
