package import Workers

/// Returns the given facts of an export, and records the requests.
package final class SiteExportingStub: SiteExporting {
  package enum Event: Equatable, Sendable {
    case export(SiteExportPlan)
    case stop
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let facts: [SiteExportFact]
  private let goesOn: Bool

  /// Creates a stub.
  ///
  /// - Parameters:
  ///   - facts: The facts.
  ///   - goesOn: Whether the export continues until it is stopped.
  package init(_ facts: [SiteExportFact] = [], goesOn: Bool = false) {
    self.facts = facts
    self.goesOn = goesOn
  }

  package func export(_ plan: SiteExportPlan) -> SiteExportRun {
    note(.export(plan))
    let (stream, teller) = AsyncStream.makeStream(of: SiteExportFact.self)
    for fact in facts { teller.yield(fact) }
    if !goesOn { teller.finish() }
    return SiteExportRun(facts: stream, progress: Locked(SiteExportCounts())) { [self] in
      note(.stop)
      teller.yield(.ended(SiteExportCounts(), isInterrupted: true))
      teller.finish()
    }
  }

  private func note(_ event: Event) { recorded.withLock { $0.append(event) } }
}
