/// What a sync says while it runs; none is ever dropped, and `ended` is the last.
package enum SyncFact: Sendable, Equatable {
  /// Something could not be had or kept; the rest goes on.
  case problem(SyncProblem)
  case notice(SyncNotice)
  /// A feed is done; what its summary counts is on the disk.
  case feedFinished(FeedSyncSummary)
  case ended(SyncEnd)
}
