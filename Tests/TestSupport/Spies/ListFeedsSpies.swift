package import Scenes

/// Records the responses that the interactor of ListFeeds presents.
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

/// Records the view models that ListFeeds displays for people.
package final class ListFeedsDisplaySpy: ListFeedsDisplayLogic {
  package enum Event: Equatable {
    case fetchedFeeds(ListFeeds.FetchFeeds.ViewModel)
    case fetchedManifests(ListFeeds.FetchManifests.ViewModel)
    case removedFeed(ListFeeds.RemoveFeed.ViewModel)
    case changedFeed(ListFeeds.ChangeFeed.ViewModel)
    case failure(Fail.ViewModel)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    events.append(.fetchedFeeds(viewModel))
  }

  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel) {
    events.append(.fetchedManifests(viewModel))
  }

  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel) {
    events.append(.removedFeed(viewModel))
  }

  package func displayChangedFeed(viewModel: ListFeeds.ChangeFeed.ViewModel) {
    events.append(.changedFeed(viewModel))
  }

  package func displayFailure(viewModel: Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}
