import FoundationEssentials
import Models
import Workers

/// Brings the pictures of one kind of a feed up to date.
///
/// It requests wanted pictures, the newest first, asks about stored ones that are due, and stores the results in
/// batches. The store alone decides which pictures are wanted, so an interrupted sync continues where it stopped. See
/// `Documentation/Sync.md`.
struct PictureSync {
  let kind: PictureKind
  let feed: Feed
  private let filter: PictureFilter
  let tools: SyncTools
  let shared: SharedSync
  private let permit: FeedPermit
  /// The originals from which thumbnails are made, in phases; without meaning for other kinds.
  var phases: [PictureFilter.Originals]
  /// Whether stored pictures that are due are asked about.
  private let asksDue: Bool
  /// The budget of the originals.
  var budget: TransferBudget
  /// The images whose originals failed in this sync, and that get no thumbnail from them.
  var failedOriginals: Set<Int64> = []
  var keeper: PictureKeeper
  var wanted: WantedPictures
  private var count = PictureCount(offered: 0, heldBack: 0)
  /// Images whose pictures were fetched before `run`, and are due again at once.
  private var dueAgain: Set<Int64> = []
  /// Pictures that failed before `run`, with their addresses and the reasons.
  private var failedBefore: [Int64: (address: WebAddress, reason: String)] = [:]

  /// Creates the sync; with `fetchesOriginals`, it also makes thumbnails from originals that it fetches for that.
  ///
  /// With `leavesRefused`, it only counts the addresses that servers refuse.
  init(
    _ kind: PictureKind,
    of feed: Feed,
    _ filter: PictureFilter,
    fetchesOriginals: Bool = true,
    leavesRefused: Bool = false,
    tools: SyncTools,
    shared: SharedSync,
    permit: FeedPermit
  ) {
    self.kind = kind
    self.feed = feed
    self.filter = filter
    self.tools = tools
    self.shared = shared
    self.permit = permit
    phases = kind != .madeThumbnail ? [.all] : fetchesOriginals ? [.stored, .notStored] : [.stored]
    asksDue = phases != [.stored]
    budget = shared.budget
    keeper = PictureKeeper(
      kind,
      of: feed,
      filter,
      leavesRefused: leavesRefused,
      tools: tools,
      shared: shared
    )
    wanted = WantedPictures(kind, of: feed, filter, tools.store)
  }

  var counts: TransferCounts { keeper.counts }
  /// The pictures whose addresses servers refuse, and that were left to another attempt.
  var refused: Int { keeper.refused }
  /// Bytes that came over the wire.
  var bytes: Int { keeper.bytes }

  /// Adds the pictures to the progress long before `run` begins with them.
  ///
  /// An error of the store is reported by `run`.
  mutating func announce() async {
    guard kind != .madeThumbnail || tools.imaging != nil else { return }
    // The number includes thumbnails whose originals are stored first.
    if (try? await prepare()) != nil { keeper.share.settle(at: count.offered + wanted.due.count) }
  }

  /// Counts the wanted pictures; when `fetching`, requests them and asks about the due ones.
  ///
  /// - Parameters:
  ///   - fetching: Whether anything is requested.
  ///   - whenCounted: Called as soon as the progress has all pictures to request.
  ///   - made: Takes the thumbnails that are made from originals while these are fetched.
  ///   - note: Called with each failure to report.
  mutating func run(
    fetching: Bool,
    whenCounted: () -> Void = {},
    made: (PictureOutcome) async -> Void = { _ in },
    note: (SyncProblem) -> Void
  ) async {
    await keeper.storeAll(note: note)
    do throws(StoreError) {
      var offered = 0
      if fetching { offered = try await prepareToFetch() } else { try await lookUp() }
      keeper.share.settle(at: offered + wanted.due.count)
      whenCounted()
      if offered + wanted.due.count > 0, await isReady(toMake: offered, note: note) {
        await permit.take()
        await fetchAll(made: made, note: note)
      }
    } catch {
      note(.store(error, of: feed))
    }
    await keeper.end(note: note)
  }

