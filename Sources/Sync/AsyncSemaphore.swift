import Workers

/// A counting semaphore that grants permits to tasks in the order in which they ask.
final class AsyncSemaphore: Sendable {
  private struct Waiter {
    let number: Int
    /// Resumed with true when the waiter gets a permit, or with false when it has waited too long.
    let turn: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var lastNumber = 0
    var waiting: [Waiter] = []
  }

  private let state: Locked<State>

  init(permits: Int = 1) { state = Locked(State(free: permits)) }

  /// Waits for a permit, even if the task is cancelled.
  func wait() async {
    _ = await withCheckedContinuation { turn in _ = join(turn) }
  }

  /// Waits for a permit, and gives up when `end` returns.
  ///
  /// - Returns: Whether the caller got a permit.
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

  /// Returns a permit, which the first waiter gets.
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

  /// Takes a free permit, or joins the queue and returns its number there.
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

/// The permit that one feed needs to read its documents or to fetch its pictures.
///
/// A feed with a permit uses memory for images on their way into the store. A feed that is only asked whether it has
/// changed uses almost none, and usually it has not. So many more of those may run at once.
final class FeedPermit: Sendable {
  private let semaphore: AsyncSemaphore
  private let isTaken = Locked(false)

  init(of semaphore: AsyncSemaphore) { self.semaphore = semaphore }

  /// Waits for the permit, unless the feed has it already.
  func take() async {
    if isTaken.withLock({ $0 }) { return }
    await semaphore.wait()
    isTaken.withLock { $0 = true }
  }

  /// Waits for the permit, and gives up when `end` returns.
  ///
  /// - Returns: Whether the feed has the permit.
  func take(before end: @escaping @Sendable () async throws -> Void) async -> Bool {
    if isTaken.withLock({ $0 }) { return true }
    let hasPermit = await semaphore.wait(before: end)
    isTaken.withLock { $0 = hasPermit }
    return hasPermit
  }

  /// Returns the permit, if the feed has it.
  func release() {
    let wasTaken = isTaken.withLock { isTaken in
      defer { isTaken = false }
      return isTaken
    }
    if wasTaken { semaphore.signal() }
  }
}
