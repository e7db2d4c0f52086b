import Models
import Workers

/// Tells other programs of new images, one at a time, until the sync is to stop.
final class Telling: Sendable {
  private struct State {
    /// The program that is being told.
    var task: Task<String?, Never>?
    var isStopping = false
    /// Whether a program has failed since then; the others are not told, so that the sync ends soon.
    var isOver = false
  }

  private let state = Locked(State())

  /// Tells a program of images, and waits until it has taken them.
  ///
  /// - Returns: The reason of a failure; nil on success.
  func tell(
    _ teller: any NewImageTelling,
    of images: [WebImage],
    in feed: FeedReference
  ) async -> String? {
    if state.withLock({ $0.isOver }) { return Wording.stoppedTelling }
    let task = Task { await teller.tell(of: images, in: feed) }
    let isStopping = state.withLock { state in
      state.task = task
      return state.isStopping
    }
    if isStopping { task.cancel() }
    let reason = await task.value
    state.withLock { state in
      state.task = nil
      state.isOver = state.isStopping && reason != nil
    }
    return reason
  }

  /// Gives the program that is being told a moment to end, and each later one, too.
  func stop() {
    let task = state.withLock { state in
      state.isStopping = true
      return state.task
    }
    task?.cancel()
  }
}