  // MARK: Wanted pictures

  private mutating func lookUp() async throws(StoreError) {
    count = try await tools.store.count(of: kind, feedID: feed.id, filter)
    // Pictures that failed before in this sync are still wanted.
    keeper.counts.waiting = max(0, count.wanted - keeper.counts.failed)
    keeper.counts.heldBack = heldBack()
  }

  /// Finds the due pictures before anything is fetched, so that no picture is requested twice.
  private mutating func prepare() async throws(StoreError) {
    try await lookUp()
    guard !filter.all, asksDue else { return }
    let due = try await tools.store.due(kind, feedID: feed.id, filter)
    wanted.due = due.filter { !dueAgain.contains($0) }[...]
  }

  /// Returns the number of pictures to request, without those that are due.
  private mutating func prepareToFetch() async throws(StoreError) -> Int {
    try await prepare()
    guard kind == .madeThumbnail else { return count.offered }
    guard tools.imaging != nil else {
      wanted.due = []
      return 0
    }
    // Most feeds name all of their thumbnails.
    guard keeper.counts.waiting > 0 else { return 0 }
    var offered = 0
    for originals in phases {
      let filter = filter.from(originals)
      offered += try await tools.store.count(of: kind, feedID: feed.id, filter).offered
    }
    return offered
  }

  /// The failures of earlier syncs; those of this sync are reported one by one.
  private func heldBack() -> [FailureGroup] {
    var now: [String: Int] = [:]
    for failure in failedBefore.values { now[failure.reason, default: 0] += 1 }
    return count.failures.compactMap { group in
      var earlier = group
      earlier.count -= now[group.reason] ?? 0
      return earlier.count > 0 ? earlier : nil
    }
  }

  /// Whether fetching may begin; without a decoder, no original is fetched for a made thumbnail.
  private mutating func isReady(toMake offered: Int, note: (SyncProblem) -> Void) async -> Bool {
    guard kind == .madeThumbnail, offered > 0, let imaging = tools.imaging else { return true }
    do throws(ImagingError) {
      try await imaging.prepare()
      return true
    } catch {
      if error != .cancelled { note(.noDecoder(error, for: feed)) }
      return false
    }
  }

  // MARK: Fetching

  private mutating func fetchAll(
    made: (PictureOutcome) async -> Void,
    note: (SyncProblem) -> Void
  ) async {
    guard kind != .thumbnail else { return await fetchThumbnails(note: note) }
    let due = wanted.due
    for originals in phases {
      wanted = WantedPictures(kind, of: feed, filter.from(originals), tools.store)
      if originals != .stored { wanted.due = due }
      await fetchOriginals(originals, made: made, note: note)
      // A thumbnail that was made from a stored original must not be offered a second time.
      await keeper.storeAll(note: note)
    }
  }

  private mutating func fetchThumbnails(
    following news: AsyncStream<Void>? = nil,
    note: (SyncProblem) -> Void
  ) async {
    let isAhead = news != nil
    let fetcher = ThumbnailFetcher(
      origin: feed.origin,
      tools: tools,
      largeOnes: shared.largeThumbnails,
      signs: shared.signs
    )
    var fetching = ThumbnailFetching(fetcher, atOnce: SyncLimits.thumbnailsAtOnce)
    await fetching.run(
      following: news,
      next: { isAhead ? await nextAhead(note: note) : await next(note: note) },
      renew: { isIdle in await renewWanted(isIdle: isIdle, note: note) },
      handle: { outcome in
        if isAhead { noteBefore(outcome) }
        await keeper.take(outcome, note: note)
      }
    )
    await replaceSigns(note: note) { await fetcher.ask($0) }
  }

