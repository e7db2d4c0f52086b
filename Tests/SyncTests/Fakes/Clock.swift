import FoundationEssentials
import Workers

/// A clock that goes only when it is told to.
final class Clock: Sendable {
  private let time = Locked(SyncBench.now)

  var now: Date { time.withLock { $0 } }

  func go(_ seconds: Double) { time.withLock { $0 += seconds } }
}
