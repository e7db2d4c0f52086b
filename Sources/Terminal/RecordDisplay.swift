package import Scenes

/// Results of all scenes for scripts: one JSON object on each line, or images in the user's format.
package struct RecordDisplay: CommandDisplay, RecordDisplayLogic {
  package let command: CommandConsole
  private let format: ListFormat?

  /// Takes the console, and the format of images if it is not JSON.
  package init(console: Console, format: ListFormat? = nil) {
    self.format = format
    command = CommandConsole(console)
  }

  package func displayRecords(viewModel: RecordViewModel) {
    console.write(JSONLine.lines(viewModel.records))
    viewModel.outcome.map(note)
  }
}

extension RecordDisplay: ListImagesRecordDisplayLogic {
  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    command.listed += viewModel.records.count
    if let format {
      console.write(viewModel.records.flatMap { format.line($0).utf8 })
    } else {
      console.write(JSONLine.lines(viewModel.records))
    }
  }

  /// Writes nothing: the end of the output is the end of the list.
  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {}
}

extension RecordDisplay: SyncFeedsRecordDisplayLogic {
  /// Writes progress unless the user asked for quiet.
  package func displaySyncProgress(viewModel: RecordViewModel) {
    if !console.options.isQuiet { displayRecords(viewModel: viewModel) }
  }

  package func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel) {
    if let note = viewModel.note { console.say(note) }
    note(viewModel.outcome)
  }
}
