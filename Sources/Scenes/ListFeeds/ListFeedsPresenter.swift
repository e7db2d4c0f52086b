import Models
import Workers

/// What the interactor tells, whoever listens.
package protocol ListFeedsPresentationLogic {
  func presentFetchedFeeds(response: ListFeeds.FetchFeeds.Response)
  func presentFetchedManifests(response: ListFeeds.FetchManifests.Response)
  func presentRemovedFeed(response: ListFeeds.RemoveFeed.Response)
  func presentNamedFeed(response: ListFeeds.NameFeed.Response)
  func presentFailure(response: ListFeeds.Fail.Response)
}

/// What a display for people shows.
package protocol ListFeedsDisplayLogic {
  func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel)
  func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel)
  func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel)
  func displayNamedFeed(viewModel: ListFeeds.NameFeed.ViewModel)
  func displayFailure(viewModel: ListFeeds.Fail.ViewModel)
}

/// Turns what the interactor tells into finished text for people.
package struct ListFeedsPresenter: ListFeedsPresentationLogic {
  private let display: any ListFeedsDisplayLogic

  package init(display: any ListFeedsDisplayLogic) { self.display = display }

  package func presentFetchedFeeds(response: ListFeeds.FetchFeeds.Response) {
    let displayed = response.feeds.map { displayedFeed($0, response.failures[$0.id] ?? []) }
    display.displayFetchedFeeds(viewModel: .init(displayedFeeds: displayed))
  }

  package func presentFetchedManifests(response: ListFeeds.FetchManifests.Response) {
    let rows = response.manifests.map { manifest in
      [
        String(manifest.feedID), manifest.label ?? "", manifest.address.masked,
        Wording.count(manifest.imageCount, "image"),
      ]
    }
    display.displayFetchedManifests(viewModel: .init(rows: rows))
  }

  package func presentRemovedFeed(response: ListFeeds.RemoveFeed.Response) {
    display.displayRemovedFeed(viewModel: .init(text: Wording.removal(response)))
  }

  package func presentNamedFeed(response: ListFeeds.NameFeed.Response) {
    display.displayNamedFeed(viewModel: .init(text: Wording.naming(response.feed)))
  }

  package func presentFailure(response: ListFeeds.Fail.Response) {
    let failure = response.failure
    display.displayFailure(
      viewModel: .init(message: Wording.message(failure), outcome: failure.outcome)
    )
  }

  /// The most frequent reasons each for itself, the others together.
  private func reasons(of failures: [FailureGroup]) -> [String] {
    failures.prefix(4).flatMap { Wording.failures([$0]) }
      + Wording.failures(Array(failures.dropFirst(4)))
  }

  private func displayedFeed(_ feed: Feed, _ failures: [FailureGroup]) -> DisplayedFeed {
    let problems =
      [
        feed.problem, Wording.damage(of: feed),
      ].compactMap(\.self) + reasons(of: failures)
    let lastSync = feed.lastSync.map(Wording.timestamp) ?? ""
    return DisplayedFeed(
      id: feed.id,
      title: feed.title ?? "",
      address: feed.address.masked,
      format: feed.format?.rawValue ?? "",
      images: feed.isList
        ? Wording.count(feed.listedFeedCount, "feed") : Wording.count(feed.imageCount, "image"),
      imageNumber: String(feed.imageCount),
      lastSync: lastSync,
      lastSyncDay: Wording.day(of: lastSync),
      status: feed.status?.rawValue ?? "",
      problem: problems.joined(separator: "; ")
    )
  }
}