  /// Replaces the signs that were stored before it was known that they are signs, and remembers the `Referer` field.
  mutating func replaceSigns(
    note: (SyncProblem) -> Void,
    ask: (WantedPicture) async -> PictureOutcome
  ) async {
    let masked = kind == .original ? [] : shared.signs.takeMasked(of: feed.origin)
    guard let referer = masked.first?.referer else { return }
    await keeper.storeAll(note: note)
    for picture in masked where !keeper.isEnded && !Task.isCancelled {
      var outcome = await ask(picture)
      if case .new(let thumbnail) = outcome.result { outcome.result = .changed(thumbnail) }
      await keeper.take(outcome, note: note)
    }
    await remember(referer, note: note)
  }

  /// Replaces the originals that were stored before it was known that they are signs.
  mutating func replaceMaskedOriginals(note: (SyncProblem) -> Void) async {
    let masked = shared.signs.takeMaskedOriginals(of: feed.origin)
    guard let referer = masked.first?.wanted.referer else { return }
    // Those that had no room have ended the keeper; a sign is replaced nevertheless.
    keeper.goOn()
    for (wanted, sign) in masked where !keeper.isEnded && !Task.isCancelled {
      guard let outcome = await originalFetcher.replace(sign, of: wanted) else { continue }
      await keeper.take(outcome, note: note)
    }
    await remember(referer, note: note)
  }

  private func remember(_ referer: PictureReferer, note: (SyncProblem) -> Void) async {
    do throws(StoreError) {
      try await tools.store.set(referer, ofFeed: feed.id)
    } catch {
      note(.store(error, of: feed))
    }
  }

  /// Stores everything that has arrived.
  mutating func storeAll(note: (SyncProblem) -> Void) async { await keeper.storeAll(note: note) }

  /// The next picture to request that has not failed before in this sync.
  private mutating func next(note: (SyncProblem) -> Void) async -> WantedPicture? {
    while !keeper.isEnded, let picture = await wanted.next(note: note) {
      if failedBefore[picture.imageID]?.address != picture.address { return picture }
    }
    return nil
  }

  private mutating func noteBefore(_ outcome: PictureOutcome) {
    let id = outcome.wanted.imageID
    if case .failed(let failure) = outcome.result {
      failedBefore[id] = (outcome.wanted.address, tools.wording(failure))
    }
    // The store keeps whole seconds.
    guard let date = outcome.thumbnail?.checkDate, date < filter.now + 1 else { return }
    dueAgain.insert(id)
  }

  // MARK: Before run

  /// Takes a thumbnail that was made while its original was fetched.
  mutating func take(_ outcome: PictureOutcome, note: (SyncProblem) -> Void) async {
    noteBefore(outcome)
    await keeper.take(outcome, note: note)
    await keeper.storeWhenIdle(note: note)
  }

  /// Fetches the thumbnails that are wanted so far, and those that `news` announces, while documents are still read.
  ///
  /// `run` continues from there. Most documents name the newest images first, so later images come next in the order of
  /// fetching. An image that belongs elsewhere in the order is found when no request is under way. Then fetching begins
  /// again with the newest images, and the thumbnails that are stored are not wanted any more.
  mutating func runAhead(following news: AsyncStream<Void>, note: (SyncProblem) -> Void) async {
    await beginAgain(note: note)
    await fetchThumbnails(following: news, note: note)
    await beginAgain(note: note)
  }

  /// Stores everything that has arrived, so that from here on only pictures that are still wanted are requested.
  private mutating func beginAgain(note: (SyncProblem) -> Void) async {
    await keeper.storeAll(note: note)
    wanted = WantedPictures(kind, of: feed, filter, tools.store)
  }

  private mutating func renewWanted(isIdle: Bool, note: (SyncProblem) -> Void) async {
    if isIdle { await beginAgain(note: note) } else { wanted.goOn() }
  }

  /// The next picture while the total is unknown; pictures that are read from the store are added to the progress.
  private mutating func nextAhead(note: (SyncProblem) -> Void) async -> WantedPicture? {
    let before = wanted.number
    let picture = await next(note: note)
    keeper.share.announce(wanted.number - before)
    return picture
  }
}
