import Models
import Workers

/// What the feeds of one sync come to together.
struct SyncTally {
  private var feeds = 0
  private var failedFeeds = 0
  private var hasFailures = false

  mutating func add(_ summary: FeedSyncSummary) {
    feeds += 1
    if summary.status == .failed { failedFeeds += 1 }
    if summary.problems.contains(where: { $0.subject != .document }) { hasFailures = true }
  }

  /// Failed when every feed failed; partly when anything did.
  ///
  /// A document that could be read past its faults has not failed.
  var outcome: Outcome {
    if feeds > 0, failedFeeds == feeds { return .failed }
    return hasFailures || failedFeeds > 0 ? .partly : .done
  }
}
