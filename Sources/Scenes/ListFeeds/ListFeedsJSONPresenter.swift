import Models
import Workers

/// What a display for scripts shows.
package protocol ListFeedsRecordDisplayLogic {
  func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.RecordViewModel)
  func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.RecordViewModel)
  func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.RecordViewModel)
  func displayNamedFeed(viewModel: ListFeeds.NameFeed.RecordViewModel)
  func displayFailure(viewModel: ListFeeds.Fail.ViewModel)
}

/// Turns what the interactor tells into records for scripts.
package struct ListFeedsJSONPresenter: ListFeedsPresentationLogic {
  private let display: any ListFeedsRecordDisplayLogic

  package init(display: any ListFeedsRecordDisplayLogic) { self.display = display }

  package func presentFetchedFeeds(response: ListFeeds.FetchFeeds.Response) {
    display.displayFetchedFeeds(
      viewModel: .init(
        records: response.feeds.map { FeedRecord($0, response.failures[$0.id] ?? []) },
        maskedNote: Wording.maskedAddresses(of: response.feeds)
      )
    )
  }

  package func presentFetchedManifests(response: ListFeeds.FetchManifests.Response) {
    let records = response.manifests.map { manifest in
      FeedManifestRecord(
        feed: manifest.feedID,
        url: manifest.address.masked,
        title: manifest.label,
        images: manifest.imageCount
      )
    }
    display.displayFetchedManifests(viewModel: .init(records: records))
  }

  package func presentRemovedFeed(response: ListFeeds.RemoveFeed.Response) {
    let removed = response.removed
    let record = RemovalRecord(
      id: removed.feed.id,
      url: removed.feed.address.masked,
      images: removed.images,
      originals: removed.originals,
      purged: response.wasPurged
    )
    display.displayRemovedFeed(viewModel: .init(record: record))
  }

  package func presentNamedFeed(response: ListFeeds.NameFeed.Response) {
    let record = FeedRecord(response.feed, response.failures)
    display.displayNamedFeed(viewModel: .init(record: record))
  }

  package func presentFailure(response: ListFeeds.Fail.Response) {
    let failure = response.failure
    display.displayFailure(
      viewModel: .init(message: Wording.message(failure), outcome: failure.outcome)
    )
  }
}

extension FeedRecord {
  init(_ feed: Feed, _ failures: [FailureGroup] = []) {
    self.init(
      id: feed.id,
      url: feed.address.masked,
      title: feed.title,
      format: feed.format?.rawValue,
      images: feed.imageCount,
      lastSync: feed.lastSync.map(Wording.timestamp),
      status: feed.status?.rawValue,
      problem: feed.problem,
      damaged: feed.damagedCount,
      failures: failures.map(FailureGroupRecord.init),
      listedFeeds: feed.isList ? feed.listedFeedCount : nil
    )
  }
}
