import Models

/// Makes the thumbnails that a feed does not name from its images' originals, newest first: first of
/// those that are stored, then of those that are fetched for it, as far as the run's budget goes.
///
/// What is fetched is asked about again as a thumbnail is, since it is one of the feed's pictures that
/// changes under its address.
struct MadeThumbnailSync {
  private let feed: Feed
  private let wish: PictureWish
  private let tools: SyncTools
  private let shared: SharedSync
  private let place: FeedPlace
  /// How many could not be made in this sync already.
  var failedBefore = 0
  private let sources: [MadeThumbnailOriginals]
  private var keeper: ThumbnailKeeper
  private var due: [Int64] = []

  /// - Parameters:
  ///   - feed: The feed.
  ///   - wish: What is wanted.
  ///   - isFetching: Whether originals are fetched; else only stored ones are used.
  ///   - tools: What a sync works with.
  ///   - shared: What the feeds of the sync share.
  ///   - place: The feed's place among those whose pictures are fetched.
  init(
    feed: Feed,
    wish: PictureWish,
    isFetching: Bool,
    tools: SyncTools,
    shared: SharedSync,
    place: FeedPlace
  ) {
    self.feed = feed
    self.wish = wish
    self.tools = tools
    self.shared = shared
    self.place = place
    sources = isFetching ? [.stored, .notStored] : [.stored]
    keeper = ThumbnailKeeper(
      of: feed,
      wish: wish,
      subject: .madeThumbnail,
      tools: tools,
      shared: shared,
      store: tools.store.storeMade
    )
  }

  var counts: TransferCounts { keeper.counts }
  /// Bytes that came over the wire.
  var bytes: Int { keeper.bytes }

  /// Has the progress count what is to be made, long before `run` begins with it.
  ///
  /// What cannot be looked up now is told of then.
  mutating func announce() {
    guard tools.imaging != nil, (try? prepare(making: true)) != nil else { return }
    // Those whose originals are to be stored first, too.
    let all = try? tools.store.unmadeCount(feedID: feed.id, from: .all, wish)
    keeper.settle(at: (all?.offered ?? 0) + due.count)
  }

  /// Counts what is to be made and, when `making`, makes it and asks about what is due.
  mutating func run(making: Bool, note: (SyncProblem) -> Void) async {
    do {
      let offered = try prepare(making: making)
      keeper.settle(at: tools.imaging == nil ? 0 : offered + due.count)
      guard let imaging = tools.imaging, offered + due.count > 0 else { return }
      if offered > 0 {
        guard await isReady(imaging, note: note) else { return keeper.settle(at: 0) }
      }
      await place.take()
      await makeAll(with: imaging, note: note)
    } catch {
      note(.store(error, of: feed))
    }
    await keeper.end(note: note)
  }

  /// How many are to be made.
  private mutating func prepare(making: Bool) throws(StoreError) -> Int {
    let store = tools.store
    let all = try store.unmadeCount(feedID: feed.id, from: .all, wish)
    keeper.counts.waiting = max(0, all.wanted - failedBefore)
    // Those that have failed in this sync have been told.
    keeper.counts.heldBack = failedBefore == 0 ? all.failures : []
    guard making else { return 0 }
    if !wish.all, sources.contains(.notStored) {
      due = try store.dueMadeThumbnails(feedID: feed.id, wish)
    }
    // Most feeds name all their thumbnails, and leave nothing to be asked about any further.
    guard keeper.counts.waiting > 0 else { return 0 }
    var offered = 0
    for source in sources {
      offered += try store.unmadeCount(feedID: feed.id, from: source, wish).offered
    }
    return offered
  }

  /// Without a decoder nothing is fetched for it.
  private func isReady(
    _ imaging: any ImageDecoding,
    note: (SyncProblem) -> Void
  ) async -> Bool {
    do throws(ImagingError) {
      try await imaging.prepare()
      return true
    } catch {
      if error != .cancelled { note(.noDecoder(error, for: feed)) }
      return false
    }
  }

  private mutating func makeAll(
    with imaging: any ImageDecoding,
    note: (SyncProblem) -> Void
  ) async {
    let maker = ThumbnailMaker(
      tools: tools,
      imaging: imaging,
      reach: NetworkReach(feed.reach),
      fileFolder: feed.address.fileFolder,
      feedKey: feed.address.hashValue,
      budget: shared.budget,
      progress: shared.progress
    )
    for source in sources {
      await make(from: source, with: maker, note: note)
      // What has been made of a stored original is not to be offered a second time.
      await keeper.storeAll(note: note)
    }
  }

  private mutating func make(
    from source: MadeThumbnailOriginals,
    with maker: ThumbnailMaker,
    note: (SyncProblem) -> Void
  ) async {
    var orders = orders(from: source)
    if source == .notStored { orders.due = due[...] }
    let budget = shared.budget
    await fetchConcurrently(
      atOnce: SyncLimits.originalsAtOnce,
      next: {
        guard !keeper.isEnded, source == .stored || !budget.isSpent else { return nil }
        return orders.next(note: note)
      },
      fetch: { await maker.make($0) },
      handle: { await keeper.take($0, note: note) }
    )
  }

  private func orders(from source: MadeThumbnailOriginals) -> PictureOrders {
    let (store, feedID, wish) = (tools.store, feed.id, self.wish)
    return PictureOrders(
      of: feed,
      wanted: { last throws(StoreError) in
        let limit = SyncLimits.ordersPerPage
        return try store.unmadeOrders(
          feedID: feedID,
          from: source,
          wish,
          after: last,
          limit: limit
        )
      },
      checks: store.madeThumbnailChecks
    )
  }
}
