/// A sync that is under way.
package struct SyncRun: Sendable {
  /// What it says, in order; read it to its end.
  package let facts: AsyncStream<SyncFact>
  package let progress: SyncProgress
  private let whenStopped: @Sendable () -> Void

  package init(
    facts: AsyncStream<SyncFact>,
    progress: SyncProgress,
    whenStopped: @escaping @Sendable () -> Void
  ) {
    self.facts = facts
    self.progress = progress
    self.whenStopped = whenStopped
  }

  /// Asks it to stop: what has come is stored, and the facts go on to a true `ended`.
  package func stop() { whenStopped() }
}
