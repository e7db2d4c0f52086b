import FoundationEssentials
import Models
import Workers

/// Locks of feeds that another process has for the first tries.
final class FakeLocks: FeedLocking {
  static let holder = LockHolder(process: 4711, since: SyncBench.now)

  /// What was tried, taken and given back, in order.
  enum Event: Sendable, Equatable {
    case refused(WebAddress)
    case taken(WebAddress)
    case released(WebAddress)
  }

  private struct State: Sendable {
    var events: [Event] = []
    var refusals: Int
  }

  private let state: Locked<State>

  /// Refuses so many times.
  init(refusals: Int = 0) { state = Locked(State(refusals: refusals)) }

  var events: [Event] { state.withLock { $0.events } }

  func lockFeed(at address: WebAddress, now: Date) throws(StoreError) -> FeedLockResult {
    let isRefused = state.withLock { state in
      state.refusals -= 1
      state.events.append(state.refusals < 0 ? .taken(address) : .refused(address))
      return state.refusals >= 0
    }
    return isRefused ? .held(by: Self.holder) : .taken(FakeLock(address: address, locks: self))
  }

  func note(_ event: Event) { state.withLock { $0.events.append(event) } }
}

/// A lock that notes when it is given back.
private final class FakeLock: FeedLock {
  private let address: WebAddress
  private let locks: FakeLocks

  init(address: WebAddress, locks: FakeLocks) {
    self.address = address
    self.locks = locks
  }

  func release() { locks.note(.released(address)) }
}
