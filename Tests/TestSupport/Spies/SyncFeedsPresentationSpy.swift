package import Scenes

/// Records what the interactor of SyncFeeds presents.
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
