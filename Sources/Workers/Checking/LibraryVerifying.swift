/// Finds out whether what a library has stored is still what was stored.
package protocol LibraryVerifying: Sendable {
  /// Starts a verification; it runs whether or not its facts are read.
  func verify(_ plan: VerificationPlan) -> VerificationRun
}
