import FoundationEssentials
import Models

/// Fetches the thumbnails that a feed's images want, many at once, asks about stored ones that are
/// due, and keeps what came of it in batches.
struct ThumbnailSync {
  private let feed: Feed
  private let wish: PictureWish
  private let tools: SyncTools
  private let turnstile: Turnstile
  private let place: FeedPlace
  private var keeper: ThumbnailKeeper
  private var orders: PictureOrders
  /// The images whose thumbnails have come before all documents were read, and are due again at once.
  private var dueAfterAhead: Set<Int64> = []
  /// Those that could not be had then: under which addresses, and why.
  private var failedAhead: [Int64: (address: WebAddress, reason: String)] = [:]

  init(
    feed: Feed,
    wish: PictureWish,
    tools: SyncTools,
    shared: SharedSync,
    place: FeedPlace
  ) {
    self.feed = feed
    self.wish = wish
    self.tools = tools
    turnstile = shared.turnstile
    self.place = place
    keeper = ThumbnailKeeper(
      of: feed,
      wish: wish,
      subject: .thumbnail,
      tools: tools,
      shared: shared,
      store: tools.store.store
    )
    orders = Self.orders(of: feed, wish, tools.store)
  }

  private static func orders(
    of feed: Feed,
    _ wish: PictureWish,
    _ store: any SyncStoring
  ) -> PictureOrders {
    PictureOrders(
      of: feed,
      wanted: { last throws(StoreError) in
        let limit = SyncLimits.ordersPerPage
        return try store.thumbnailOrders(feedID: feed.id, wish, after: last, limit: limit)
      },
      checks: store.thumbnailChecks
    )
  }

  var counts: TransferCounts { keeper.counts }
  /// Bytes that came over the wire.
  var bytes: Int { keeper.bytes }

  /// Counts what is wanted and, when `fetching`, fetches it and asks about what is due.
  ///
  /// - Parameters:
  ///   - fetching: Whether anything is asked for.
  ///   - whenCounted: Is called as soon as the progress has all that is asked for.
  ///   - note: Hears of what cannot be had.
  mutating func run(
    fetching: Bool,
    whenCounted: () -> Void,
    note: (SyncProblem) -> Void
  ) async {
    do {
      let number = try prepare(fetching: fetching)
      keeper.announce(number)
      whenCounted()
      if number > 0 {
        await place.take()
        await fetchAll(note: note)
      }
    } catch {
      note(.store(error, of: feed))
    }
    await keeper.end(note: note)
  }

  /// Fetches what is wanted of the images that are stored so far, and then what news tells of, while the
  /// feed's documents are still read; `run` goes on from there.
  ///
  /// Most documents name the newest first, so that what they bring meanwhile comes next in the order of
  /// fetching. Wherever else it belongs, it is found once nothing is under way, when the newest come first
  /// again: what has been fetched is stored by then, and wanted no more.
  mutating func runAhead(following news: AsyncStream<Void>, note: (SyncProblem) -> Void) async {
    await beginAnew(note: note)
    await fetchAll(following: news, note: note)
    await beginAnew(note: note)
  }

  /// Stores what has come, so that only what is still wanted is asked for from here on.
  private mutating func beginAnew(note: (SyncProblem) -> Void) async {
    await keeper.storeAll(note: note)
    orders = Self.orders(of: feed, wish, tools.store)
  }

  private mutating func renewOrders(isIdle: Bool, note: (SyncProblem) -> Void) async {
    if isIdle { await beginAnew(note: note) } else { orders.goOn() }
  }

  /// How many are to be asked for.
  ///
  /// What is due is known before anything is fetched, so that nothing is asked for twice.
  private mutating func prepare(fetching: Bool) throws(StoreError) -> Int {
    let count = try tools.store.thumbnailCount(feedID: feed.id, wish)
    // What has failed ahead is still wanted.
    keeper.counts.waiting = max(0, count.wanted - keeper.counts.failed)
    keeper.counts.heldBack = heldBack(count)
    guard fetching else { return 0 }
    if !wish.all {
      let due = try tools.store.dueThumbnails(feedID: feed.id, wish)
      orders.due = due.filter { !dueAfterAhead.contains($0) }[...]
    }
    return count.offered + orders.due.count
  }

  /// Those that failed in an earlier sync; what has failed in this one is told by itself.
  private func heldBack(_ count: PictureCount) -> [FailureGroup] {
    var now: [String: Int] = [:]
    for failure in failedAhead.values { now[failure.reason, default: 0] += 1 }
    return count.failures.compactMap { group in
      var earlier = group
      earlier.count -= now[group.reason] ?? 0
      return earlier.count > 0 ? earlier : nil
    }
  }

  /// The next order, of what has not failed before in this sync.
  private mutating func nextOrder(note: (SyncProblem) -> Void) -> PictureOrder? {
    while !keeper.isEnded, let order = orders.next(note: note) {
      if failedAhead[order.imageID]?.address != order.address { return order }
    }
    return nil
  }

  /// The next order while nobody knows how many there will be: those that are read from the store are
  /// added to the progress.
  private mutating func nextAhead(note: (SyncProblem) -> Void) -> PictureOrder? {
    let before = orders.number
    let order = nextOrder(note: note)
    keeper.announce(orders.number - before)
    return order
  }

  private mutating func noteAhead(_ outcome: ThumbnailOutcome) {
    let id = outcome.order.imageID
    if case .failed(let failure) = outcome.result {
      failedAhead[id] = (outcome.order.address, tools.wording(failure))
    }
    // The store keeps whole seconds.
    guard let date = outcome.checkDate, date < wish.now + 1 else { return }
    dueAfterAhead.insert(id)
  }

  private mutating func fetchAll(
    following news: AsyncStream<Void>? = nil,
    note: (SyncProblem) -> Void
  ) async {
    let isAhead = news != nil
    let fetcher = ThumbnailFetcher(
      tools: tools,
      reach: NetworkReach(feed.reach),
      fileFolder: feed.address.fileFolder,
      feedKey: feed.address.hashValue,
      turnstile: turnstile
    )
    var fetching = ThumbnailFetching(fetcher, atOnce: SyncLimits.thumbnailsAtOnce)
    await fetching.run(
      following: news,
      next: { isAhead ? nextAhead(note: note) : nextOrder(note: note) },
      renew: { isIdle in await renewOrders(isIdle: isIdle, note: note) },
      handle: { outcome in
        if isAhead { noteAhead(outcome) }
        await keeper.take(outcome, note: note)
      }
    )
  }
}
