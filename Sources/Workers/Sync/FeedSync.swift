import Models

/// One feed's part of a sync: its document, its thumbnails, its originals, its summary.
struct FeedSync {
  private let plan: SyncPlan
  private let tools: SyncTools
  private let teller: AsyncStream<SyncFact>.Continuation
  private let progress: SyncProgress
  private let turnstile: Turnstile
  private let start = ContinuousClock.now
  private var summary: FeedSyncSummary

  init(
    address: WebAddress,
    plan: SyncPlan,
    tools: SyncTools,
    teller: AsyncStream<SyncFact>.Continuation,
    progress: SyncProgress,
    turnstile: Turnstile
  ) {
    self.plan = plan
    self.tools = tools
    self.teller = teller
    self.progress = progress
    self.turnstile = turnstile
    summary = FeedSyncSummary(address: address, status: .failed)
  }

  /// Does it, and tells the facts; silent when it was stopped before there was anything to tell.
  ///
  /// - Returns: The feeds to sync instead, when the document only points to them.
  mutating func run() async -> [WebAddress] {
    let document = await syncDocument()
    progress.update { $0.feedsRead += 1 }
    if document.wasStoppedBeforeAnswer { return [] }
    if let feeds = document.feeds {
      progress.update { $0.feeds.done += 1 }
      return feeds
    }
    if let feed = document.feed {
      await syncThumbnails(of: feed)
      await syncOriginals(of: feed)
    }
    flush()
    summary.duration = ContinuousClock.now - start
    progress.update { $0.feeds.done += 1 }
    teller.yield(.feedFinished(summary))
    return []
  }

  private mutating func syncDocument() async -> DocumentSync.Result {
    let document = await DocumentSync(
      address: summary.address,
      isForced: plan.isForced,
      tools: tools,
      progress: progress
    ).run()
    summary.feed = document.feed
    summary.status = document.status
    summary.images = document.images
    summary.bytes = document.bytes
    for problem in document.problems { note(problem) }
    return document
  }

  private mutating func syncThumbnails(of feed: Feed) async {
    var sync = ThumbnailSync(
      feed: feed,
      all: plan.isForced,
      tools: tools,
      progress: progress,
      turnstile: turnstile
    )
    let isWanted = plan.fetchesThumbnails && summary.status != .failed
    await sync.run(fetching: isWanted) { note($0) }
    summary.thumbnails = sync.counts
    summary.bytes += sync.bytes
  }

  private mutating func syncOriginals(of feed: Feed) async {
    guard plan.fetchesOriginals else { return }
    var sync = OriginalSync(feed: feed, tools: tools, progress: progress)
    await sync.run(fetching: summary.status != .failed) { note($0) }
    summary.originals = sync.counts
    summary.bytes += sync.bytes
  }

  private mutating func flush() {
    do {
      try tools.store.flush()
    } catch {
      summary.status = .failed
      note(SyncProblem(subject: .feed, address: summary.address, failure: .store(error)))
    }
  }

  private mutating func note(_ problem: SyncProblem) {
    summary.problems.append(problem)
    teller.yield(.problem(problem))
  }
}
