package import Scenes

/// Notes what is to be shown of ListImages to people.
package final class ListImagesDisplaySpy: ListImagesDisplayLogic {
  package enum Event: Equatable {
    case startedSync
    case syncProblem(ListImages.SyncFeeds.Problem.ViewModel)
    case syncNotice(ListImages.SyncFeeds.Notice.ViewModel)
    case syncedFeed(ListImages.SyncFeeds.FeedFinished.ViewModel)
    case endedSync(ListImages.SyncFeeds.Ended.ViewModel)
    case timedSync(ListImages.SyncFeeds.Timed.ViewModel)
    case fetchedImages(ListImages.FetchImages.ViewModel)
    case undrawnImages(ListImages.FetchImages.Undrawn.ViewModel)
    case endedFetch(ListImages.FetchImages.Ended.ViewModel)
    case failure(ListImages.Fail.ViewModel)
  }

  package private(set) var events: [Event] = []
  /// What gives the progress of each sync that was started.
  package private(set) var samples: [@Sendable () -> ProgressLine] = []

  package init() {}

  package func displayStartedSync(viewModel: ListImages.SyncFeeds.Started.ViewModel) {
    events.append(.startedSync)
    samples.append(viewModel.sample)
  }

  package func displaySyncProblem(viewModel: ListImages.SyncFeeds.Problem.ViewModel) {
    events.append(.syncProblem(viewModel))
  }

  package func displaySyncNotice(viewModel: ListImages.SyncFeeds.Notice.ViewModel) {
    events.append(.syncNotice(viewModel))
  }

  package func displaySyncedFeed(viewModel: ListImages.SyncFeeds.FeedFinished.ViewModel) {
    events.append(.syncedFeed(viewModel))
  }

  package func displayEndedSync(viewModel: ListImages.SyncFeeds.Ended.ViewModel) {
    events.append(.endedSync(viewModel))
  }

  package func displayTimedSync(viewModel: ListImages.SyncFeeds.Timed.ViewModel) {
    events.append(.timedSync(viewModel))
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
    events.append(.fetchedImages(viewModel))
  }

  package func displayUndrawnImages(viewModel: ListImages.FetchImages.Undrawn.ViewModel) {
    events.append(.undrawnImages(viewModel))
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    events.append(.endedFetch(viewModel))
  }

  package func displayFailure(viewModel: ListImages.Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}
