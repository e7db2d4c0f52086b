package import Workers

/// Answers with what it was given, and notes what it is asked.
package final class LibraryCleaningStub: LibraryCleaning {
  /// How it was asked to clean each time.
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
