package import Scenes

/// Records what the interactor of ListFeeds presents.
package final class ListFeedsPresentationSpy: ListFeedsPresentationLogic {
  package enum Event: Equatable {
    case fetchedFeeds(ListFeeds.FetchFeeds.Response)
    case fetchedManifests(ListFeeds.FetchManifests.Response)
    case removedFeed(ListFeeds.RemoveFeed.Response)
    case changedFeed(ListFeeds.ChangeFeed.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentFetchedFeeds(response: ListFeeds.FetchFeeds.Response) {
    events.append(.fetchedFeeds(response))
  }

  package func presentFetchedManifests(response: ListFeeds.FetchManifests.Response) {
    events.append(.fetchedManifests(response))
  }

  package func presentRemovedFeed(response: ListFeeds.RemoveFeed.Response) {
    events.append(.removedFeed(response))
  }

  package func presentChangedFeed(response: ListFeeds.ChangeFeed.Response) {
    events.append(.changedFeed(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}
