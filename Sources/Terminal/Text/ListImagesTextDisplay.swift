package import Scenes

/// Lists for people: lines of text, aligned on a terminal, or a grid of thumbnails.
package final class ListImagesTextDisplay: CommandDisplay, ListImagesDisplayLogic {
  package let command: CommandConsole
  private let grid: PictureGrid?
  /// The command that lists the page at an offset; nil when the user has set a limit.
  private let nextPage: ((Int) -> String)?
  private var hasHeadings = false

  /// Takes the console and, if pictures are drawn, a grid for them.
  package init(
    console: Console,
    grid: PictureGrid? = nil,
    nextPage: ((Int) -> String)? = nil
  ) {
    self.grid = grid
    self.nextPage = nextPage
    command = CommandConsole(console)
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
    command.listed += viewModel.displayedImages.count
    if viewModel.isGrid, let grid {
      grid.write(viewModel.displayedImages.map { .init(picture: $0.picture, caption: $0.caption) })
    } else {
      writeTable(viewModel.displayedImages)
    }
  }

  package func displayUndrawnImages(viewModel: ListImages.FetchImages.Undrawn.ViewModel) {
    console.note(viewModel.note)
  }

  private func writeTable(_ images: [DisplayedImage]) {
    let rows = images.map { image in
      let published = console.isTerminal ? image.day : image.published
      return [String(image.id), published, image.feed, image.title, mark(of: image)]
    }
    // A long list arrives in several parts, under one line of headings.
    let headings = hasHeadings ? [] : Wording.imageHeadings
    hasHeadings = true
    let steps: [Table.Step] = [
      .narrow(3, to: 24), .narrow(2, to: 8), .leaveOut(2), .leaveOut(1), .narrow(3, to: 8),
      .leaveOut(4),
    ]
    Table(console: console, headings: headings, steps: steps).write(rows)
  }

  /// The mark of an image; in a pipe it does not include failures, which scripts read in JSON.
  private func mark(of image: DisplayedImage) -> String {
    image.originalMark.isEmpty && image.hasFailed && console.isTerminal
      ? Wording.failedMark : image.originalMark
  }

  package func displayPinnedImages(viewModel: ListImages.PinImages.ViewModel) {
    writeResult("\(viewModel.text)")
    note(.done)
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    if let note = viewModel.note { console.note(note.commandLine) }
    if console.isTerminal {
      for failure in viewModel.failures { console.note(failure.commandLine) }
    }
    if let offset = viewModel.nextOffset, let nextPage {
      console.note("more: \(nextPage(offset))", wraps: false)
    }
  }
}
