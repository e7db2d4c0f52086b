import Models

/// Fetches the thumbnails that a feed's images want, many at once, asks about stored ones that are
/// due, and keeps what came of it in batches.
struct ThumbnailSync {
  private let feed: Feed
  private let wish: PictureWish
  private let tools: SyncTools
  private let turnstile: Turnstile
  private var keeper: ThumbnailKeeper
  private var orders: PictureOrders

  init(feed: Feed, wish: PictureWish, tools: SyncTools, shared: SharedSync) {
    self.feed = feed
    self.wish = wish
    self.tools = tools
    turnstile = shared.turnstile
    keeper = ThumbnailKeeper(
      of: feed,
      wish: wish,
      subject: .thumbnail,
      tools: tools,
      shared: shared,
      store: tools.store.store
    )
    orders = PictureOrders(
      of: feed,
      wanted: { last throws(StoreError) in
        let limit = SyncLimits.ordersPerPage
        return try tools.store.thumbnailOrders(feedID: feed.id, wish, after: last, limit: limit)
      },
      checks: tools.store.thumbnailChecks
    )
  }

  var counts: TransferCounts { keeper.counts }
  /// Bytes that came over the wire.
  var bytes: Int { keeper.bytes }

  /// Counts what is wanted and, when `fetching`, fetches it and asks about what is due.
  mutating func run(fetching: Bool, note: (SyncProblem) -> Void) async {
    do {
      let number = try prepare(fetching: fetching)
      guard number > 0 else { return }
      keeper.announce(number)
    } catch {
      return note(.store(error, of: feed))
    }
    await fetchAll(note: note)
    await keeper.end(note: note)
  }

  /// How many are to be asked for.
  ///
  /// What is due is known before anything is fetched, so that nothing is asked for twice.
  private mutating func prepare(fetching: Bool) throws(StoreError) -> Int {
    let count = try tools.store.thumbnailCount(feedID: feed.id, wish)
    keeper.counts.waiting = count.wanted
    guard fetching else { return 0 }
    if !wish.all { orders.due = try tools.store.dueThumbnails(feedID: feed.id, wish)[...] }
    return count.offered + orders.due.count
  }

  private mutating func fetchAll(note: (SyncProblem) -> Void) async {
    let fetcher = ThumbnailFetcher(
      tools: tools,
      reach: NetworkReach(feed.reach),
      fileFolder: feed.address.fileFolder,
      turnstile: turnstile
    )
    await fetchConcurrently(
      atOnce: SyncLimits.thumbnailsAtOnce,
      next: { keeper.isEnded ? nil : orders.next(note: note) },
      fetch: { await fetcher.fetch($0) },
      handle: { await keeper.take($0, note: note) }
    )
  }
}
