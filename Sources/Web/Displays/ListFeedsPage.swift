import Models
package import Scenes

/// The followed feeds as a page, with forms that add and remove feeds.
package final class ListFeedsPage: ListFeedsDisplayLogic {
  private let site: Site
  package private(set) var feeds: [DisplayedFeed] = []
  private var maskedNote: String?
  /// The result of a form, in words.
  private var note: String?
  /// The reason why the request failed; nil when it succeeded.
  package private(set) var failure: Fail.ViewModel?

  package init(on site: Site) { self.site = site }

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    feeds = viewModel.displayedFeeds
    maskedNote = viewModel.maskedNote
  }

  /// Displays nothing: the page of feeds lists no manifests.
  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel) {}

  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel) {
    note = viewModel.text
  }

  package func displayChangedFeed(viewModel: ListFeeds.ChangeFeed.ViewModel) {
    note = viewModel.lines.joined(separator: "; ")
  }

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }

  /// The page; only complete after the scene has presented everything.
  package var page: Page {
    Page(
      "feeds",
      [
        "title": "Feeds",
        "feeds": feeds.map(values),
        "hasFeeds": !feeds.isEmpty,
        "addition": "\(site.basePath)/feeds",
        "sync": "\(site.basePath)/sync",
        "note": note ?? failure?.message.webText ?? maskedNote,
      ]
    )
  }

  private func values(_ feed: DisplayedFeed) -> [String: Any] {
    .init(known: [
      "id": feed.id,
      "title": feed.title.isEmpty ? feed.address : feed.title,
      "address": feed.address,
      "page": "\(site.basePath)/feeds/\(feed.id)",
      "count": feed.imageNumber,
      "state": feed.state,
      "problem": feed.problem.webText.isEmpty ? nil : feed.problem.webText,
      "lastSync": feed.lastSync.isEmpty ? nil : ["iso": feed.lastSync, "text": feed.lastSyncDay],
      "removal": "\(site.basePath)/feeds/\(feed.id)/remove",
    ])
  }
}
