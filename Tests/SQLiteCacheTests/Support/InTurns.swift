import Testing
import Workers

/// Lets few tests of a suite use PostgreSQL at once.
///
/// Swift Testing starts all tests at once, and each would otherwise make tables of its own (`TemporaryDatabase`).
struct InTurns: SuiteTrait, TestTrait, TestScoping {
  private struct State: Sendable {
    var free = 4
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let state = Locked(State())

  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    // A suite itself has no case.
    testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws { try await Self.wait(for: function) }

  /// Runs a test when it is its turn.
  static func wait(for test: @Sendable @concurrent () async throws -> Void) async throws {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 { state.waiting.append(continuation) }
        defer { state.free = max(0, state.free - 1) }
        return state.free > 0
      }
      if isFree { continuation.resume() }
    }
    defer {
      let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if !state.waiting.isEmpty { return state.waiting.removeFirst() }
        state.free += 1
        return nil
      }
      next?.resume()
    }
    try await test()
  }
}

extension Trait where Self == InTurns {
  static var inTurns: Self { Self() }
}
