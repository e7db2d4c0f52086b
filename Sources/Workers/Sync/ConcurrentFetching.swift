/// Keeps up to `limit` fetches under way until there is nothing more to ask for.
///
/// What has been fetched is handled in the caller's own task, one outcome after the other, while the
/// rest goes on. Once the task is cancelled nothing new begins, and what is under way comes to its end.
func fetchConcurrently<Outcome: Sendable>(
  atOnce limit: Int,
  next: () -> PictureOrder?,
  fetch: @escaping @Sendable (PictureOrder) async -> Outcome,
  handle: (Outcome) async -> Void
) async {
  await withTaskGroup(of: Outcome.self) { group in
    var running = 0
    while true {
      while running < limit, !Task.isCancelled, let order = next() {
        group.addTask { await fetch(order) }
        running += 1
      }
      guard let outcome = await group.next() else { return }
      running -= 1
      await handle(outcome)
    }
  }
}
