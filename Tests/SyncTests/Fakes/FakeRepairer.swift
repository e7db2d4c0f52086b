import Workers

/// Repairs whatever it is given, or nothing, and notes what that was.
final class FakeRepairer: PictureRepairing {
  private let recorded = Locked<[CheckedThing]>([])
  private let failure: Failure?

  init(failure: Failure? = nil) { self.failure = failure }

  var things: [CheckedThing] { recorded.withLock { $0 } }

  func repair(_ thing: CheckedThing) async throws(Failure) {
    recorded.withLock { $0.append(thing) }
    if let failure { throw failure }
  }
}
