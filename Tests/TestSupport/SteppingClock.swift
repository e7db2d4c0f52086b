package import Workers

/// A clock that goes on by a second whenever it is read: what lies between two looks takes one.
package final class SteppingClock: Sendable {
  private let time: Locked<ContinuousClock.Instant>

  package init() { time = Locked(.now) }

  /// The time, which has gone on by then.
  package func read() -> ContinuousClock.Instant {
    time.withLock { time in
      time += .seconds(1)
      return time
    }
  }

  /// A stopwatch that goes by it.
  package func stopwatch() -> Stopwatch { Stopwatch { [self] in read() } }
}
