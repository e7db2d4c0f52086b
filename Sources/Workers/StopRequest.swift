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
