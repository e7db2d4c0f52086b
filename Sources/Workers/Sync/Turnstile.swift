/// Lets so many tasks in at a time, in the order in which they came.
final class Turnstile: Sendable {
  private struct Waiter {
    let number: Int
    /// Answers whether it is in, or has waited for too long.
    let turn: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var lastNumber = 0
    var waiting: [Waiter] = []
  }

  private let state: Locked<State>

  init(places: Int = 1) { state = Locked(State(free: places)) }

  /// Waits for a place; a cancelled task gets its turn, too, and finds it out there.
  func enter() async {
    _ = await withCheckedContinuation { turn in _ = join(turn) }
  }

  /// Waits for a place, but no longer than until `end` returns.
  ///
  /// - Returns: whether it is in.
  func enter(before end: @escaping @Sendable () async throws -> Void) async -> Bool {
    var watch: Task<Void, Never>?
    defer { watch?.cancel() }
    return await withCheckedContinuation { turn in
      guard let number = join(turn) else { return }
      watch = Task {
        guard (try? await end()) != nil else { return }
        giveUp(number)
      }
    }
  }

  /// Lets the next one in.
  func leave() {
    let next = state.withLock { state -> Waiter? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.turn.resume(returning: true)
  }

  /// Joins the line; its number there, or nil for one that is in at once.
  private func join(_ turn: CheckedContinuation<Bool, Never>) -> Int? {
    let number = state.withLock { state -> Int? in
      guard state.free == 0 else {
        state.free -= 1
        return nil
      }
      state.lastNumber += 1
      state.waiting.append(Waiter(number: state.lastNumber, turn: turn))
      return state.lastNumber
    }
    if number == nil { turn.resume(returning: true) }
    return number
  }

  /// Takes one out of the line that is still in it.
  private func giveUp(_ number: Int) {
    let waiter = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
    }
    waiter?.turn.resume(returning: false)
  }
}
