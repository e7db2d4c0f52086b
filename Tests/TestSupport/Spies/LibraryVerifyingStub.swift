package import Workers

/// Tells the facts of a verification that it was given, and notes what it is asked.
package final class LibraryVerifyingStub: LibraryVerifying {
  package enum Event: Equatable, Sendable {
    case verify(VerificationPlan)
    case stop
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let facts: [CheckFact]

  /// Takes the facts; when the last is no `ended`, the verification goes on until it is stopped.
  package init(_ facts: [CheckFact] = []) { self.facts = facts }

  package func verify(_ plan: VerificationPlan) -> VerificationRun {
    note(.verify(plan))
    let (stream, teller) = AsyncStream.makeStream(of: CheckFact.self)
    for fact in facts { teller.yield(fact) }
    if case .ended = facts.last { teller.finish() }
    return VerificationRun(facts: stream, progress: Locked(VerificationCounts())) { [self] in
      note(.stop)
      teller.yield(.ended(VerificationCounts(), isInterrupted: true))
      teller.finish()
    }
  }

  private func note(_ event: Event) { recorded.withLock { $0.append(event) } }
}
