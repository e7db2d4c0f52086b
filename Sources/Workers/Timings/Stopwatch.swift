/// Sums up what the phases of one sync take; made only when somebody wants to know.
///
/// Everybody at work adds to it, each from its own thread.
package final class Stopwatch: Sendable {
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let start: ContinuousClock.Instant
  private let sums = Locked(SyncTimings())

  /// Starts.
  package init(clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.clock = clock
    start = clock()
  }

  package var now: ContinuousClock.Instant { clock() }

  /// The sums up to now.
  package var timings: SyncTimings {
    var timings = sums.withLock { $0 }
    timings.whole = now - start
    return timings
  }

  /// Adds what is known of a phase.
  package func add(_ change: (inout SyncTimings) -> Void) { sums.withLock { change(&$0) } }

  /// Adds the time since a moment to a phase, and what was done in it.
  package func add(
    _ phase: SyncPhase,
    since moment: ContinuousClock.Instant,
    _ count: (inout SyncCounts) -> Void = { _ in }
  ) {
    let time = now - moment
    sums.withLock { sums in
      sums[phase] += time
      count(&sums.counts)
    }
  }
}

extension Stopwatch? {
  /// Does something, and adds the time that it took to a phase, however it ended; without a stopwatch
  /// it only does it.
  package func measure<Value, Failure: Error>(
    _ phase: SyncPhase,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let self else { return try body() }
    let start = self.now
    defer { self.add(phase, since: start) }
    return try body()
  }
}
