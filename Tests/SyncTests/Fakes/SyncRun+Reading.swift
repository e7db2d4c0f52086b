import Models
import Workers

extension SyncRun {
  /// What it says to its end; how long it took is left out.
  func allFacts() async -> [SyncFact] {
    var facts: [SyncFact] = []
    for await fact in self.facts { facts.append(fact.withoutDuration) }
    return facts
  }
}

extension SyncFact {
  fileprivate var withoutDuration: SyncFact {
    guard case .feedFinished(var summary) = self else { return self }
    summary.duration = .zero
    return .feedFinished(summary)
  }
}

extension [SyncFact] {
  var explanations: [EntryExplanation] {
    flatMap { fact -> [EntryExplanation] in
      if case .explained(let entries, .feed) = fact { entries } else { [] }
    }
  }

  var notices: [SyncNotice] {
    compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
  }

  var summaries: [FeedSyncSummary] {
    compactMap { if case .feedFinished(let summary) = $0 { summary } else { nil } }
  }

  var problems: [SyncProblem] {
    compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
  }
}
