import Workers

/// A counting semaphore for tasks, which are let in in the order in which they came.
final class AsyncSemaphore: Sendable {
  private struct Waiter {
    let number: Int
    /// Is resumed with whether it has a permit; without one, it has waited for too long.
    let turn: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var lastNumber = 0
    var waiting: [Waiter] = []
  }

  private let state: Locked<State>

  init(permits: Int = 1) { state = Locked(State(free: permits)) }

  /// Waits for a permit; a cancelled task gets its turn, too.
  func wait() async {
    _ = await withCheckedContinuation { turn in _ = join(turn) }
  }

  /// Waits for a permit, but no longer than until `end` returns.
  ///
  /// - Returns: Whether it has one.
  func wait(before end: @escaping @Sendable () async throws -> Void) async -> Bool {
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

  /// Gives a permit back, to the next one that waits.
  func signal() {
    let next = state.withLock { state -> Waiter? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.turn.resume(returning: true)
  }

  /// Joins the queue; its number there, or nil for one that has a permit at once.
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

  private func giveUp(_ number: Int) {
    let waiter = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
    }
    waiter?.turn.resume(returning: false)
  }
}

/// A feed's permit to be read, or to fetch its pictures.
///
/// Each feed that has one takes memory for the images on their way into the store. A feed that is only asked for takes
/// next to none, and mostly the answer is that it has not changed: of those there may be many more.
final class FeedPermit: Sendable {
  private let semaphore: AsyncSemaphore
  private let isTaken = Locked(false)

  init(of semaphore: AsyncSemaphore) { self.semaphore = semaphore }

  /// Waits for it, unless it is taken already.
  func take() async {
    if isTaken.withLock({ $0 }) { return }
    await semaphore.wait()
    isTaken.withLock { $0 = true }
  }

  /// Waits for it no longer than until `end` returns.
  ///
  /// - Returns: Whether it is taken.
  func take(before end: @escaping @Sendable () async throws -> Void) async -> Bool {
    if isTaken.withLock({ $0 }) { return true }
    let hasPermit = await semaphore.wait(before: end)
    isTaken.withLock { $0 = hasPermit }
    return hasPermit
  }

  /// Gives it back, if it was taken.
  func release() {
    let wasTaken = isTaken.withLock { isTaken in
      defer { isTaken = false }
      return isTaken
    }
    if wasTaken { semaphore.signal() }
  }
}
