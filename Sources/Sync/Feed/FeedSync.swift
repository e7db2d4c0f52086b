import FoundationEssentials
import Models
import Workers

/// One feed's part of a sync: its document, its thumbnails, its originals, its summary.
///
/// It has the feed's lock from before the document is asked for until all that it stored is on the
/// disk. A dry run takes no lock, writes nothing, and counts the pictures that it would fetch.
struct FeedSync {
  let plan: SyncPlan
  /// Whether it was asked for as one of those that are followed.
  private let isFollowed: Bool
  /// How far its content may lead, when that does not depend on its address.
  let reach: FeedReach?
  /// The gallery whose changes or tree its address is; nil for any other address.
  let gallery: GalleryAddress?
  /// How many documents stand between it and what the user has named.
  let pointers: Int
  private let isListed: Bool
  let tools: SyncTools
  let shared: SharedSync
  let permit: FeedPermit
  private let start = ContinuousClock.now
  var summary: FeedSyncSummary
  /// The thumbnails that are fetched while the documents are read; nil before the first.
  var ahead: PictureSync?
  /// The pictures that a dry run would fetch besides those that were wanted before.
  var wanted = WantedCounts()
  /// Whether the progress has all of its pictures.
  private var isCounted = false

  init(_ item: FeedQueue.Item, plan: SyncPlan, tools: SyncTools, shared: SharedSync) {
    self.plan = plan
    isFollowed = plan.isEveryFeed && item.pointers == 0
    reach = item.reach
    pointers = item.pointers
    isListed = item.source != nil
    self.tools = tools
    self.shared = shared
    permit = FeedPermit(of: shared.readers)
    gallery = GalleryAddress(item.address)
    let address = gallery?.base ?? item.address
    summary = FeedSyncSummary(address: address, status: .failed, isDryRun: plan.isDryRun)
  }

  /// Does it, and tells the facts; silent when it was stopped before there was anything to tell, and
  /// for a feed that this sync has taken on already.
  mutating func run() async -> FeedSyncResult {
    if isLeftOut { return .leftOut }
    defer { permit.release() }
    var lock: FeedLock?
    defer { lock?.release() }
    do throws(Failure) {
      // One that is followed is looked up once it is locked.
      var known =
        isFollowed && !plan.isDryRun ? nil : try await tools.knownFeed(at: summary.address)
      take(known)
      guard shared.begin(summary.address) else { return .done }
      // A new one is sure to be read: until its turn it is neither locked nor asked for.
      if known == nil, !isFollowed { await permit.take() }
      if Task.isCancelled { return .done }
      if isLeftOut { return .leftOut }
      if !plan.isDryRun {
        (lock, summary.address, known) = try await lockFeed(at: summary.address)
        take(known)
      }
      return await sync(known)
    } catch {
      // A watch leaves the feed to the process that has it.
      if plan.isWatching, case .locked = error { return .done }
      await fail(error)
      return .done
    }
  }

  /// Locks a feed under the address that it is stored under once no other sync holds it: another
  /// process may have given it a new one meanwhile.
  ///
  /// - Returns: The lock, the address, and the feed as it is since; nil when it is not followed.
  /// - Throws: when it was asked to stop, when the other takes too long, and when the library
  ///   cannot be read or written.
  private func lockFeed(
    at address: WebAddress
  ) async throws(Failure) -> (FeedLock, WebAddress, Feed?) {
    var stored = address
    while true {
      let lock = try await waitForLock(of: stored)
      let known = try await tools.knownFeed(at: stored)
      guard let current = known?.address, current.identity != stored.identity else {
        return (lock, stored, known)
      }
      lock.release()
      stored = current
    }
  }

  /// Waits for another process that has the lock, but not for ever; a watch does not wait.
  private func waitForLock(of address: WebAddress) async throws(Failure) -> FeedLock {
    var holder: LockHolder?
    for attempt in 0..<SyncLimits.lockTries {
      switch try await Failure.ofStore(await tools.store.lockFeed(at: address, now: tools.now())) {
      case .taken(let lock): return lock
      case .held(let process): holder = process
      }
      if plan.isWatching { throw .locked(by: holder) }
      if attempt == 0 { shared.teller.yield(.notice(.waiting(for: holder, feed: address))) }
      guard (try? await tools.pause(SyncLimits.lockRetry)) != nil else { throw .interrupted }
    }
    throw .locked(by: holder)
  }

  /// Whether a list names it, and feeds that lists name have taken as much as they may.
  private var isLeftOut: Bool {
    isListed && shared.listed.withLock { plan.bounds.bound(onListed: $0) } != nil
  }

  private mutating func take(_ known: Feed?) {
    guard let known else { return }
    summary.feed = known
    // Named by https, it is asked by https; otherwise as it is stored.
    if !summary.address.secures(known.address) { summary.address = known.address }
    summary.images.total = known.documentImageCount
  }

  /// Tells of a feed that nothing could be done for.
  private mutating func fail(_ failure: Failure) async {
    if failure.isCancellation { return }
    if summary.feed == nil { take(try? await tools.knownFeed(at: summary.address)) }
    note(SyncProblem(subject: .feed, address: summary.address, failure: failure))
    tell()
  }

