import Models
import Workers

/// The state that the feeds of one sync share.
struct SharedSync: Sendable {
  let teller: AsyncStream<SyncFact>.Continuation
  let progress: SyncProgress
  /// The bytes that all originals of the run may take, whatever they are fetched for.
  let budget: TransferBudget
  /// Whether thumbnails are made from originals that are fetched to be kept.
  let makesThumbnails: Bool
  /// Lets one large thumbnail in at a time.
  let largeThumbnails = AsyncSemaphore()
  /// The identities of the feeds that this sync has begun: however many addresses lead to one, it is synced once.
  private let begun = Locked<Set<String>>([])
  /// Why originals wait that have no room in the library, as far as that has been told.
  private let told = Locked<Set<StoreError.Reason>>([])
  /// What the documents of all feeds have taken that lists name.
  let listed = Locked(DocumentCost())
  /// Where feeds wait for their turn to be read.
  let readers: AsyncSemaphore
  /// Is told the address of each feed that was asked for, once it is done.
  let whenEnded: @Sendable (WebAddress) -> Void
  /// Whether anything new has been stored.
  let hasNews = Locked(false)

  init(
    _ plan: SyncPlan,
    _ progress: SyncProgress,
    teller: AsyncStream<SyncFact>.Continuation,
    readers: AsyncSemaphore = AsyncSemaphore(permits: SyncLimits.feedsReadAtOnce),
    whenEnded: @escaping @Sendable (WebAddress) -> Void = { _ in }
  ) {
    self.whenEnded = whenEnded
    self.teller = teller
    self.progress = progress
    self.readers = readers
    budget = TransferBudget(bytes: plan.originalBytes)
    makesThumbnails = plan.fetchesThumbnails && !plan.isForced
  }

  /// Tells that a feed is done.
  func tell(_ summary: FeedSyncSummary) {
    if summary.hasNews { hasNews.withLock { $0 = true } }
    teller.yield(.feedFinished(summary))
  }

  /// Begins a feed; false when this sync has begun it before.
  func begin(_ address: WebAddress) -> Bool {
    begun.withLock { $0.insert(address.identity).inserted }
  }
}

extension SharedSync {
  /// Tells why originals wait, once in a sync.
  func tellOnce(_ error: StoreError) {
    guard told.withLock({ $0.insert(error.reason).inserted }) else { return }
    teller.yield(.notice(.bounded(error)))
  }
}

/// The feeds of a sync of which nothing new was stored, until the notes of it are on the disk.
///
/// Most feeds of most syncs have not changed, and one flush for many takes no longer than one for each.
struct UnflushedFeeds {
  /// How many are kept waiting at most, and for how long.
  private static let most = 64
  static let longest = Duration.seconds(1)

  let store: any FeedStoring
  let teller: AsyncStream<SyncFact>.Continuation
  private(set) var summaries: [FeedSyncSummary] = []

  /// Adds one, and tells all when they are many; says whether it is the first that waits.
  mutating func take(_ summary: FeedSyncSummary) async -> Bool {
    summaries.append(summary)
    if summaries.count == Self.most { await tell() }
    return summaries.count == 1
  }

  /// Tells all once what was noted is on the disk, or else that it is not.
  mutating func tell() async {
    guard !summaries.isEmpty else { return }
    do {
      try await store.flush()
    } catch {
      for index in summaries.indices { fail(&summaries[index], error) }
    }
    for summary in summaries { teller.yield(.feedFinished(summary)) }
    summaries = []
  }

  private func fail(_ summary: inout FeedSyncSummary, _ error: StoreError) {
    let problem = SyncProblem(subject: .feed, address: summary.address, failure: .store(error))
    summary.status = .failed
    summary.problems.append(problem)
    teller.yield(.problem(problem))
  }
}

extension FeedSyncSummary {
  /// Whether nothing that it counts was written, and nothing went wrong.
  var hasStoredNothing: Bool {
    status == .unchanged && images == ImageCounts(total: images.total) && thumbnails.stored == 0
      && originals.stored == 0 && problems.isEmpty
  }
}

/// Takes the lock of a feed, and waits for another process that has it; not for ever.
struct FeedLocker {
  let tools: SyncTools
  let teller: AsyncStream<SyncFact>.Continuation
  /// Whether it waits for another process.
  let isPatient: Bool

  /// Locks a feed under the address that it is stored under once no other sync holds it: another
  /// process may have given it a new one meanwhile.
  ///
  /// - Returns: The lock, the address, and the feed as it is since; nil when it is not followed.
  /// - Throws: when it was asked to stop, when the other takes too long, and when the library
  ///   cannot be read or written.
  func lockFeed(
    at address: WebAddress
  ) async throws(Failure) -> (any FeedLock, WebAddress, Feed?) {
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

  private func waitForLock(of address: WebAddress) async throws(Failure) -> any FeedLock {
    var holder: LockHolder?
    for attempt in 0..<SyncLimits.lockTries {
      switch try await Failure.ofStore(await tools.locks.lockFeed(at: address, now: tools.now())) {
      case .taken(let lock): return lock
      case .held(let process): holder = process
      }
      if !isPatient { throw .locked(by: holder) }
      if attempt == 0 { teller.yield(.notice(.waiting(for: holder, feed: address))) }
      do {
        try await tools.pause(SyncLimits.lockRetry)
      } catch {
        throw .interrupted
      }
    }
    throw .locked(by: holder)
  }
}
