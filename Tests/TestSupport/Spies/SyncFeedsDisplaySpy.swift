package import Scenes

/// Records what SyncFeeds displays for people.
package final class SyncFeedsDisplaySpy: SyncFeedsDisplayLogic {
  package enum Event: Equatable {
    case syncProgress(SyncFeeds.Progress.ViewModel)
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

  package func displaySyncProgress(viewModel: SyncFeeds.Progress.ViewModel) {
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
