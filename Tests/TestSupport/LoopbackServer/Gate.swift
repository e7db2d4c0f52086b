import Dispatch
import Workers

/// Holds threads and tasks back until it is opened, for good.
package final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())

  package init() {}

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for pass in waiting { pass() }
  }

  /// Suspends the task until the gate is open.
  package func passed() async {
    await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
  }

  /// Blocks the thread until the gate is open, or ten minutes have gone by, so that a test fails and does not hang.
  package func waitUntilOpen() {
    let semaphore = DispatchSemaphore(value: 0)
    whenOpen { semaphore.signal() }
    _ = semaphore.wait(timeout: .now() + .seconds(600))
  }

  private func whenOpen(_ pass: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(pass) }
      return state.isOpen
    }
    if isOpen { pass() }
  }
}
