import Models
import Workers

/// The responses that the interactor presents.
package protocol ListFeedsPresentationLogic {
  func presentFetchedFeeds(response: ListFeeds.FetchFeeds.Response)
  func presentFetchedManifests(response: ListFeeds.FetchManifests.Response)
  func presentRemovedFeed(response: ListFeeds.RemoveFeed.Response)
  func presentChangedFeed(response: ListFeeds.ChangeFeed.Response)
  func presentFailure(response: Fail.Response)
}

/// A display for people.
package protocol ListFeedsDisplayLogic {
  func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel)
  func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel)
  func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel)
  func displayChangedFeed(viewModel: ListFeeds.ChangeFeed.ViewModel)
  func displayFailure(viewModel: Fail.ViewModel)
}

/// Makes text for people.
package struct ListFeedsPresenter: ListFeedsPresentationLogic {
  private let display: any ListFeedsDisplayLogic

  package init(display: any ListFeedsDisplayLogic) { self.display = display }

  package func presentFetchedFeeds(response: ListFeeds.FetchFeeds.Response) {
    let displayed = response.feeds.map { feed in
      displayedFeed(feed, response.failures[feed.id] ?? [], pause: response.pause(of: feed))
    }
    display.displayFetchedFeeds(
      viewModel: .init(
        displayedFeeds: displayed,
        maskedNote: Wording.maskedAddresses(of: response.feeds),
        outlineNotes: [
          Wording.maskedAddresses(of: response.feeds.filter(isSubscription)),
          Wording.galleriesLeftOut(response.feeds.filter { $0.format == .gallery }),
        ].compactMap(\.self)
      )
    )
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

  package func presentChangedFeed(response: ListFeeds.ChangeFeed.Response) {
    display.displayChangedFeed(viewModel: .init(lines: Wording.changes(response)))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }

  private func displayedFeed(
    _ feed: Feed,
    _ failures: [FailureGroup],
    pause: HostPause?
  ) -> DisplayedFeed {
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
      lastSyncTime: feed.lastSync.map { Wording.localTime($0) } ?? "",
      status: Wording.status(of: feed),
      problem: problems(of: feed, failures, pause).joined(separator: "; "),
      push: Wording.push(of: feed),
      isSubscription: isSubscription(feed)
    )
  }

  private func isSubscription(_ feed: Feed) -> Bool { !feed.isList && !feed.address.isPiped }

  /// All problems of a feed.
  ///
  /// Each of the four most frequent failures of pictures has its own text. The other failures share one text for
  /// thumbnails and one for originals.
  private func problems(
    of feed: Feed,
    _ failures: [FailureGroup],
    _ pause: HostPause?
  ) -> [HintedText] {
    let pause = pause.flatMap { Wording.pause($0, of: feed) }
    return [feed.problem, pause].compactMap { $0.map { "\($0)" } }
      + [Wording.damage(of: feed)].compactMap(\.self)
      + failures.prefix(4).flatMap { Wording.failures([$0]) }
      + Wording.failures(Array(failures.dropFirst(4)))
  }
}
