import FoundationEssentials
import Models
import Workers

/// One feed's part of a sync: its document, its thumbnails, its originals, its summary.
///
/// It holds the feed's lock from before the document is requested until all of its data is on the disk. A dry run takes
/// no lock, writes nothing, and counts the pictures that it would fetch.
struct FeedSync {
  let item: FeedQueue.Item
  let plan: SyncPlan
  let tools: SyncTools
  let shared: SharedSync
  let permit: FeedPermit
  /// The gallery, if the address is that of a gallery's changes or tree; nil for any other address.
  let gallery: GalleryAddress?
  let start = ContinuousClock.now
  var summary: FeedSyncSummary
  /// The thumbnails that are fetched while the documents are read; nil until the first is fetched.
  var ahead: PictureSync?
  /// The pictures that a dry run would fetch in addition to those that were wanted before.
  var wanted = WantedCounts()
  /// Whether addresses that servers refuse are left until the documents are read, which this sync has not done.
  var leavesRefused = false
  /// The pictures with such addresses.
  var refused = 0
  /// Whether the progress has counted all of its pictures.
  private var isCounted = false

  init(_ item: FeedQueue.Item, plan: SyncPlan, tools: SyncTools, shared: SharedSync) {
    self.item = item
    self.plan = plan
    self.tools = tools
    self.shared = shared
    permit = FeedPermit(of: shared.readers)
    gallery = GalleryAddress(item.address)
    let address = gallery?.base ?? item.address
    summary = FeedSyncSummary(address: address, status: .failed, isDryRun: plan.isDryRun)
  }

  /// Whether the sync asks for it as one of the followed feeds.
  var isFollowed: Bool { plan.isEveryFeed && item.pointers == 0 }

  private var isListed: Bool { item.source != nil }

  /// Syncs the feed, and reports the facts.
  ///
  /// It is silent if it was stopped before there was anything to report, or if this sync has begun the feed already.
  mutating func run() async -> FeedSyncResult {
    if isLeftOut { return .leftOut }
    defer {
      permit.release()
      shared.settle(summary.address)
    }
    var lock: FeedLock?
    var formerLock: FeedLock?
    defer {
      formerLock?.release()
      lock?.release()
    }
    do throws(Failure) {
      // A followed feed is looked up once it is locked.
      var known =
        isFollowed && !plan.isDryRun ? nil : try await tools.knownFeed(at: summary.address)
      if known == nil, !isFollowed { known = try await takeKnownPath() }
      take(known)
      guard shared.begin(summary.address) else { return .done }
      // A new feed is certain to be read, so it waits for its turn before it is locked or requested.
      if known == nil, !isFollowed { await permit.take() }
      if Task.isCancelled { return .done }
      if isLeftOut { return .leftOut }
      if !plan.isDryRun {
        (lock, summary.address, known) = try await lockFeed(at: summary.address)
        take(known)
        formerLock = try await lockFormer(besides: known)
      }
      return await sync(known)
    } catch {
      // A watch leaves the feed to the process that has the lock.
      if plan.isWatching, case .locked = error { return .locked }
      await fail(error)
      return .done
    }
  }

  /// Whether a list names it, and the feeds of lists have reached their common limit.
  private var isLeftOut: Bool {
    isListed && shared.listed.withLock { plan.bounds.bound(onListed: $0) } != nil
  }

  private mutating func take(_ known: Feed?) {
    guard let known else { return }
    shared.settle(item.address)
    summary.feed = known
    // A feed that is named by https is requested by https; any other by its stored address.
    if !summary.address.secures(known.address) { summary.address = known.address }
    summary.images.total = known.documentImageCount
  }

  /// Reports a feed that could not be synced.
  private mutating func fail(_ failure: Failure) async {
    if failure.isCancellation { return }
    if summary.feed == nil { take(try? await tools.knownFeed(at: summary.address)) }
    note(SyncProblem(subject: .feed, address: summary.address, failure: failure))
    tell()
  }

  private mutating func sync(_ known: Feed?) async -> FeedSyncResult {
    if let result = reasonNotToSync(known) { return result }
    if let gallery = known?.gallery { return pointer(to: gallery) }
    if let gallery = try? await self.gallery(known) { return await mirror(gallery, known) }
    if !isFollowed, known != nil, !canBeRead {
      shared.teller.yield(.notice(.readFromPipe(summary.address)))
    }
    let document = await syncDocument(known)
    if document.wasStoppedBeforeAnswer { return .done }
    if let gallery = document.gallery {
      if gallery.base.identity == summary.address.identity { return await mirror(gallery, known) }
      return pointer(to: gallery.address)
    }
    if let feeds = document.feeds { return await point(to: feeds, document, known) }
    if let former = plan.formerGallery, document.status != .failed {
      shared.teller.yield(.notice(.notTakenOver(former: former, by: summary.address)))
    }
    let isEmpty = summary.images.total == 0 && summary.status != .failed
    if known == nil, isEmpty, summary.problems.isEmpty {
      shared.teller.yield(.notice(.empty(summary.address)))
    }
    if known == nil, summary.address.isFolder, summary.status != .failed { await tellOverlaps() }
    leavesRefused =
      !document.wasRead && document.status != .failed && canBeRead && !plan.isDryRun
    await syncPictures(ofDocumentOf: document.feed)
    if refused > 0, let known { await syncAgain(known) }
    return await end()
  }

