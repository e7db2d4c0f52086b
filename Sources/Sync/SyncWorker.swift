package import FoundationEssentials
package import Models
package import Workers

/// The sync policy: which documents and pictures are fetched, in which order, and which are stored.
///
/// A feed takes three steps: its document, its thumbnails, its originals. Many feeds are synced at once. Only the store
/// decides which pictures are missing, so an interrupted sync continues where it stopped.
///
/// A summary counts only data that is on the disk. Cancelling the run's task ends its transfers; complete pictures are
/// stored, and the summary is still reported. See Documentation/Sync.md.
package struct SyncWorker: Syncing {
  /// The times at which feeds were read because servers refused addresses.
  package typealias Renewals = Locked<[WebAddress: Date]>

  private let tools: SyncTools
  private let renewals: Renewals

  /// Makes a worker; several of one process share their renewals.
  package init(tools: SyncTools, renewals: Renewals = Renewals([:])) {
    self.tools = tools
    self.renewals = renewals
  }

  package func sync(_ plan: SyncPlan) -> SyncRun {
    let (worker, progress) = (self, SyncProgress())
    return SyncRun(progress) { teller in
      if plan.isWatching {
        await FeedWatch(worker: worker, plan: plan, tools: worker.tools, teller: teller).run()
      } else {
        let paused = await worker.syncFeeds(plan, SharedSync(plan, progress, teller: teller))
        if paused > 0 { teller.yield(.notice(.paused(feeds: paused))) }
        await worker.complete(plan, progress, teller)
      }
      let timings = worker.tools.stopwatch?.timings
      teller.yield(.ended(SyncEnd(isInterrupted: Task.isCancelled, timings: timings)))
    }
  }

  /// Does the work that follows new thumbnails and originals: colours, the object store and exports.
  func complete(
    _ plan: SyncPlan,
    _ progress: SyncProgress,
    _ teller: AsyncStream<SyncFact>.Continuation
  ) async {
    await fillColours(plan, progress)
    if let objects = tools.objects, !plan.isDryRun, !Task.isCancelled {
      let put = await objects.putAll()
      let store = objects.objects.name
      if put.count > 0 {
        teller.yield(.notice(.put(count: put.count, bytes: put.bytes, store: store)))
      }
      if put.packed.packs > 0 { teller.yield(.notice(.packed(put.packed, store: store))) }
      if let error = put.error { teller.yield(.notice(.notPut(count: put.failed, error))) }
    }
    if !plan.isDryRun, !Task.isCancelled {
      await tools.folders?.update { teller.yield(.notice($0)) }
    }
  }

  /// Reads the documents of a followed feed, because a server refuses an address that it named before.
  ///
  /// Does nothing if that was tried within the last minute, or if the feed has failed and is not due yet.
  func readAgain(_ feed: FeedReference) async {
    guard let known = try? await tools.store.feed(at: feed.address), known.isWatched else { return }
    let now = tools.now()
    if known.status == .failed, let next = known.nextSync, next > now { return }
    let isTooSoon = renewals.withLock { renewals in
      let last = renewals.updateValue(now, forKey: known.address)
      guard let last, now.timeIntervalSince(last) < SyncLimits.betweenRenewals else { return false }
      renewals[known.address] = last
      return true
    }
    if isTooSoon { return }
    var plan = SyncPlan(feeds: [known.address], fetchesThumbnails: false, isEveryFeed: true)
    plan.readsAnew = true
    let (_, teller) = AsyncStream<SyncFact>.makeStream(bufferingPolicy: .bufferingNewest(0))
    await syncFeeds(plan, SharedSync(plan, SyncProgress(), teller: teller))
  }

  /// Syncs all feeds, and returns the number of feeds that were skipped as gone.
  @discardableResult
  func syncFeeds(_ plan: SyncPlan, _ shared: SharedSync) async -> Int {
    var queue = FeedQueue(plan.feeds, lists: await lists(plan), reach: plan.reach)
    var leftOut: [WebAddress: Int] = [:]
    var unflushed = UnflushedFeeds(store: tools.store, teller: shared.teller)
    var paused = 0
    await withTaskGroup(of: Step.self) { group in
      var running = 0
      while true {
        shared.progress.update { $0.feeds.total = queue.count }
        while running < SyncLimits.feedsAtOnce, !Task.isCancelled, let next = queue.next() {
          group.addTask { await sync(next, plan, shared) }
          running += 1
        }
        guard running > 0, let step = await group.next() else { return group.cancelAll() }
        guard case .ended(let item, let result) = step else {
          await unflushed.tell()
          continue
        }
        running -= 1
        switch result {
        case .done, .locked: break
        case .leftOut: leftOut[item.source ?? item.address, default: 0] += 1
        case .unflushed(let summary):
          if await unflushed.take(summary) { group.addTask { await wait() } }
        case .paused: paused += 1
        case .pointer(let found, let summary):
          let problem = queue.append(found, of: item.address)
          tell(problem, summary, shared, isDryRun: plan.isDryRun)
          // A pointer counts as done only after its feeds were added; otherwise the progress would reach its end.
          shared.progress.update {
            $0.feeds = .init(done: $0.feeds.done + 1, total: queue.count)
            $0.feedsCounted += 1
          }
        }
      }
    }
    await unflushed.tell()
    await tell(leftOut, plan, shared)
    return paused
  }

  /// Gives thumbnails their colours; the rest waits for the next sync, or for a server.
  private func fillColours(_ plan: SyncPlan, _ progress: SyncProgress) async {
    let elapsed = progress.snapshot.elapsed
    guard plan.fetchesThumbnails, !plan.isDryRun, let filler = tools.colours,
      let time = SyncLimits.colouringTime(after: elapsed)
    else { return }
    // After an error, too, the rest waits.
    try? await filler.fill(atOnce: SyncLimits.colouredAtOnce) {
      !Task.isCancelled && progress.snapshot.elapsed < elapsed + time
    }
  }

  /// The lists that name feeds of a plan, by the identities of the feeds.
  private func lists(_ plan: SyncPlan) async -> [String: WebAddress] {
    var lists: [String: WebAddress] = [:]
    for list in plan.lists {
      // If the library cannot be read, each of its feeds fails.
      let contents = try? await tools.store.contents(ofFeedAt: list)
      for feed in contents?.listed.followed ?? [] { lists[feed.identity] = list }
    }
    return lists
  }

  /// Reports the lists whose feeds were not all requested.
  private func tell(_ leftOut: [WebAddress: Int], _ plan: SyncPlan, _ shared: SharedSync) async {
    guard let bound = shared.listed.withLock({ plan.bounds.bound(onListed: $0) }) else { return }
    for (list, count) in leftOut.sorted(by: { $0.key.text < $1.key.text }) {
      let failure = Failure.feed(.listedBeyondBound(bound, unasked: count))
      let feed = try? await tools.store.feed(at: list)
      let problem = SyncProblem(subject: .feed, address: list, failure: failure)
      let summary = FeedSyncSummary(
        address: list,
        feed: feed,
        status: .failed,
        isDryRun: plan.isDryRun
      )
      tell(problem, summary, shared, isDryRun: plan.isDryRun)
    }
  }

  /// An event while feeds are synced.
  private enum Step: Sendable {
    case ended(FeedQueue.Item, FeedSyncResult)
    /// The waiting summaries have waited long enough.
    case waited
  }

  private func sync(_ item: FeedQueue.Item, _ plan: SyncPlan, _ shared: SharedSync) async -> Step {
    var sync = FeedSync(item, plan: plan, tools: tools, shared: shared)
    let result = await sync.run()
    let isLocked = if case .locked = result { true } else { false }
    shared.whenEnded(item.address, isLocked)
    shared.settle(item.address)
    if case .pointer = result { return .ended(item, result) }
    sync.noteDone()
    return .ended(item, result)
  }

  private func wait() async -> Step {
    // If the task is cancelled, the waiting summaries are reported early.
    try? await tools.pause(UnflushedFeeds.longest)
    return .waited
  }

  /// Reports a list of feeds, and the problem with the feeds to which a document points.
  ///
  /// If all of these were left out, the document has failed.
  private func tell(
    _ problem: SyncProblem?,
    _ summary: FeedSyncSummary?,
    _ shared: SharedSync,
    isDryRun: Bool
  ) {
    var summary = summary
    if let problem {
      shared.teller.yield(.problem(problem))
      if problem.subject == .feed {
        let address = problem.address
        summary = summary ?? FeedSyncSummary(address: address, status: .failed, isDryRun: isDryRun)
        summary?.status = .failed
      }
      summary?.problems.append(problem)
    }
    if let summary { shared.teller.yield(.feedFinished(summary)) }
  }
}

/// The result of a feed's part of a sync.
enum FeedSyncResult: Sendable {
  case done
  /// A watch left the feed to another process that is syncing it.
  case locked
  /// The sync stored nothing that the summary counts; the summary is reported once the notes are on the disk.
  case unflushed(FeedSyncSummary)
  /// The document is not a feed itself, and only points to feeds.
  ///
  /// A list of feeds has a summary, which is still to be reported; a web page has no summary.
  case pointer(to: FoundFeeds, FeedSyncSummary?)
  /// The feed was not requested, because the feeds that lists name have reached their common limit.
  case leftOut
  /// The feed was skipped, because its server says that it is gone.
  case paused
}
