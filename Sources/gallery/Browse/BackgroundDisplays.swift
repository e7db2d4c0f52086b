import Scenes
import Terminal
import Workers

/// Passes the view models of a background scene to the display in the event loop.
struct SentImageDisplay: ShowImageDisplayLogic {
  let send: @Sendable (@escaping @Sendable (ImageDisplay) -> Void) -> Void

  func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    send { $0.displayFetchedThumbnail(viewModel: viewModel) }
  }

  func displayProgress(viewModel: Run.Progress.ViewModel) {
    send { $0.displayProgress(viewModel: viewModel) }
  }

  func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {
    send { $0.displayPartialOriginal(viewModel: viewModel) }
  }

  func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    send { $0.displayFetchedOriginal(viewModel: viewModel) }
  }

  func displayUnavailableOriginal(viewModel: Fail.ViewModel) {
    send { $0.displayUnavailableOriginal(viewModel: viewModel) }
  }

  func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    send { $0.displayDescribedImage(viewModel: viewModel) }
  }

  func displayExplainedImage(viewModel: ShowImage.ExplainImage.ViewModel) {
    send { $0.displayExplainedImage(viewModel: viewModel) }
  }

  func displayReadThumbnail(viewModel: ShowImage.ReadThumbnail.ViewModel) {}

  func displayFailure(viewModel: Fail.ViewModel) {
    send { $0.displayFailure(viewModel: viewModel) }
  }
}

/// Passes the feeds to the event loop.
struct SentFeedsDisplay: ListFeedsDisplayLogic {
  let send: @Sendable (@escaping @Sendable (FeedListDisplay) -> Void) -> Void

  func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    send { $0.displayFetchedFeeds(viewModel: viewModel) }
  }

  func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel) {}
  func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel) {}
  func displayChangedFeed(viewModel: ListFeeds.ChangeFeed.ViewModel) {}

  func displayFailure(viewModel: Fail.ViewModel) {
    send { $0.displayFailure(viewModel: viewModel) }
  }
}

/// Stores the last messages of a sync, and passes its progress to the event loop.
final class SentSyncDisplay: SyncFeedsDisplayLogic {
  private let send: @Sendable (BrowseEvent) -> Void
  /// The message at the end of the sync; a failure takes precedence over a summary.
  private var summary: String?
  private var problem: String?

  init(_ send: @escaping @Sendable (BrowseEvent) -> Void) { self.send = send }

  var lastWords: String? { problem ?? summary }

  func displayProgress(viewModel: Run.Progress.ViewModel) {
    send(.syncing(viewModel.line))
  }

  func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel) {
    if viewModel.severity == .failure { problem = viewModel.text.commandLine }
  }

  func displaySyncNotice(viewModel: SyncFeeds.Notice.ViewModel) {
    send(.message(viewModel.text.commandLine))
  }

  func displayExplainedEntries(viewModel: SyncFeeds.Explained.ViewModel) {}

  func displaySyncedFeed(viewModel: SyncFeeds.FeedFinished.ViewModel) {
    summary = viewModel.text.commandLine
  }

  func displayWatchedFeeds(viewModel: SyncFeeds.Watch.ViewModel) {}

  func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel) {
    if let totals = viewModel.totals { summary = totals }
    if let note = viewModel.note { problem = problem ?? note }
  }

  func displayTimedSync(viewModel: SyncFeeds.Timed.ViewModel) {}

  func displayFailure(viewModel: Fail.ViewModel) { problem = viewModel.message.commandLine }
}
