/// Long work that is under way, and says what becomes of it.
package struct FactRun<Fact: Sendable, Progress: Sendable>: Sendable {
  /// What it says, in order; read it to its end.
  package let facts: AsyncStream<Fact>
  package let progress: Progress
  private let whenStopped: @Sendable () -> Void

  package init(
    facts: AsyncStream<Fact>,
    progress: Progress,
    whenStopped: @escaping @Sendable () -> Void
  ) {
    self.facts = facts
    self.progress = progress
    self.whenStopped = whenStopped
  }

  /// Starts work, which runs whether or not its facts are read.
  ///
  /// - Parameters:
  ///   - progress: How far the work is, which it notes itself.
  ///   - work: Tells its facts; a stop cancels its task.
  package init(
    _ progress: Progress,
    _ work: @escaping @Sendable (AsyncStream<Fact>.Continuation) async -> Void
  ) {
    let (facts, teller) = AsyncStream.makeStream(of: Fact.self)
    let task = Task {
      await work(teller)
      teller.finish()
    }
    self.init(facts: facts, progress: progress, whenStopped: { task.cancel() })
  }

  /// Asks it to stop: what has come is kept, and the facts go on to a true end.
  package func stop() { whenStopped() }
}

/// A request to stop, made from any thread and heard by the workers.
package final class StopRequest: Sendable {
  private struct State {
    var isMade = false
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())

  package init() {}

  /// Whether the request has been made.
  package var isMade: Bool { state.withLock { $0.isMade } }

  /// Makes the request; a second time has no effect.
  package func make() {
    let actions = state.withLock { state in
      state.isMade = true
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }

  /// Runs `action` when the request is made, at once if it has been made already.
  package func whenMade(_ action: @escaping @Sendable () -> Void) {
    let isMade = state.withLock { state in
      if !state.isMade { state.actions.append(action) }
      return state.isMade
    }
    if isMade { action() }
  }
}
