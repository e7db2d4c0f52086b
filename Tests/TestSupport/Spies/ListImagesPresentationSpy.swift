package import Scenes

/// Notes what the interactor of ListImages tells.
package final class ListImagesPresentationSpy: ListImagesPresentationLogic {
  package enum Event: Equatable {
    case startedSync
    case syncProblem(ListImages.SyncFeeds.Problem.Response)
    case syncNotice(ListImages.SyncFeeds.Notice.Response)
    case syncedFeed(ListImages.SyncFeeds.FeedFinished.Response)
    case endedSync(ListImages.SyncFeeds.Ended.Response)
    case timedSync(ListImages.SyncFeeds.Timed.Response)
    case fetchedImages(ListImages.FetchImages.Response)
    case undrawnImages(ListImages.FetchImages.Undrawn.Response)
    case endedFetch(ListImages.FetchImages.Ended.Response)
    case failure(ListImages.Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentStartedSync(response: ListImages.SyncFeeds.Started.Response) {
    events.append(.startedSync)
  }

  package func presentSyncProblem(response: ListImages.SyncFeeds.Problem.Response) {
    events.append(.syncProblem(response))
  }

  package func presentSyncNotice(response: ListImages.SyncFeeds.Notice.Response) {
    events.append(.syncNotice(response))
  }

  package func presentSyncedFeed(response: ListImages.SyncFeeds.FeedFinished.Response) {
    events.append(.syncedFeed(response))
  }

  package func presentEndedSync(response: ListImages.SyncFeeds.Ended.Response) {
    events.append(.endedSync(response))
  }

  package func presentTimedSync(response: ListImages.SyncFeeds.Timed.Response) {
    events.append(.timedSync(response))
  }

  package func presentFetchedImages(response: ListImages.FetchImages.Response) {
    events.append(.fetchedImages(response))
  }

  package func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response) {
    events.append(.undrawnImages(response))
  }

  package func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {
    events.append(.endedFetch(response))
  }

  package func presentFailure(response: ListImages.Fail.Response) {
    events.append(.failure(response))
  }
}
