/// How far a sync is; any thread may ask, and asking never holds it up.
package final class SyncProgress: Sendable {
  /// The state at one moment.
  package struct Snapshot: Sendable, Equatable {
    package var feeds = Part()
    /// Feeds whose documents have been read, and whose pictures are all in the totals.
    package var feedsCounted = 0
    package var images = 0
    package var thumbnails = Part()
    package var originals = Part()
    /// Bytes that came over the wire.
    package var bytes = 0
    package var elapsed: Duration = .zero

    package init() {}

    /// Whether the totals are those of the whole sync.
    package var isCounted: Bool { feeds.total > 0 && feedsCounted >= feeds.total }
  }

  /// How much of something is done; the total grows while documents are read.
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

  /// Takes the time.
  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.now = now
    start = now()
  }

  /// The state now.
  package var snapshot: Snapshot {
    var snapshot = state.withLock { $0 }
    snapshot.elapsed = now() - start
    return snapshot
  }

  /// Notes that something has moved on.
  package func update(_ change: (inout Snapshot) -> Void) { state.withLock { change(&$0) } }
}
