/// How a whole sync ended.
package struct SyncEnd: Sendable, Equatable {
  /// Whether it was asked to stop before it was done.
  package var isInterrupted: Bool

  package init(isInterrupted: Bool) { self.isInterrupted = isInterrupted }
}
