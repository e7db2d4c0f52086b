package import Workers

/// Answers with what it was given, and notes what it is asked.
package final class LibraryCleaningStub: LibraryCleaning {
  /// Whether each cleaning that was asked for was a rehearsal.
  package var rehearsals: [Bool] { recorded.withLock { $0 } }
  private let recorded = Locked<[Bool]>([])
  private let result: Result<CleanedLibrary, StoreError>

  package init(_ result: Result<CleanedLibrary, StoreError> = .success(CleanedLibrary())) {
    self.result = result
  }

  package func clean(isRehearsal: Bool) throws(StoreError) -> CleanedLibrary {
    recorded.withLock { $0.append(isRehearsal) }
    return try result.get()
  }
}
