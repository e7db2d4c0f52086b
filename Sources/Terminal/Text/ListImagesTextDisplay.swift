package import Scenes

/// Lists for people: lines of text, aligned on a terminal, or a grid of thumbnails.
package final class ListImagesTextDisplay: CommandDisplay, ListImagesDisplayLogic {
  private let grid: PictureGrid?
  /// The command that lists the page from an offset on; nil where the user has said how much is listed.
  private let nextPage: ((Int) -> String)?
  private var hasHeadings = false

  /// Takes where to speak and, where pictures are drawn, the grid that they are drawn in.
  package init(
    console: Console,
    grid: PictureGrid? = nil,
    nextPage: ((Int) -> String)? = nil
  ) {
    self.grid = grid
    self.nextPage = nextPage
    super.init(console: console)
  }

  package func displayStartedSync(viewModel: ListImages.SyncFeeds.Started.ViewModel) {
    let sample = viewModel.sample
    console.beginStatus {
      let line = sample()
      return StatusLine.Content(line)
    }
  }

  package func displaySyncProblem(viewModel: ListImages.SyncFeeds.Problem.ViewModel) {
    tell(viewModel)
  }

  package func displaySyncNotice(viewModel: ListImages.SyncFeeds.Notice.ViewModel) {
    console.note(viewModel.text)
  }

  package func displaySyncedFeed(viewModel: ListImages.SyncFeeds.FeedFinished.ViewModel) {
    if !console.options.isQuiet { console.writeSentence(viewModel.text) }
  }

  package func displayEndedSync(viewModel: ListImages.SyncFeeds.Ended.ViewModel) {
    console.endStatus()
    if let totals = viewModel.totals, !console.options.isQuiet {
      console.writeSentence(totals)
    }
    if let note = viewModel.note { console.say(note) }
    note(viewModel.outcome)
  }

  /// Said also when quiet was asked for: it was asked for as well.
  package func displayTimedSync(viewModel: ListImages.SyncFeeds.Timed.ViewModel) {
    console.say(viewModel.title)
    let phases = viewModel.rows.map { TextWidth.columns(of: $0.phase) }.max() ?? 0
    let times = viewModel.rows.map { TextWidth.columns(of: $0.time) }.max() ?? 0
    for row in viewModel.rows {
      let phase = TextWidth.padded(row.phase, to: phases)
      let indent = String(repeating: " ", count: times - TextWidth.columns(of: row.time))
      console.say("  \(phase)  \(indent)\(row.time)  \(row.detail)")
    }
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
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
    // A long list comes in several parts, under one line of headings.
    let headings = hasHeadings ? [] : Wording.imageHeadings
    hasHeadings = true
    let steps: [Table.Step] = [
      .narrow(3, to: 24), .narrow(2, to: 8), .leaveOut(2), .leaveOut(1), .narrow(3, to: 8),
      .leaveOut(4),
    ]
    Table(console: console, headings: headings, steps: steps).write(rows)
  }

  /// Scripts read in JSON what has failed; the column of a pipe's lines says only what is stored.
  private func mark(of image: DisplayedImage) -> String {
    image.originalMark.isEmpty && image.hasFailed && console.isTerminal
      ? Wording.failedMark : image.originalMark
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    if let note = viewModel.note { console.note(note) }
    if console.isTerminal {
      for failure in viewModel.failures { console.note(failure) }
    }
    if let offset = viewModel.nextOffset, let nextPage {
      console.note("more: \(nextPage(offset))", wraps: false)
    }
  }

  package func displayFailure(viewModel: ListImages.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}
