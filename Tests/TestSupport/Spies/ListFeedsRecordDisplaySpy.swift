package import Scenes

/// Notes what is to be shown of ListFeeds to scripts.
package final class ListFeedsRecordDisplaySpy: ListFeedsRecordDisplayLogic {
  package enum Event: Equatable {
    case fetchedFeeds(ListFeeds.FetchFeeds.RecordViewModel)
    case fetchedManifests(ListFeeds.FetchManifests.RecordViewModel)
    case removedFeed(ListFeeds.RemoveFeed.RecordViewModel)
    case namedFeed(ListFeeds.NameFeed.RecordViewModel)
    case failure(ListFeeds.Fail.ViewModel)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.RecordViewModel) {
    events.append(.fetchedFeeds(viewModel))
  }

  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.RecordViewModel) {
    events.append(.fetchedManifests(viewModel))
  }

  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.RecordViewModel) {
    events.append(.removedFeed(viewModel))
  }

  package func displayNamedFeed(viewModel: ListFeeds.NameFeed.RecordViewModel) {
    events.append(.namedFeed(viewModel))
  }

  package func displayFailure(viewModel: ListFeeds.Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}
