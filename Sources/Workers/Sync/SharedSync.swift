import Models

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
  /// What the documents of all feeds have taken that lists name.
  let listed = Locked(DocumentCost())
  /// Where feeds wait for their turn to be read.
  let readers = AsyncSemaphore(permits: SyncLimits.feedsReadAtOnce)

  init(_ plan: SyncPlan, teller: AsyncStream<SyncFact>.Continuation) {
    self.teller = teller
    progress = SyncProgress()
    budget = TransferBudget(bytes: plan.originalBytes)
    makesThumbnails = plan.fetchesThumbnails && !plan.isForced
  }

  /// Begins a feed; false when this sync has begun it before.
  func begin(_ address: WebAddress) -> Bool {
    begun.withLock { $0.insert(address.identity).inserted }
  }
}
