/// Works on up to `limit` items at a time, until `next` returns nil.
///
/// The caller's own task handles each outcome, one after another, while other work continues. After a cancellation no
/// new work begins, and the running work ends.
func workConcurrently<Item: Sendable, Outcome: Sendable>(
  atOnce limit: Int,
  next: () async -> Item?,
  work: @escaping @Sendable (Item) async -> Outcome,
  handle: (Outcome) async -> Void
) async {
  await withTaskGroup(of: Outcome.self) { group in
    var running = 0
    while true {
      while running < limit, !Task.isCancelled, let item = await next() {
        group.addTask { await work(item) }
        running += 1
      }
      guard let outcome = await group.next() else { return }
      running -= 1
      await handle(outcome)
    }
  }
}

extension Array where Element: Sendable {
  /// Works on all elements at once, and returns the outcomes in the order of the elements.
  ///
  /// All work ends before the first failure in that order is thrown.
  func mapConcurrently<Outcome: Sendable, Failure>(
    _ work: @escaping @Sendable (Element) async throws(Failure) -> Outcome
  ) async throws(Failure) -> [Outcome] {
    let outcomes = await withTaskGroup(of: (Int, Result<Outcome, Failure>).self) { group in
      for (index, element) in enumerated() {
        group.addTask { await (index, Self.outcome(of: element, work)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return try outcomes.sorted { $0.0 < $1.0 }.map { (_, outcome) throws(Failure) in
      try outcome.get()
    }
  }

  private static func outcome<Outcome, Failure>(
    of element: Element,
    _ work: (Element) async throws(Failure) -> Outcome
  ) async -> Result<Outcome, Failure> {
    await Result(of: try await work(element))
  }
}

extension Result {
  /// Captures the outcome of work in a task group, which loses the type of thrown errors.
  init(of work: @autoclosure () async throws(Failure) -> Success) async {
    do { self = .success(try await work()) } catch { self = .failure(error) }
  }
}
