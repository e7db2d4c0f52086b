import Models
import Workers

/// The state that the feeds of one sync share.
struct SharedSync: Sendable {
  let teller: AsyncStream<SyncFact>.Continuation
  let progress: SyncProgress
  /// The bytes that all originals of the run may take, for any purpose.
  let budget: TransferBudget
  /// The bytes of those that had no room, and are fetched for their thumbnails only.
  let passingBudget: TransferBudget
  /// Whether thumbnails are made from originals that are fetched to be kept.
  let makesThumbnails: Bool
  /// Lets one large thumbnail at a time into memory.
  let largeThumbnails = AsyncSemaphore()
  let signs = SubstituteSigns()
  /// The identities of the feeds that this sync has begun; a feed with several addresses is synced once.
  private let begun = Locked<Set<String>>([])
  /// The reported reasons why originals have no room and wait.
  private let told = Locked<Set<StoreError.Reason>>([])
  /// The cost of the documents of all feeds that lists name.
  let listed = Locked(DocumentCost())
  /// The semaphore at which feeds wait for their turn to be read.
  let readers: AsyncSemaphore
  /// Called with the address of each feed that was asked for, once it is done, and whether it was left to another
  /// process.
  let whenEnded: @Sendable (WebAddress, _ isLocked: Bool) -> Void
  /// The identities of the named feeds that may get their ids yet, in order; empty where the order does not count.
  private let unsettled: Locked<[String]>
  /// Whether anything new has been stored.
  let hasNews = Locked(false)

  init(
    _ plan: SyncPlan,
    _ progress: SyncProgress,
    teller: AsyncStream<SyncFact>.Continuation,
    readers: AsyncSemaphore = AsyncSemaphore(permits: SyncLimits.feedsReadAtOnce),
    whenEnded: @escaping @Sendable (WebAddress, _ isLocked: Bool) -> Void = { _, _ in }
  ) {
    let isOrdered =
      !plan.isEveryFeed && !plan.isDryRun
      && (2...SyncLimits.feedsInOrder).contains(plan.feeds.count)
    unsettled = Locked(isOrdered ? plan.feeds.map(\.identity) : [])
    self.whenEnded = whenEnded
    self.teller = teller
    self.progress = progress
    self.readers = readers
    budget = TransferBudget(bytes: plan.originalBytes)
    passingBudget =
      plan.originalBytes == nil
      ? TransferBudget(bytes: SyncPlan.originalBytesForThumbnails) : budget
    makesThumbnails = plan.fetchesThumbnails && !plan.isForced
  }

  /// Reports that a feed is done.
  func tell(_ summary: FeedSyncSummary) {
    if summary.hasNews { hasNews.withLock { $0 = true } }
    teller.yield(.feedFinished(summary))
  }

  /// Begins a feed; false when this sync has begun it before.
  func begin(_ address: WebAddress) -> Bool {
    begun.withLock { $0.insert(address.identity).inserted }
  }

  /// Notes that a feed has its id, or will not get one.
  func settle(_ address: WebAddress) {
    let identity = address.identity
    unsettled.withLock { feeds in feeds.removeAll { $0 == identity } }
  }

  /// Notes that a named feed that may get its id yet has another address.
  func rename(_ named: WebAddress, to address: WebAddress) {
    let (former, identity) = (named.identity, address.identity)
    unsettled.withLock { feeds in feeds = feeds.map { $0 == former ? identity : $0 } }
  }

  /// Waits, for two seconds at most, until the feeds that were named before a new one have their ids.
  ///
  /// So ids follow the order in which a person has named the feeds, unless one of them is slow.
  func waitForTurn(
    of address: WebAddress,
    _ pause: @Sendable (Duration) async throws -> Void
  ) async {
    let identity = address.identity
    for _ in 0..<SyncLimits.looksForTurn {
      let isTurn = unsettled.withLock { !$0.contains(identity) || $0.first == identity }
      if isTurn || Task.isCancelled { return }
      try? await pause(SyncLimits.betweenLooks)
    }
  }

  /// Reports why originals wait, once for each reason in a sync.
  func tellOnce(_ error: StoreError) {
    guard told.withLock({ $0.insert(error.reason).inserted }) else { return }
    teller.yield(.notice(.bounded(error)))
  }
}

/// The feeds of a sync that stored nothing new, until the notes on them are on the disk.
///
/// In most syncs, most feeds have not changed. One flush for many feeds takes no longer than a flush for one feed.
struct UnflushedFeeds {
  /// The most feeds that wait, and the longest time that they wait.
  private static let most = 64
  static let longest = Duration.seconds(1)

  let store: any FeedStoring
  let teller: AsyncStream<SyncFact>.Continuation
  private(set) var summaries: [FeedSyncSummary] = []

  /// Adds a feed, and reports all feeds once there are many; returns whether it is the first that waits.
  mutating func take(_ summary: FeedSyncSummary) async -> Bool {
    summaries.append(summary)
    if summaries.count == Self.most { await tell() }
    return summaries.count == 1
  }

  /// Brings the notes to the disk, and reports all feeds; if that fails, each feed has failed.
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
  /// Whether no data was stored for the feed, and nothing went wrong.
  var hasStoredNothing: Bool {
    status == .unchanged && images == ImageCounts(total: images.total) && thumbnails.stored == 0
      && originals.stored == 0 && problems.isEmpty
  }
}

/// The cost of the documents of one or several feeds.
struct DocumentCost: Sendable, Equatable {
  /// The bytes by which they made the database larger.
  var storedBytes = 0
  /// The bytes of all of them, after decompression.
  var documentBytes = 0
  /// The seconds from the start of the first document to the end of the last, even if that failed.
  var seconds = 0.0

  static func += (total: inout Self, other: Self) {
    total.storedBytes += other.storedBytes
    total.documentBytes += other.documentBytes
    total.seconds += other.seconds
  }
}

extension FeedBounds {
  /// The limit that the feeds named by lists have reached together; nil if they have not reached one.
  func bound(onListed cost: DocumentCost) -> Bound? {
    let bytes = storedBytes.multiplied(by: listedFeeds)
    if cost.storedBytes >= bytes { return .storedBytes(bytes) }
    return bound(onReading: cost, feeds: listedFeeds)
  }

  /// The limit on reading that some feeds have reached together; nil if they have not reached one.
  func bound(onReading cost: DocumentCost, feeds: Int = 1) -> Bound? {
    let (bytes, seconds) = (documentBytes.multiplied(by: feeds), seconds.multiplied(by: feeds))
    if cost.documentBytes >= bytes { return .documentBytes(bytes) }
    return cost.seconds >= Double(seconds) ? .seconds(seconds) : nil
  }
}
