import Models

/// The feeds of a sync of which nothing new was stored, until the notes of it are on the disk.
///
/// Most feeds of most syncs have not changed, and one flush for many takes no longer than one for each.
struct UnflushedFeeds {
  /// How many are kept waiting at most, and for how long.
  private static let most = 64
  static let longest = Duration.seconds(1)

  private let store: any FeedStoring
  private let teller: AsyncStream<SyncFact>.Continuation
  private var summaries: [FeedSyncSummary] = []

  init(store: any FeedStoring, teller: AsyncStream<SyncFact>.Continuation) {
    self.store = store
    self.teller = teller
  }

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
