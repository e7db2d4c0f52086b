/// Long work that is under way, and says what becomes of it.
package struct FactRun<Fact: Sendable, Progress: Sendable>: Sendable {
  /// What it says, in order; read it to its end.
  package let facts: AsyncStream<Fact>
  package let progress: Progress
  private let whenStopped: @Sendable () -> Void

  package init(
    facts: AsyncStream<Fact>,
    progress: Progress,
    whenStopped: @escaping @Sendable () -> Void
  ) {
    self.facts = facts
    self.progress = progress
    self.whenStopped = whenStopped
  }

  /// Starts work, which runs whether or not its facts are read.
  ///
  /// - Parameters:
  ///   - progress: How far the work is, which it notes itself.
  ///   - work: Tells its facts; a stop cancels its task.
  package init(
    _ progress: Progress,
    _ work: @escaping @Sendable (AsyncStream<Fact>.Continuation) async -> Void
  ) {
    let (facts, teller) = AsyncStream.makeStream(of: Fact.self)
    let task = Task {
      await work(teller)
      teller.finish()
    }
    self.init(facts: facts, progress: progress, whenStopped: { task.cancel() })
  }

  /// Asks it to stop: what has come is kept, and the facts go on to a true end.
  package func stop() { whenStopped() }
}
