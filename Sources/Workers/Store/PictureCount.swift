package import Models

/// How many pictures of a feed are wanted.
package struct PictureCount: Sendable, Equatable {
  /// Those that are asked for.
  package var offered: Int
  /// Those that have failed too lately to be asked for again.
  package var heldBack: Int
  /// Why they are held back, the most frequent reason first.
  package var failures: [FailureGroup]

  package init(offered: Int, heldBack: Int, failures: [FailureGroup] = []) {
    self.offered = offered
    self.heldBack = heldBack
    self.failures = failures
  }

  /// All that are wanted.
  package var wanted: Int { offered + heldBack }
}
