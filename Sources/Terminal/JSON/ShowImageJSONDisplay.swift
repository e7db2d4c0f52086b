package import Scenes

/// One image for scripts: a JSON object an event.
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
