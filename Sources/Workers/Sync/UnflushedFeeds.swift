import Models

/// The feeds of a sync of which nothing new was stored, until the notes of it are on the disk.
///
/// Most feeds of most syncs have not changed, and one flush for many takes no longer than one for each.
struct UnflushedFeeds {
  /// How many are kept waiting at most, and for how long while others end.
  private static let most = 64
  private static let longest = Duration.seconds(1)

  private let store: any FeedStoring
  private let teller: AsyncStream<SyncFact>.Continuation
  private var summaries: [FeedSyncSummary] = []
  /// When the first of them ended.
  private var since = ContinuousClock.now

  init(store: any FeedStoring, teller: AsyncStream<SyncFact>.Continuation) {
    self.store = store
    self.teller = teller
  }

  /// Adds one, and tells all when they have waited long enough.
  mutating func take(_ summary: FeedSyncSummary) {
    let now = ContinuousClock.now
    if summaries.isEmpty { since = now }
    summaries.append(summary)
    if summaries.count == Self.most || now - since >= Self.longest { tell() }
  }

  /// Tells all once what was noted is on the disk, or else that it is not.
  mutating func tell() {
    guard !summaries.isEmpty else { return }
    do {
      try store.flush()
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
