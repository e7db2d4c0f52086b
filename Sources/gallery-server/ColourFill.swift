import Composition
import Workers

/// Gives stored thumbnails their colours while the server runs: from its start, after each sync, and when a browser
/// asks for some that have none.
///
/// It ends when all have theirs.
actor ColourFill {
  private let root: CompositionRoot
  private var task: Task<Void, Never>?
  private var isClosed = false

  init(_ root: CompositionRoot) { self.root = root }

  /// Begins, unless it is under way.
  func start() {
    guard task == nil, !isClosed else { return }
    task = Task {
      // Without a decoder every other attempt would fail likewise.
      if await !root.fillColours(pause: Limits.colourPause) { isClosed = true }
      task = nil
    }
  }

  func close() async {
    isClosed = true
    task?.cancel()
    await task?.value
  }
}
