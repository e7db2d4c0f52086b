/// What a verification is asked to do.
package struct VerificationPlan: Sendable, Equatable {
  /// Whether what is damaged is fetched or made again.
  package var isRepairing: Bool
  /// Whether it begins anew where an earlier one was interrupted.
  package var startsAnew: Bool

  package init(isRepairing: Bool = false, startsAnew: Bool = false) {
    self.isRepairing = isRepairing
    self.startsAnew = startsAnew
  }
}
