package import Scenes

/// Lists for scripts: a JSON object a line, or images in a format of their own.
package final class ListImagesJSONDisplay: CommandDisplay, ListImagesRecordDisplayLogic {
  private let format: ListFormat?

  /// Takes where to speak and, where images are not to be written as JSON, how.
  package init(console: Console, format: ListFormat? = nil) {
    self.format = format
    super.init(console: console)
  }

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
    if let format {
      console.write(viewModel.records.flatMap { format.line($0).utf8 })
    } else {
      console.write(JSONLine.lines(viewModel.records))
    }
  }

  package func displayFailure(viewModel: ListImages.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}
