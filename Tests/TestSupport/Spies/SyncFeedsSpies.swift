package import Scenes
package import Workers

/// Records the responses that the interactor of SyncFeeds presents.
package final class SyncFeedsPresentationSpy: SyncFeedsPresentationLogic {
  package enum Event: Equatable {
    case syncProgress(SyncFeeds.Progress.Response)
    case syncProblem(SyncFeeds.Problem.Response)
    case syncNotice(SyncFeeds.Notice.Response)
    case explainedEntries(SyncFeeds.Explained.Response)
    case syncedFeed(SyncFeeds.FeedFinished.Response)
    case watchedFeeds(SyncFeeds.Watch.Response)
    case endedSync(SyncFeeds.Ended.Response)
    case timedSync(SyncFeeds.Timed.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentSyncProgress(response: SyncFeeds.Progress.Response) {
    events.append(.syncProgress(response))
  }

  package func presentSyncProblem(response: SyncFeeds.Problem.Response) {
    events.append(.syncProblem(response))
  }

  package func presentSyncNotice(response: SyncFeeds.Notice.Response) {
    events.append(.syncNotice(response))
  }

  package func presentExplainedEntries(response: SyncFeeds.Explained.Response) {
    events.append(.explainedEntries(response))
  }

  package func presentSyncedFeed(response: SyncFeeds.FeedFinished.Response) {
    events.append(.syncedFeed(response))
  }

  package func presentWatchedFeeds(response: SyncFeeds.Watch.Response) {
    events.append(.watchedFeeds(response))
  }

  package func presentEndedSync(response: SyncFeeds.Ended.Response) {
    events.append(.endedSync(response))
  }

  package func presentTimedSync(response: SyncFeeds.Timed.Response) {
    events.append(.timedSync(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}

/// Records the view models that SyncFeeds displays for people.
package final class SyncFeedsDisplaySpy: SyncFeedsDisplayLogic {
  package enum Event: Equatable {
    case syncProgress(Run.Progress.ViewModel)
    case syncProblem(SyncFeeds.Problem.ViewModel)
    case syncNotice(SyncFeeds.Notice.ViewModel)
    case explainedEntries(SyncFeeds.Explained.ViewModel)
    case syncedFeed(SyncFeeds.FeedFinished.ViewModel)
    case watchedFeeds(SyncFeeds.Watch.ViewModel)
    case endedSync(SyncFeeds.Ended.ViewModel)
    case timedSync(SyncFeeds.Timed.ViewModel)
    case failure(Fail.ViewModel)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func displayProgress(viewModel: Run.Progress.ViewModel) {
    events.append(.syncProgress(viewModel))
  }

  package func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel) {
    events.append(.syncProblem(viewModel))
  }

  package func displaySyncNotice(viewModel: SyncFeeds.Notice.ViewModel) {
    events.append(.syncNotice(viewModel))
  }

  package func displayExplainedEntries(viewModel: SyncFeeds.Explained.ViewModel) {
    events.append(.explainedEntries(viewModel))
  }

  package func displaySyncedFeed(viewModel: SyncFeeds.FeedFinished.ViewModel) {
    events.append(.syncedFeed(viewModel))
  }

  package func displayWatchedFeeds(viewModel: SyncFeeds.Watch.ViewModel) {
    events.append(.watchedFeeds(viewModel))
  }

  package func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel) {
    events.append(.endedSync(viewModel))
  }

  package func displayTimedSync(viewModel: SyncFeeds.Timed.ViewModel) {
    events.append(.timedSync(viewModel))
  }

  package func displayFailure(viewModel: Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}

/// Returns the given facts of a sync, and records the requests.
package final class SyncStub: Syncing {
  package enum Event: Equatable, Sendable {
    case sync(SyncPlan)
    case stop
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let facts: [SyncFact]

  /// Creates a stub; unless the last fact is `ended`, the sync continues until it is stopped.
  package init(_ facts: [SyncFact] = []) { self.facts = facts }

  package func sync(_ plan: SyncPlan) -> SyncRun {
    note(.sync(plan))
    let (stream, teller) = AsyncStream.makeStream(of: SyncFact.self)
    for fact in facts { teller.yield(fact) }
    if case .ended = facts.last { teller.finish() }
    // The sync takes no time.
    let start = ContinuousClock.now
    return SyncRun(facts: stream, progress: SyncProgress { start }) { [self] in
      note(.stop)
      teller.yield(.ended(SyncEnd(isInterrupted: true)))
      teller.finish()
    }
  }

  private func note(_ event: Event) { recorded.withLock { $0.append(event) } }
}
