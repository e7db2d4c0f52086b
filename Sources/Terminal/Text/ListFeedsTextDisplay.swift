package import Scenes

/// Feeds for people: lines of text, aligned on a terminal.
package final class ListFeedsTextDisplay: CommandDisplay, ListFeedsDisplayLogic {
  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    let row = console.isTerminal ? shortRow : row
    let rows = viewModel.displayedFeeds.map(row)
    Table(console: console, givingWay: [2, 1], isLastWrapped: true).write(rows)
    note(.done)
  }

  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel) {
    if !console.options.isQuiet { console.writeLine(HarmlessText.line(viewModel.text)) }
    note(.done)
  }

  package func displayFailure(viewModel: ListFeeds.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }

  private func row(_ feed: DisplayedFeed) -> [String] {
    [
      String(feed.id), feed.title, feed.address, feed.format, feed.images, feed.lastSync,
      feed.status, feed.problem,
    ]
  }

  /// What a person looks for; the rest is in the long form and in JSON.
  private func shortRow(_ feed: DisplayedFeed) -> [String] {
    [
      String(feed.id), feed.title, feed.address, feed.images, feed.lastSyncDay, feed.status,
      feed.problem,
    ]
  }
}
