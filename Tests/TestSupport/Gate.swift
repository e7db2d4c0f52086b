import Dispatch
package import Scenes
package import Workers

/// Holds threads and tasks back until it is opened permanently.
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

  /// Blocks the thread until the gate is open, or for ten minutes, so that a test fails instead of hanging.
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

/// A count that tests can wait for.
package final class Tally: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiting: [(count: Int, gate: Gate)] = []
  }

  private let state = Locked(State())

  package init() {}

  package var count: Int { state.withLock { $0.count } }

  package func add(_ number: Int = 1) {
    let reached = state.withLock { state in
      state.count += number
      let reached = state.waiting.filter { $0.count <= state.count }
      state.waiting.removeAll { $0.count <= state.count }
      return reached.map(\.gate)
    }
    for gate in reached { gate.open() }
  }

  /// Suspends the task until the count is at least `count`.
  package func reaches(_ count: Int) async { await gate(at: count).passed() }

  /// Blocks the thread until the count is at least `count`.
  ///
  /// For tests that run the program. Other tests may block the few threads that tasks share, and a suspended task
  /// could continue only after the program's own time-outs.
  package func waitToReach(_ count: Int) { gate(at: count).waitUntilOpen() }

  private func gate(at count: Int) -> Gate {
    let gate = Gate()
    state.withLock { $0.waiting.append((count, gate)) }
    add(0)
    return gate
  }
}

/// A clock that advances by a second whenever it is read.
package final class SteppingClock: Sendable {
  private let time: Locked<ContinuousClock.Instant>

  package init() { time = Locked(.now) }

  /// The time, after it has advanced.
  package func read() -> ContinuousClock.Instant {
    time.withLock { time in
      time += .seconds(1)
      return time
    }
  }

  /// A stopwatch with this clock.
  package func stopwatch() -> Stopwatch { Stopwatch { [self] in read() } }
}

package enum Pauses {
  /// A pause that fails, so that progress is never presented again.
  package static let never: Pause = { throw CancellationError() }
}
