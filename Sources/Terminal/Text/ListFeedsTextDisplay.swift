package import Scenes

/// Feeds for people: lines of text, which are aligned on a terminal.
package struct ListFeedsTextDisplay: CommandDisplay, ListFeedsDisplayLogic {
  package let command: CommandConsole

  package init(console: Console) { command = CommandConsole(console) }

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    let row = console.isTerminal ? shortRow : row
    let rows = viewModel.displayedFeeds.map(row)
    if rows.isEmpty { console.note(Wording.message(.noFeedKnown).commandLine) }
    // A problem that does not fit is told once, below.
    let steps: [Table.Step] = [
      .narrow(2, to: 40), .narrow(1, to: 20), .leaveOut(6), .leaveOut(4), .leaveOut(3),
      .narrow(2, to: 20), .leaveOut(2), .narrow(1, to: 8),
    ]
    let table = Table(
      console: console,
      headings: Wording.feedHeadings,
      steps: steps,
      problemColumn: 6
    )
    for index in table.write(rows) {
      let feed = viewModel.displayedFeeds[index]
      console.note("\(feed.title.isEmpty ? feed.address : feed.title): \(feed.problem.commandLine)")
    }
    note(.done)
  }

  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel) {
    let steps: [Table.Step] = [.narrow(2, to: 24), .narrow(1, to: 16), .leaveOut(2)]
    if viewModel.rows.isEmpty { console.note(Wording.noManifest) }
    Table(console: console, steps: steps).write(viewModel.rows)
    note(.done)
  }

  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel) {
    writeResult("\(viewModel.text)")
    note(.done)
  }

  package func displayChangedFeed(viewModel: ListFeeds.ChangeFeed.ViewModel) {
    for line in viewModel.lines { writeResult(line) }
    note(.done)
  }

  private func row(_ feed: DisplayedFeed) -> [String] {
    [
      String(feed.id), feed.title, feed.address, feed.format, feed.imageNumber, feed.lastSync,
      feed.status, feed.problem.commandLine,
    ]
  }

  /// The cells of the short form; the long form and JSON contain more.
  ///
  /// A feed without a title shows its address instead.
  private func shortRow(_ feed: DisplayedFeed) -> [String] {
    let isNamed = !feed.title.isEmpty
    return [
      String(feed.id), isNamed ? feed.title : feed.address, isNamed ? feed.address : "",
      feed.images, feed.lastSyncTime, feed.state, feed.problem.commandLine,
    ]
  }
}
