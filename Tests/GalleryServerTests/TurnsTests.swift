import TestSupport
import Testing
import Workers

@testable import gallery_server

struct TurnsTests {
  private let turns = Turns<String>(of: 1)
  private let gate = Gate()

  /// Uses the only place until the gate opens.
  private func occupy() async -> Task<Void, any Error> {
    let begun = Gate()
    let task = Task {
      try await turns.run(for: "first") {
        begun.open()
        await gate.passed()
      }
    }
    await begun.passed()
    return task
  }

  @Test func `a client with much work delays another one by one piece`() async throws {
    let first = await occupy()
    let done = Locked<[String]>([])
    var tasks: [Task<Void, any Error>] = []
    for client in ["many", "many", "many", "one"] {
      let task = Task {
        try await turns.run(for: client) { done.withLock { $0.append(client) } }
      }
      tasks.append(task)
      while turns.waitingCount < tasks.count { await Task.yield() }
    }

    gate.open()
    for task in [first] + tasks { try await task.value }

    #expect(done.snapshot == ["many", "one", "many", "many"])
  }

  @Test func `work that is cancelled before its turn is not done, and takes no place`() async throws
  {
    let first = await occupy()
    let abandoned = Task {
      try await turns.run(for: "left") { Issue.record("the work was done") }
    }
    while turns.waitingCount < 1 { await Task.yield() }

    abandoned.cancel()
    await #expect(throws: CancellationError.self) { try await abandoned.value }
    #expect(turns.waitingCount == 0)

    gate.open()
    try await first.value
    #expect(try await turns.run(for: "next") { 7 } == 7)
  }
}