  /// The result for a feed that this sync does not ask for; nil for one that it does.
  private func reasonNotToSync(_ known: Feed?) -> FeedSyncResult? {
    // A followed feed that was removed in the meantime must not come back.
    if isFollowed, known == nil { return .done }
    if isFollowed, known?.isPaused == true { return .paused }
    if plan.isWatching, let known, !known.isDue(at: tools.now()),
      !plan.changedFolders.contains(known.address)
    {
      return .done
    }
    return nil
  }

  private mutating func syncPictures(ofDocumentOf feed: Feed?) async {
    if let feed, !plan.isDryRun { await keepNewest(of: feed) }
    if let feed, !summary.isUnknown, await wantsPictures(of: feed) {
      await syncPictures(of: feed)
    }
    summary.thumbnails.waiting += wanted.thumbnails
    if fetchesOriginals, plan.isDryRun { await countDeclaredBytes(of: feed) }
  }

  /// Ends once all data is on the disk; a feed that stored nothing is reported later, together with others.
  mutating func end() async -> FeedSyncResult {
    noteCounted()
    if !plan.isDryRun, summary.hasStoredNothing {
      summary.duration = ContinuousClock.now - start
      return .unflushed(summary)
    }
    if !plan.isDryRun { await flush() }
    tell()
    return .done
  }

  /// Reads the documents of a feed after all, and fetches pictures from the addresses that these name now.
  ///
  /// If the server does not send them, the feed stays as this sync has found it, and the refused pictures fail.
  private mutating func syncAgain(_ known: Feed) async {
    let first = summary
    leavesRefused = false
    let document = await readDocument(known, anew: true)
    if document.wasStoppedBeforeAnswer { return }
    if document.wasRead { take(document, of: known) }
    summary.bytes = first.bytes + document.bytes
    await syncPictures(ofDocumentOf: summary.feed)
    for kind in [\FeedSyncSummary.thumbnails, \.originals] {
      summary[keyPath: kind].stored += first[keyPath: kind].stored
      summary[keyPath: kind].failed += first[keyPath: kind].failed
      summary[keyPath: kind].doubtful.insert(contentsOf: first[keyPath: kind].doubtful, at: 0)
    }
  }

  private mutating func syncDocument(_ known: Feed?) async -> DocumentSync.Result {
    let document = await readDocument(known, anew: plan.readsAnew)
    take(document, of: known)
    return document
  }

  /// Takes over the result of reading the documents, and reports its problems.
  private mutating func take(_ document: DocumentSync.Result, of known: Feed?) {
    if isListed { shared.listed.withLock { $0 += document.cost } }
    summary.feed = document.feed
    summary.isUnknown = plan.isDryRun && known == nil
    summary.status = document.status
    summary.images = document.images
    // A dry run adds no images, so it has no new ids.
    summary.newIDs = plan.isDryRun ? [] : document.newIDs
    summary.bytes = document.bytes
    wanted = document.wanted
    if !plan.isDryRun { summary.address = document.feed?.address ?? summary.address }
    for problem in document.problems { note(problem) }
    if let former = document.formerAddress, !plan.isDryRun {
      shared.teller.yield(.notice(.moved(from: former, to: summary.address)))
    }
  }

  /// Reads the documents, and fetches thumbnails at the same time.
  private mutating func readDocument(_ known: Feed?, anew: Bool) async -> DocumentSync.Result {
    if let known, !anew, !isDue(known) {
      let status: Feed.Status = known.hasNeverAnswered ? .failed : .unchanged
      var result = DocumentSync.Result(feed: known, status: status)
      result.images.total = known.documentImageCount
      if known.isList { await result.takeListed(from: tools.store, known) }
      return result
    }
    var plan = plan
    plan.readsAnew = anew
    let arrivals = DocumentArrivals()
    let sync = DocumentSync(
      of: summary.address,
      known: known,
      givenReach: item.reach,
      listDepth: depth(known),
      isNamed: !isListed && !plan.isEveryFeed,
      plan: plan,
      tools: tools,
      arrivals: arrivals,
      permit: permit,
      shared: shared
    )
    async let document = sync.run()
    await fetchThumbnails(of: arrivals)
    return await document
  }

  /// Whether its document can be read: the content of a pipe exists only in the sync that reads the pipe.
  private var canBeRead: Bool { !summary.address.isPiped || plan.piped.contains(summary.address) }

  /// Whether to request the document; a date later than the longest pause comes from a wrong clock.
  private func isDue(_ feed: Feed) -> Bool {
    guard canBeRead else { return false }
    let isPatient = isFollowed && !plan.isForced && !plan.isWatching
    guard isPatient, let next = feed.nextSync else { return true }
    let wait = next.timeIntervalSince(tools.now())
    return wait <= 0 || wait > SyncLimits.longestPause
  }

  mutating func flush() async {
    do {
      try await tools.store.flush()
    } catch {
      summary.status = .failed
      note(SyncProblem(subject: .feed, address: summary.address, failure: .store(error)))
    }
  }

  /// Counts the feed, once, as a feed whose pictures are all in the progress.
  mutating func noteCounted() {
    if !isCounted { shared.progress.update { $0.feedsCounted += 1 } }
    isCounted = true
  }

  /// Counts the feed as done, after `run`.
  mutating func noteDone() {
    noteCounted()
    shared.progress.update { $0.feeds.done += 1 }
  }

  /// Reports a problem; one with the feed as a whole, or with its store, is reported only once.
  mutating func note(_ problem: SyncProblem) {
    if problem.subject == .feed, summary.problems.contains(problem) { return }
    summary.problems.append(problem)
    shared.teller.yield(.problem(problem))
  }

  mutating func tell() {
    summary.duration = ContinuousClock.now - start
    shared.tell(summary)
  }
}
