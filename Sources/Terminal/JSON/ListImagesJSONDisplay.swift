package import Scenes

/// Lists for scripts: a JSON object a line.
package final class ListImagesJSONDisplay: CommandDisplay, ListImagesRecordDisplayLogic {
  package func displaySyncProblem(viewModel: ListImages.SyncFeeds.Problem.ViewModel) {
    tell(viewModel)
  }

  package func displaySyncNotice(viewModel: ListImages.SyncFeeds.Notice.ViewModel) {
    console.note(viewModel.text)
  }

  package func displaySyncedFeed(viewModel: ListImages.SyncFeeds.FeedFinished.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
  }

  package func displayEndedSync(viewModel: ListImages.SyncFeeds.Ended.ViewModel) {
    if let note = viewModel.note { console.say(note) }
    note(viewModel.outcome)
  }

  package func displayTimedSync(viewModel: ListImages.SyncFeeds.Timed.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    console.write(JSONLine.lines(viewModel.records))
  }

  package func displayFailure(viewModel: ListImages.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}
