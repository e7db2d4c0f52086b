/// Long work that is running and reports facts about its progress.
package struct FactRun<Fact: Sendable, Progress: Sendable>: Sendable {
  /// The facts, in order; the reader must read them to the end.
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

  /// Starts the work, which runs whether or not its facts are read.
  ///
  /// - Parameters:
  ///   - progress: The progress of the work, which the work updates itself.
  ///   - work: Does the work and yields its facts; a request to stop cancels its task.
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

  /// Asks the work to stop; its results so far are kept, and the facts still end regularly.
  package func stop() { whenStopped() }
}

/// A request to stop, which any thread can make and which workers observe.
package final class StopRequest: Sendable {
  private struct State {
    var isMade = false
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())

  package init() {}

  /// Whether the request has been made.
  package var isMade: Bool { state.withLock { $0.isMade } }

  /// Makes the request; repeated calls have no effect.
  package func make() {
    let actions = state.withLock { state in
      state.isMade = true
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }

  /// Runs `action` when the request is made, or immediately if it has been made already.
  package func whenMade(_ action: @escaping @Sendable () -> Void) {
    let isMade = state.withLock { state in
      if !state.isMade { state.actions.append(action) }
      return state.isMade
    }
    if isMade { action() }
  }
}
