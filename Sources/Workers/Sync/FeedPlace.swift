/// A feed's place among those that are read, or whose pictures are fetched, at once.
///
/// What is on its way into the store takes memory for each of them. One that is only asked for takes next
/// to none, and mostly the answer is that it has not changed: of those there may be many more.
final class FeedPlace: Sendable {
  private let turnstile: Turnstile
  private let taken = Locked(false)

  init(at turnstile: Turnstile) { self.turnstile = turnstile }

  private var isTaken: Bool { taken.withLock { $0 } }

  /// Waits for it, unless it is taken already.
  func take() async {
    if isTaken { return }
    await turnstile.enter()
    taken.withLock { $0 = true }
  }

  /// Waits for it no longer than until `end` returns.
  ///
  /// - Returns: whether it is taken.
  func take(before end: @escaping @Sendable () async throws -> Void) async -> Bool {
    if isTaken { return true }
    let isIn = await turnstile.enter(before: end)
    taken.withLock { $0 = isIn }
    return isIn
  }

  /// Gives it back, if it was taken.
  func leave() {
    let wasTaken = taken.withLock { taken in
      defer { taken = false }
      return taken
    }
    if wasTaken { turnstile.leave() }
  }
}
