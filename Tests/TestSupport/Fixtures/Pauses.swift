package import Scenes

package enum Pauses {
  /// No pause: progress is never presented again.
  package static let never: Pause = { throw CancellationError() }
}
