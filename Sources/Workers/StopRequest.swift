/// A wish to stop, made from any thread and heard by whoever works.
package final class StopRequest: Sendable {
  private struct State {
    var isMade = false
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())

  package init() {}

  /// Whether the wish has been made.
  package var isMade: Bool { state.withLock { $0.isMade } }

  /// Makes the wish; a second time changes nothing.
  package func make() {
    let actions = state.withLock { state in
      state.isMade = true
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }

  /// Runs `action` when the wish is made: at once when it has been already.
  package func whenMade(_ action: @escaping @Sendable () -> Void) {
    let isMade = state.withLock { state in
      if !state.isMade { state.actions.append(action) }
      return state.isMade
    }
    if isMade { action() }
  }
}
