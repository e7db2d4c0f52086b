/// Adds up the times of one sync's phases; it exists only if the user requests timings.
///
/// Workers add to it from any thread.
package final class Stopwatch: Sendable {
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let start: ContinuousClock.Instant
  private let sums = Locked(SyncTimings())

  /// Starts measuring.
  package init(clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.clock = clock
    start = clock()
  }

  package var now: ContinuousClock.Instant { clock() }

  /// The sums so far.
  package var timings: SyncTimings {
    var timings = sums.withLock { $0 }
    timings.whole = now - start
    return timings
  }

  /// Changes the sums.
  package func add(_ change: (inout SyncTimings) -> Void) { sums.withLock { change(&$0) } }

  /// Adds the time since an instant to a phase, and counts the work done in it.
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
  /// Runs a closure and adds its time to a phase, even if it throws.
  ///
  /// Without a stopwatch, it only runs the closure.
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

/// A phase of a sync.
///
/// Phases of several transfers and feeds run at the same time, so the sum of all phases is not the
/// time of the sync.
package enum SyncPhase: String, Sendable, CaseIterable {
  /// Requests wait for their turn, at their hosts and overall, including during a pause.
  case queueing
  /// The names of hosts are looked up.
  case lookingUp
  /// Connections are opened.
  case connecting
  /// TLS is negotiated.
  case securing
  /// The time from the request to the first byte of its response.
  case waiting
  /// The time from the first byte of a response to its last, even while its reader is busy.
  case receiving
  /// Documents are parsed.
  case parsing
  /// Pictures are decoded and scaled down, including the wait for a free decoder.
  case decoding
  /// Transactions run until their commits, including the wait for those of other processes.
  case storing
  /// Transactions are committed, which sometimes moves SQLite's log into the database.
  case committing
  /// Committed transactions are flushed to the disk.
  case flushing
  /// The files of originals are written, hashed and flushed to the disk.
  case filing
}

/// The amounts of work that a sync did.
package struct SyncCounts: Sendable, Equatable {
  /// Requests that were sent, including retries and those after redirects.
  package var requests = 0
  /// Responses whose headers arrived.
  package var responses = 0
  /// Responses with the status 304.
  package var unchanged = 0
  /// Connections that were opened.
  package var connections = 0
  /// Bytes of headers and bodies, as sent.
  package var bytes = 0
  /// Documents that were parsed to their end.
  package var documents = 0
  /// Images that were found in documents.
  package var images = 0
  /// Pictures that were decoded, successfully or not.
  package var pictures = 0
  /// Transactions that were committed.
  package var transactions = 0
  /// Rows that were written or deleted, including those of the search indexes.
  package var rows = 0
  /// The number of flushes of everything to the disk.
  package var flushes = 0
  /// Originals that were stored.
  package var originals = 0
  /// Bytes written to the files of originals, including those that are incomplete or not kept.
  package var originalBytes = 0

  package init() {}
}

/// The times and amounts of a sync.
package struct SyncTimings: Sendable, Equatable {
  /// How long the sync took as a whole.
  package var whole = Duration.zero
  package var counts = SyncCounts()
  private var times: [SyncPhase: Duration] = [:]

  package init() {}

  /// The time of a phase, added up over all work that ran at the same time.
  package subscript(phase: SyncPhase) -> Duration {
    get { times[phase, default: .zero] }
    set { times[phase] = newValue }
  }
}
