package import Scenes

/// The panel of feeds, in which the user chooses the feed whose images are listed.
package final class FeedListDisplay: ListFeedsDisplayLogic {
  private(set) var feeds: [DisplayedFeed] = []
  /// The line that is selected: 0 is for all feeds.
  package private(set) var selected = 0
  /// The reason why the feeds could not be listed.
  package private(set) var problem: String?

  package init() {}

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    feeds = viewModel.displayedFeeds
    select(selected)
  }

  // This panel does not show manifests, and does not change feeds.
  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel) {}
  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel) {}
  package func displayChangedFeed(viewModel: ListFeeds.ChangeFeed.ViewModel) {}

  package func displayFailure(viewModel: Fail.ViewModel) {
    problem = viewModel.message.commandLine
  }

  /// The id and the name of the selected feed; nil for all feeds.
  package var selectedFeed: (id: Int64, name: String)? {
    guard selected > 0, selected <= feeds.count else { return nil }
    let feed = feeds[selected - 1]
    return (feed.id, name(of: feed))
  }

  /// Selects the line of a feed.
  package func select(feedID: Int64?) {
    selected = feeds.firstIndex { $0.id == feedID }.map { $0 + 1 } ?? 0
  }

  package func move(by step: Int) { select(selected + step) }

  package func select(_ line: Int) { selected = max(0, min(line, feeds.count)) }

  private func name(of feed: DisplayedFeed) -> String {
    feed.title.isEmpty ? feed.address : feed.title
  }

  /// Draws the part of the list that contains the selected line.
  func draw(on content: inout ScreenContent, area: CellArea) {
    let lines = [("All feeds", "")] + feeds.map { (name(of: $0), $0.imageNumber) }
    let first = first(in: area)
    for (row, line) in lines.dropFirst(first).prefix(area.size.rows).enumerated() {
      let isSelected = row + first == selected
      let name = TextWidth.padded(
        HarmlessText.line(line.0),
        to: max(1, area.size.columns - line.1.count - 1)
      )
      content.put(
        name + " " + line.1,
        at: .init(column: area.column, row: area.row + row),
        width: area.size.columns,
        style: isSelected ? .selected : .plain,
        isFilled: isSelected
      )
    }
  }

  /// The line at a position of the area in which the list is drawn.
  func line(at position: CellPosition, in area: CellArea) -> Int? {
    let line = first(in: area) + position.row - area.row
    return area.contains(position) && line <= feeds.count ? line : nil
  }

  private func first(in area: CellArea) -> Int { max(0, selected - area.size.rows + 1) }
}
