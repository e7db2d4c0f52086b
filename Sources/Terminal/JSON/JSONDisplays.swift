package import Scenes

/// Lists for scripts: one JSON object for each line, or images in the user's format.
package final class ListImagesJSONDisplay: CommandDisplay, ListImagesRecordDisplayLogic {
  private let format: ListFormat?

  /// Takes the console, and the format of images if it is not JSON.
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

/// One image for scripts: a JSON object for each event.
package final class ShowImageJSONDisplay: CommandDisplay, ShowImageRecordDisplayLogic {
  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    viewModel.outcome.map(note)
  }

  package func displayFetchProgress(viewModel: ShowImage.FetchOriginal.Progress.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
  }

  package func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    note(.done)
  }

  package func displayUnavailableOriginal(
    viewModel: ShowImage.FetchOriginal.Unavailable.RecordViewModel
  ) {
    console.write(JSONLine.line(viewModel.record))
    fail(words(viewModel.message, isUntrusted: viewModel.isUntrusted), viewModel.outcome)
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    note(.done)
  }

  package func displayFailure(viewModel: ShowImage.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}

/// Feeds for scripts: one JSON object for each line.
package final class ListFeedsJSONDisplay: CommandDisplay, ListFeedsRecordDisplayLogic {
  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.RecordViewModel) {
    console.write(viewModel.records.flatMap(JSONLine.line))
    note(.done)
  }

  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.RecordViewModel) {
    console.write(viewModel.records.flatMap(JSONLine.line))
    note(.done)
  }

  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    note(.done)
  }

  package func displayNamedFeed(viewModel: ListFeeds.NameFeed.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    note(.done)
  }

  package func displayFailure(viewModel: ListFeeds.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}

/// The results of checking a library for scripts: one JSON object for each line.
package final class CheckLibraryJSONDisplay: CommandDisplay, CheckLibraryRecordDisplayLogic {
  package func displayVerificationNote(
    viewModel: CheckLibrary.VerifyLibrary.Note.RecordViewModel
  ) {
    console.write(JSONLine.line(viewModel.record))
  }

  package func displayEndedVerification(
    viewModel: CheckLibrary.VerifyLibrary.Ended.RecordViewModel
  ) {
    console.write(JSONLine.line(viewModel.record))
    note(viewModel.outcome)
  }

  package func displayCleanedLibrary(viewModel: CheckLibrary.CleanLibrary.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    note(.done)
  }

  package func displayFailure(viewModel: CheckLibrary.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}
