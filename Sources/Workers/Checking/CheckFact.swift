/// What a verification says while it runs; none is dropped, and `ended` is the last.
package enum CheckFact: Sendable, Equatable {
  /// It goes on from where an interrupted one stopped.
  case resumed
  case found(CheckFinding)
  /// A picture that was damaged or missing is right again.
  case repaired(CheckedThing)
  /// A picture could not be had again; what was stored of it stays.
  case notRepaired(CheckedThing, Failure)
  case ended(VerificationCounts, isInterrupted: Bool)
}
