import Testing

/// The kind of store that a test checks.
enum StoreKind: CaseIterable, Sendable {
  case sqlite
  case postgres

  /// The kind that the running test checks, in a suite that is `onEachStore`.
  @TaskLocal static var current = StoreKind.sqlite
}

/// Runs each test of a suite once for each store.
///
/// Swift Testing gives no arguments to the initialiser of a suite, in which these tests make their stores. So
/// `TemporaryStore` asks for the current kind, and each issue names it.
struct EachStore: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    // A suite itself has no case.
    testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    for kind in StoreKind.allCases {
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append("on \(kind)")
        return issue
      }
      try await StoreKind.$current.withValue(kind) {
        try await naming.provideScope(for: test, testCase: testCase) {
          if kind == .postgres {
            try await InTurns.wait(for: function)
          } else {
            try await function()
          }
        }
      }
    }
  }
}

/// Skips a test of such a suite on all stores but one.
struct OnlyStore: TestTrait, TestScoping {
  let kind: StoreKind

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    if StoreKind.current == kind { try await function() }
  }
}

extension Trait where Self == EachStore {
  static var onEachStore: Self { Self() }
}

extension Trait where Self == OnlyStore {
  /// Skips the test on the other stores, which do not have what the reason names.
  static func only(_ kind: StoreKind, _ reason: String) -> Self { Self(kind: kind) }
}
