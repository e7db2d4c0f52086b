import Workers

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
  /// For tests that run the program: while others block the few threads that tasks share, a suspended
  /// one may go on only after the program's own time-outs.
  package func waitToReach(_ count: Int) { gate(at: count).waitUntilOpen() }

  private func gate(at count: Int) -> Gate {
    let gate = Gate()
    state.withLock { $0.waiting.append((count, gate)) }
    add(0)
    return gate
  }
}
