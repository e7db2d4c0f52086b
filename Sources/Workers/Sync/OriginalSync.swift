import Models

/// Fetches the originals that a feed's images lack, several at once, newest first, and asks about
/// stored ones that are due; as far as the run's budget goes.
///
/// A thumbnail that the feed does not name is made as soon as its original is there.
struct OriginalSync {
  private(set) var counts = TransferCounts()
  private(set) var bytes = 0
  private let feed: Feed
  private let wish: PictureWish
  private let tools: SyncTools
  private let shared: SharedSync
  private let place: FeedPlace
  private var share: ProgressShare
  private var failures: PictureFailures
  private var failed: [FailedPicture] = []
  private var orders: PictureOrders
  private var keeper: ThumbnailKeeper
  private let makesThumbnails: Bool

  init(
    feed: Feed,
    wish: PictureWish,
    makesThumbnails: Bool,
    tools: SyncTools,
    shared: SharedSync,
    place: FeedPlace
  ) {
    self.feed = feed
    self.wish = wish
    self.tools = tools
    self.shared = shared
    self.place = place
    self.makesThumbnails = makesThumbnails
    keeper = ThumbnailKeeper(
      of: feed,
      wish: wish,
      subject: .madeThumbnail,
      tools: tools,
      shared: shared,
      store: tools.store.storeMade
    )
    share = ProgressShare(of: shared.progress, \.originals)
    failures = PictureFailures(tools)
    orders = PictureOrders(
      of: feed,
      wanted: { last throws(StoreError) in
        let limit = SyncLimits.ordersPerPage
        return try tools.store.originalOrders(feedID: feed.id, wish, after: last, limit: limit)
      },
      checks: tools.store.originalChecks
    )
  }

  /// What became of the thumbnails that were made meanwhile.
  var madeThumbnails: TransferCounts { keeper.counts }

  /// Has the progress count what is to be asked for, long before `run` begins with it.
  ///
  /// What cannot be looked up now is told of then.
  mutating func announce() {
    if let number = try? prepare(fetching: true) { share.settle(at: number) }
  }

  /// Counts what is wanted and, when `fetching`, fetches it and asks about what is due.
  mutating func run(fetching: Bool, note: (SyncProblem) -> Void) async {
    do {
      let number = try prepare(fetching: fetching)
      share.settle(at: number)
      guard number > 0 else { return }
    } catch {
      share.end()
      return note(.store(error, of: feed))
    }
    await place.take()
    await fetchAll(note: note)
    storeFailures(note: note)
    await keeper.end(note: note)
    share.end()
  }

  /// How many are to be asked for.
  private mutating func prepare(fetching: Bool) throws(StoreError) -> Int {
    let count = try tools.store.originalCount(feedID: feed.id, wish)
    counts.waiting = count.wanted
    counts.heldBack = count.failures
    guard fetching else { return 0 }
    orders.due = try tools.store.dueOriginals(feedID: feed.id, wish)[...]
    return count.offered + orders.due.count
  }

  private mutating func fetchAll(note: (SyncProblem) -> Void) async {
    let budget = shared.budget
    let fetcher = OriginalOrderFetcher(
      originals: tools.originals,
      reach: NetworkReach(feed.reach),
      fileFolder: feed.address.fileFolder,
      feedKey: feed.address.hashValue,
      budget: budget,
      progress: shared.progress,
      maker: maker
    )
    await fetchConcurrently(
      atOnce: SyncLimits.originalsAtOnce,
      next: { budget.isSpent ? nil : orders.next(note: note) },
      fetch: { await fetcher.fetch($0) },
      handle: { outcome in
        take(outcome, note: note)
        guard let thumbnail = outcome.thumbnail else { return }
        await keeper.take(thumbnail, note: note)
        await keeper.storeWhenIdle(note: note)
      }
    )
  }

  private var maker: ThumbnailMaker? {
    guard makesThumbnails, let imaging = tools.imaging else { return nil }
    return ThumbnailMaker(
      tools: tools,
      imaging: imaging,
      reach: NetworkReach(feed.reach),
      fileFolder: feed.address.fileFolder,
      feedKey: feed.address.hashValue,
      budget: shared.budget,
      progress: shared.progress
    )
  }

  private mutating func take(_ outcome: OriginalOrderFetcher.Outcome, note: (SyncProblem) -> Void) {
    bytes += outcome.wireBytes
    let wasWaiting = outcome.order.held == nil
    switch outcome.result {
    case .success(let fetched):
      // One that was only asked about counts when it has changed.
      if wasWaiting || fetched.wasDownloaded { counts.noteStored(wereWaiting: wasWaiting) }
    case .failure(let failure):
      guard !failure.isCancellation else { return }
      take(failure, of: outcome.order, note: note)
    }
    share.finishOne()
  }

  /// What the budget has no room for only waits.
  private mutating func take(
    _ failure: Failure,
    of order: PictureOrder,
    note: (SyncProblem) -> Void
  ) {
    guard failure != .overBudget else { return }
    if case .store(let error) = failure, error.endsWriting { orders.end() }
    failures.memory(of: failure, order).map { failed.append($0) }
    if failed.count >= SyncLimits.failuresPerBatch { storeFailures(note: note) }
    guard failures.isTold(failure, of: order) else { return }
    counts.noteFailed(wasWaiting: order.held == nil)
    note(SyncProblem(subject: .original, address: order.address, failure: failure))
  }

  private mutating func storeFailures(note: (SyncProblem) -> Void) {
    defer { failed = [] }
    do {
      if !failed.isEmpty { try tools.store.note(failed) }
    } catch {
      if error.endsWriting { orders.end() }
      note(.store(error, of: feed))
    }
  }
}
