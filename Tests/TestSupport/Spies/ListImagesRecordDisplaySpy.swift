package import Scenes

/// Notes what is to be shown of ListImages to scripts.
package final class ListImagesRecordDisplaySpy: ListImagesRecordDisplayLogic {
  package enum Event: Equatable {
    case syncProblem(ListImages.SyncFeeds.Problem.ViewModel)
    case syncNotice(ListImages.SyncFeeds.Notice.ViewModel)
    case syncedFeed(ListImages.SyncFeeds.FeedFinished.RecordViewModel)
    case endedSync(ListImages.SyncFeeds.Ended.ViewModel)
    case timedSync(ListImages.SyncFeeds.Timed.RecordViewModel)
    case fetchedImages(ListImages.FetchImages.RecordViewModel)
    case failure(ListImages.Fail.ViewModel)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func displaySyncProblem(viewModel: ListImages.SyncFeeds.Problem.ViewModel) {
    events.append(.syncProblem(viewModel))
  }

  package func displaySyncNotice(viewModel: ListImages.SyncFeeds.Notice.ViewModel) {
    events.append(.syncNotice(viewModel))
  }

  package func displaySyncedFeed(viewModel: ListImages.SyncFeeds.FeedFinished.RecordViewModel) {
    events.append(.syncedFeed(viewModel))
  }

  package func displayEndedSync(viewModel: ListImages.SyncFeeds.Ended.ViewModel) {
    events.append(.endedSync(viewModel))
  }

  package func displayTimedSync(viewModel: ListImages.SyncFeeds.Timed.RecordViewModel) {
    events.append(.timedSync(viewModel))
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    events.append(.fetchedImages(viewModel))
  }

  package func displayFailure(viewModel: ListImages.Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}
