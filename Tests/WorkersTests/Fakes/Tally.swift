import Workers

/// Counts what happens, and lets tests wait until it has happened often enough.
final class Tally: Sendable {
  private struct State: Sendable {
    var count = 0
    var watchers: [(count: Int, door: Door)] = []
  }

  private let state = Locked(State())

  func add() {
    let due = state.withLock { state in
      state.count += 1
      return state.watchers.filter { $0.count == state.count }
    }
    for watcher in due { watcher.door.open() }
  }

  func reached(_ count: Int) async {
    let door = Door()
    let isReached = state.withLock { state in
      state.watchers.append((count, door))
      return state.count >= count
    }
    if isReached { door.open() }
    await door.passed()
  }
}
