/// The progress of a sync, which any thread can read without delaying the sync.
package final class SyncProgress: Sendable {
  /// The state at one moment.
  package struct Snapshot: Sendable, Equatable {
    package var feeds = Part()
    /// Feeds whose documents have been read, so that the totals include all of their pictures.
    package var feedsCounted = 0
    package var images = 0
    package var thumbnails = Part()
    package var originals = Part()
    /// The number of bytes that were transferred.
    package var bytes = 0
    package var elapsed: Duration = .zero
    /// The pauses of feeds whose servers are asked again, by the identity of each feed's address.
    package var waits: [String: Wait] = [:]

    package init() {}

    /// Whether the totals include the whole sync.
    package var isCounted: Bool { feeds.total > 0 && feedsCounted >= feeds.total }
  }

  /// A pause before a feed's server is asked again.
  package struct Wait: Sendable, Equatable {
    package var cause: NetworkWaits.Wait
    /// The elapsed time of the sync at which the pause ends.
    package var end: Duration

    package init(_ cause: NetworkWaits.Wait, end: Duration) {
      self.cause = cause
      self.end = end
    }
  }

  /// The finished and total amounts of some work; the total grows while documents are read.
  package struct Part: Sendable, Equatable {
    package var done = 0
    package var total = 0

    package init(done: Int = 0, total: Int = 0) {
      self.done = done
      self.total = total
    }
  }

  private let state = Locked(Snapshot())
  private let now: @Sendable () -> ContinuousClock.Instant
  private let start: ContinuousClock.Instant

  /// Starts measuring the elapsed time.
  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
    start = now()
  }

  /// The current state.
  package var snapshot: Snapshot {
    var snapshot = state.withLock { $0 }
    snapshot.elapsed = now() - start
    return snapshot
  }

  /// Notes that a pause of a feed begins, or ends.
  package func note(_ wait: NetworkWaits.Wait?, of feed: String) {
    let elapsed = now() - start
    state.withLock { $0.waits[feed] = wait.map { Wait($0, end: elapsed + $0.delay) } }
  }

  /// Applies a change of the progress.
  package func update(_ change: (inout Snapshot) -> Void) { state.withLock { change(&$0) } }
}