  private mutating func sync(_ known: Feed?) async -> FeedSyncResult {
    // One that was removed meanwhile must not come back by itself.
    if isFollowed, known == nil { return .done }
    if isFollowed, known?.isPaused == true { return .paused }
    if plan.isWatching, let known, !known.isDue(at: tools.now()) { return .done }
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
    if let feed = document.feed, !plan.isDryRun { await keepNewest(of: feed) }
    if let feed = document.feed, !summary.isUnknown, await wantsPictures(of: feed) {
      await syncPictures(of: feed)
    }
    summary.thumbnails.waiting += wanted.thumbnails
    if fetchesOriginals, plan.isDryRun { await countDeclaredBytes(of: document.feed) }
    return await end()
  }

  /// Ends once all that was stored is on the disk; a feed of which nothing was stored is told later, with others.
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

  /// Ends with feeds that the document only points to, and may lead as far as it; those of a list are noted
  /// before.
  private mutating func point(
    to feeds: [WebAddress],
    _ document: DocumentSync.Result,
    _ known: Feed?
  ) async -> FeedSyncResult {
    let found = FoundFeeds(
      addresses: feeds,
      pointers: depth(known) + 1,
      mayBeFiles: summary.address.isFile,
      reach: document.reach ?? .publicOnly,
      isKnown: known?.isList == true
    )
    guard let list = document.list else {
      // Lists name it, unless the user does.
      if pointers > 0, !plan.isDryRun, let feed = feeds.first {
        // Unnoted, it is asked again.
        let note = FeedNote(status: .unchanged, leadsTo: feed)
        _ = try? await tools.store.noteSync(ofFeedAt: summary.address, note, now: tools.now())
      }
      return .pointer(to: found, nil)
    }
    if !plan.isDryRun { await flush() }
    summary.list = list
    summary.duration = ContinuousClock.now - start
    if let feed = document.feed {
      let reference = FeedReference(id: feed.id, address: summary.address, title: feed.title)
      for lost in list.lost { shared.teller.yield(.notice(.unlisted(lost, list: reference))) }
    }
    return .pointer(to: found, summary)
  }

  /// A list that is followed stands where it stood when it was found.
  private func depth(_ known: Feed?) -> Int {
    isFollowed ? known?.listDepth ?? pointers : pointers
  }

  private mutating func syncDocument(_ known: Feed?) async -> DocumentSync.Result {
    let document = await readDocument(known)
    if isListed { shared.listed.withLock { $0 += document.cost } }
    summary.feed = document.feed
    summary.isUnknown = plan.isDryRun && known == nil
    summary.status = document.status
    summary.images = document.images
    // A dry run gives none.
    summary.newIDs = plan.isDryRun ? [] : document.newIDs
    summary.bytes = document.bytes
    wanted = document.wanted
    if !plan.isDryRun { summary.address = document.feed?.address ?? summary.address }
    for problem in document.problems { note(problem) }
    if let former = document.formerAddress, !plan.isDryRun {
      shared.teller.yield(.notice(.moved(from: former, to: summary.address)))
    }
    return document
  }

  /// Reads the documents, and has thumbnails fetched meanwhile.
  private mutating func readDocument(_ known: Feed?) async -> DocumentSync.Result {
    if let known, !isDue(known) {
      var result = DocumentSync.Result(feed: known, status: .unchanged)
      result.images.total = known.documentImageCount
      if known.isList { await result.takeListed(from: tools.store, known) }
      return result
    }
    let arrivals = DocumentArrivals()
    let sync = DocumentSync(
      of: summary.address,
      known: known,
      givenReach: reach,
      listDepth: depth(known),
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

  /// Whether its document can be had: what a pipe brought is there only while that pipe is.
  private var canBeRead: Bool { !summary.address.isPiped || plan.piped.contains(summary.address) }

  /// Whether a document is asked for; a date beyond any that we note comes from a wrong clock.
  private func isDue(_ feed: Feed) -> Bool {
    guard canBeRead else { return false }
    let isPatient = isFollowed && !plan.isForced && !plan.isWatching
    guard isPatient, let next = feed.nextSync else { return true }
    let wait = next.timeIntervalSince(tools.now())
    return wait <= 0 || wait > SyncLimits.longestPause
  }

  private mutating func flush() async {
    do {
      try await tools.store.flush()
    } catch {
      summary.status = .failed
      note(SyncProblem(subject: .feed, address: summary.address, failure: .store(error)))
    }
  }

  /// Counts the feed once among those whose pictures are all in the progress.
  mutating func noteCounted() {
    if !isCounted { shared.progress.update { $0.feedsCounted += 1 } }
    isCounted = true
  }

  /// Counts the feed as done, after `run`.
  mutating func noteDone() {
    noteCounted()
    shared.progress.update { $0.feeds.done += 1 }
  }

  /// Tells what is wrong; with the feed as a whole, or its store, only once, wherever it shows.
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
