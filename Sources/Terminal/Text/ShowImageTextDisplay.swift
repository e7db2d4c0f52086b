package import Scenes

/// One image for people: facts on a terminal, the path of the original's file through a pipe.
package final class ShowImageTextDisplay: CommandDisplay, ShowImageDisplayLogic {
  private let progress = LatestProgress()

  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    if console.isTerminal { console.writeLine(HarmlessText.line(viewModel.text)) }
    viewModel.outcome.map(note)
  }

  package func displayFetchProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel) {
    let line = viewModel.line
    let isFirst = progress.set(StatusLine.Content(fraction: line.fraction, text: line.text))
    if isFirst { console.beginStatus { [progress] in progress.content } }
  }

  package func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    endProgress()
    if console.isTerminal { console.writeLine(HarmlessText.line(viewModel.text)) }
    if let path = viewModel.path { write(path: path) }
    note(.done)
  }

  package func displayUnavailableOriginal(
    viewModel: ShowImage.FetchOriginal.Unavailable.ViewModel
  ) {
    endProgress()
    fail(viewModel.message, viewModel.outcome)
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    let width = viewModel.fields.map(\.name.count).max() ?? 0
    for field in viewModel.fields {
      let name = TextWidth.padded(field.name, to: width)
      console.writeLine("\(name)  \(HarmlessText.line(field.value))")
    }
    note(.done)
  }

  package func displayFailure(viewModel: ShowImage.Fail.ViewModel) {
    endProgress()
    fail(viewModel.message, viewModel.outcome)
  }

  /// The next image has a progress of its own.
  private func endProgress() {
    console.endStatus()
    progress.clear()
  }

  /// A path is the user's own, and a script opens it: through a pipe it goes as it is.
  private func write(path: String) {
    console.writeLine(console.isTerminal ? HarmlessText.line(path) : path)
  }
}
