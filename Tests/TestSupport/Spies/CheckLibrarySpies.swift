package import Scenes
package import Workers

/// Records the responses that the interactor of CheckLibrary presents.
package final class CheckLibraryPresentationSpy: CheckLibraryPresentationLogic {
  package enum Event: Equatable {
    case described(CheckLibrary.DescribeLibrary.Response)
    case nodes(CheckLibrary.DescribeNodes.Response)
    case progress(Run.Progress.Response<VerificationCounts>)
    case note(CheckLibrary.VerifyLibrary.Note.Response)
    case ended(CheckLibrary.VerifyLibrary.Ended.Response)
    case cleaned(CheckLibrary.CleanLibrary.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentDescribedLibrary(response: CheckLibrary.DescribeLibrary.Response) {
    events.append(.described(response))
  }

  package func presentDescribedNodes(response: CheckLibrary.DescribeNodes.Response) {
    events.append(.nodes(response))
  }

  package func presentProgress(response: Run.Progress.Response<VerificationCounts>) {
    events.append(.progress(response))
  }

  package func presentNote(response: CheckLibrary.VerifyLibrary.Note.Response) {
    events.append(.note(response))
  }

  package func presentEnd(response: CheckLibrary.VerifyLibrary.Ended.Response) {
    events.append(.ended(response))
  }

  package func presentCleanedLibrary(response: CheckLibrary.CleanLibrary.Response) {
    events.append(.cleaned(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}

/// Returns the given facts of a verification, and records the requests.
package final class LibraryVerifyingStub: LibraryVerifying {
  package enum Event: Equatable, Sendable {
    case verify(VerificationPlan)
    case stop
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let facts: [CheckFact]

  /// Creates a stub; unless the last fact is `ended`, the verification continues until it is stopped.
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

/// Returns the given answers, and records the requests.
package final class LibraryCleaningStub: LibraryCleaning {
  /// The plans of all cleanings.
  package var plans: [CleaningPlan] { recorded.withLock { $0 } }
  private let recorded = Locked<[CleaningPlan]>([])
  private let result: Result<CleanedLibrary, StoreError>

  package init(_ result: Result<CleanedLibrary, StoreError> = .success(CleanedLibrary())) {
    self.result = result
  }

  package func clean(_ plan: CleaningPlan) throws(StoreError) -> CleanedLibrary {
    recorded.withLock { $0.append(plan) }
    return try result.get()
  }
}
