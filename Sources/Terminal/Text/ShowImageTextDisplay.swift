package import Scenes

/// One image for people: facts and the picture on a terminal, or the path of the original in a pipe.
package final class ShowImageTextDisplay: CommandDisplay, ShowImageDisplayLogic {
  package let command: CommandConsole
  private let makeArea: (() -> PictureArea)?
  /// The area of the current image; nil before its first picture.
  private var area: PictureArea?
  private var lastNote: String?

  /// Takes the console and, if pictures are drawn, a function that makes an area for one.
  package init(console: Console, makeArea: (() -> PictureArea)? = nil) {
    self.makeArea = makeArea
    command = CommandConsole(console)
  }

  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    area = nil
    if console.isTerminal { console.writeSentence(viewModel.text) }
    draw(viewModel.picture)
    if let outcome = viewModel.outcome {
      // Without an outcome, the original follows and is drawn, or its own note says the same.
      explain(viewModel.note)
      tellFile(of: viewModel, outcome)
    }
  }

  /// Writes the path of the thumbnail's copy into a pipe, or a failure without a copy, for a script that reads it.
  private func tellFile(of viewModel: ShowImage.FetchThumbnail.ViewModel, _ outcome: Outcome) {
    if console.isTerminal { return note(outcome) }
    if let fileless = viewModel.fileless, makeArea == nil {
      return displayFailure(
        viewModel: .init(
          message: "\(fileless) — --output FILE writes it to one",
          outcome: .unavailable
        )
      )
    }
    if let path = viewModel.path { write(path: path) }
    note(outcome)
  }

  package func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {
    draw(viewModel.picture)
  }

  package func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    console.endStatus()
    draw(viewModel.picture)
    area = nil
    explain(viewModel.note)
    if console.isTerminal { console.writeSentence(viewModel.text) }
    if let path = viewModel.path { write(path: path) }
    note(.done)
  }

  package func displayUnavailableOriginal(viewModel: Fail.ViewModel) {
    // A stored original that follows replaces its thumbnail in the same area.
    if viewModel.outcome == .unavailable { area = nil }
    writeFailure(viewModel)
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    writeFields(viewModel.fields)
  }

  package func displayExplainedImage(viewModel: ShowImage.ExplainImage.ViewModel) {
    writeFields(viewModel.fields)
  }

  /// Writes the bytes as they are, for a pipe or a file.
  package func displayReadThumbnail(viewModel: ShowImage.ReadThumbnail.ViewModel) {
    console.write(viewModel.bytes)
    note(.done)
  }

  package func displayFailure(viewModel: Fail.ViewModel) {
    area = nil
    writeFailure(viewModel)
  }

  private func draw(_ picture: DisplayedPicture?) {
    guard let picture, let area = area ?? makeArea?() else { return }
    self.area = area
    area.draw(picture.picture, natural: picture.fullSize)
  }

  /// Writes the reason why a picture is not drawn; a reason that applies to all pictures is written once.
  private func explain(_ note: String?) {
    guard let note, note != lastNote else { return }
    lastNote = note
    console.note(note)
  }

  /// Writes a path; in a pipe it is unchanged, because a script opens it.
  private func write(path: String) {
    console.writeLine(console.isTerminal ? HarmlessText.line(path) : path)
  }
}
