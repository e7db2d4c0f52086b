import TestSupport
import Workers

/// Holds tasks back until it is opened permanently; a cancelled task passes.
final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    var doors: [Door] = []
  }

  /// Counts the tasks that have arrived at the gate.
  let arrivals = Tally()
  private let state = Locked(State())

  func open() {
    let doors = state.withLock { state in
      state.isOpen = true
      return state.doors
    }
    for door in doors { door.open() }
  }

  func passed() async {
    let door = Door()
    let isOpen = state.withLock { state in
      state.doors.append(door)
      return state.isOpen
    }
    if isOpen { door.open() }
    arrivals.add()
    await door.passed()
  }
}

/// Makes one task wait until the door is opened, or until the task is cancelled.
struct Door: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }

  func passed() async {
    for await _ in stream {}
  }
}
