package import Workers

/// Tells the facts of a sync that it was given, and notes what it is asked.
package final class SyncStub: Syncing {
  package enum Event: Equatable, Sendable {
    case sync(SyncPlan)
    case stop
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let facts: [SyncFact]

  /// Takes the facts; when the last is no `ended`, the sync goes on until it is stopped.
  package init(_ facts: [SyncFact] = []) { self.facts = facts }

  package func sync(_ plan: SyncPlan) -> SyncRun {
    note(.sync(plan))
    let (stream, teller) = AsyncStream.makeStream(of: SyncFact.self)
    for fact in facts { teller.yield(fact) }
    if case .ended = facts.last { teller.finish() }
    // Of a sync that takes no time.
    let start = ContinuousClock.now
    return SyncRun(facts: stream, progress: SyncProgress { start }) { [self] in
      note(.stop)
      teller.yield(.ended(SyncEnd(isInterrupted: true)))
      teller.finish()
    }
  }

  private func note(_ event: Event) { recorded.withLock { $0.append(event) } }
}
