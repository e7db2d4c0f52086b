/// A verification that is under way.
package struct VerificationRun: Sendable {
  /// What it says, in order; read it to its end.
  package let facts: AsyncStream<CheckFact>
  package let progress: VerificationProgress
  private let whenStopped: @Sendable () -> Void

  package init(
    facts: AsyncStream<CheckFact>,
    progress: VerificationProgress,
    whenStopped: @escaping @Sendable () -> Void
  ) {
    self.facts = facts
    self.progress = progress
    self.whenStopped = whenStopped
  }

  /// Asks it to stop: the facts go on to a true `ended`, and the next one goes on from there.
  package func stop() { whenStopped() }
}
