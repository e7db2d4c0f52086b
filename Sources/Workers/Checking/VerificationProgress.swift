/// How far a verification is, for whoever wants to look.
package final class VerificationProgress: Sendable {
  private let counts = Locked(VerificationCounts())

  package init() {}

  /// What it has looked at and found by now.
  package var snapshot: VerificationCounts { counts.withLock { $0 } }

  func set(_ counts: VerificationCounts) { self.counts.withLock { $0 = counts } }
}
