/// What a verification is asked to do.
package struct VerificationPlan: Sendable, Equatable {
  /// Whether what is damaged is fetched or made again.
  package var isRepairing: Bool
  /// Whether it starts from the beginning, not where an earlier one was interrupted.
  package var restarts: Bool

  package init(isRepairing: Bool = false, restarts: Bool = false) {
    self.isRepairing = isRepairing
    self.restarts = restarts
  }
}
