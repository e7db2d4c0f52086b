package import Scenes

/// One image for people: facts and the picture on a terminal, the path of the original's file through
/// a pipe.
package final class ShowImageTextDisplay: CommandDisplay, ShowImageDisplayLogic {
  private let makeArea: (() -> PictureArea)?
  /// Where the image that is being shown is drawn; nil before its first picture.
  private var area: PictureArea?
  private var lastNote: String?

  /// Takes where to speak and, where pictures are drawn, what makes a place for one.
  package init(console: Console, makeArea: (() -> PictureArea)? = nil) {
    self.makeArea = makeArea
    super.init(console: console)
  }

  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    area = nil
    if console.isTerminal { console.writeSentence(viewModel.text) }
    draw(viewModel.picture)
    if let outcome = viewModel.outcome {
      // Else the original may still be drawn, or its note says the same.
      explain(viewModel.note)
      tellFile(of: viewModel, outcome)
    }
  }

  /// Through a pipe a script waits for a path, or for the picture that it has asked for.
  private func tellFile(of viewModel: ShowImage.FetchThumbnail.ViewModel, _ outcome: Outcome) {
    if console.isTerminal { return note(outcome) }
    if let fileless = viewModel.fileless, makeArea == nil {
      return fail("\(fileless) — --output FILE writes it to one", .unavailable)
    }
    if let path = viewModel.path { write(path: path) }
    note(outcome)
  }

  package func displayFetchProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel) {
    let sample = viewModel.sample
    console.beginStatus {
      let line = sample()
      return StatusLine.Content(line)
    }
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

  package func displayUnavailableOriginal(
    viewModel: ShowImage.FetchOriginal.Unavailable.ViewModel
  ) {
    console.endStatus()
    // A stored one that follows is drawn in the place of its thumbnail.
    if viewModel.outcome == .unavailable { area = nil }
    fail(words(viewModel.message, isUntrusted: viewModel.isUntrusted), viewModel.outcome)
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    let width = viewModel.fields.map(\.name.count).max() ?? 0
    for field in viewModel.fields {
      let name = console.style(.dim).text(TextWidth.padded(field.name, to: width))
      console.writeLine("\(name)  \(value(of: field, indent: width + 2))")
    }
    note(.done)
  }

  package func displayFailure(viewModel: ShowImage.Fail.ViewModel) {
    console.endStatus()
    area = nil
    fail(viewModel.message, viewModel.outcome)
  }

  private func draw(_ picture: DisplayedPicture?) {
    guard let picture, let area = area ?? makeArea?() else { return }
    self.area = area
    let size = picture.fullSize.map { PixelSize(width: $0.width, height: $0.height) }
    area.draw(picture.picture, natural: size)
  }

  /// On a terminal a long value stays in its column.
  private func value(of field: DescriptionField, indent: Int) -> String {
    let value = HarmlessText.line(field.value)
    guard let columns = console.options.outputColumns, columns > 2 * indent else { return value }
    return TextWidth.wrapped(value, to: columns - indent)
      .replacing("\n", with: "\n" + String(repeating: " ", count: indent))
  }

  /// Says why there is no picture; what holds for all of them, once.
  private func explain(_ note: String?) {
    guard let note, note != lastNote else { return }
    lastNote = note
    console.note(note)
  }

  /// A path is the user's own, and a script opens it: through a pipe it goes as it is.
  private func write(path: String) {
    console.writeLine(console.isTerminal ? HarmlessText.line(path) : path)
  }
}
