import Models
import Workers

/// Makes records for scripts.
package struct ListFeedsJSONPresenter: ListFeedsPresentationLogic {
  private let display: any RecordDisplayLogic

  package init(display: any RecordDisplayLogic) { self.display = display }

  package func presentFetchedFeeds(response: ListFeeds.FetchFeeds.Response) {
    let records = response.feeds.map { feed -> Record in
      var record = Record(feed, response.failures[feed.id] ?? [])
      if let pause = response.pause(of: feed) {
        record.add("pausedUntil", .text(Wording.timestamp(pause.end)))
      }
      return record
    }
    display.displayRecords(viewModel: .init(records))
  }

  package func presentFetchedManifests(response: ListFeeds.FetchManifests.Response) {
    let records = response.manifests.map { manifest -> Record in
      [
        "feed": .integer(manifest.feedID),
        "url": .text(manifest.address.masked),
        "title": .text(manifest.label),
        "images": .number(manifest.imageCount),
      ]
    }
    display.displayRecords(viewModel: .init(records))
  }

  package func presentRemovedFeed(response: ListFeeds.RemoveFeed.Response) {
    let removed = response.removed
    let record: Record = [
      "id": .integer(removed.feed.id),
      "url": .text(removed.feed.address.masked),
      "images": .number(removed.images),
      "originals": .number(removed.originals),
      "purged": .flag(response.wasPurged),
    ]
    display.displayRecords(viewModel: .init(record))
  }

  package func presentChangedFeed(response: ListFeeds.ChangeFeed.Response) {
    display.displayRecords(viewModel: .init(Record(response.feed, response.failures)))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

extension Record {
  /// Makes the record of a feed; `listedFeeds` is null unless it is a list of feeds.
  init(_ feed: Feed, _ failures: [FailureGroup]) {
    self = [
      "id": .integer(feed.id),
      "url": .text(feed.address.masked),
      "title": .text(feed.title),
      "format": .text(feed.format?.rawValue),
      "images": .number(feed.imageCount),
      "lastSync": .text(feed.lastSync.map(Wording.timestamp)),
      "status": .text(feed.status?.rawValue),
      "problem": .text(feed.problem),
      "damaged": .number(feed.damagedCount),
      "failures": .records(failures.map { Record($0) }),
      "listedFeeds": .number(feed.isList ? feed.listedFeedCount : nil),
      "keep": .number(feed.retention.images),
      "keepOriginals": .number(feed.retention.originals),
      "every": .number(feed.schedule.givenInterval),
      "nextSync": .text(feed.isWatched ? feed.dueBesideHub.map(Wording.timestamp) : nil),
    ]
    if feed.imageChoice != .all { add("imageChoice", .text(feed.imageChoice.rawValue)) }
    if let gallery = feed.gallery { add("galleryURL", .text(gallery.masked)) }
    addPush(of: feed)
  }

  /// Adds the hub that tells of a feed's changes, and the end of its lease; adds nothing without a lease.
  mutating func addPush(of feed: Feed) {
    guard let end = feed.leaseEnd, let hub = feed.push.hub else { return }
    add("hubURL", .text(hub.masked))
    add("pushedUntil", .text(Wording.timestamp(end)))
  }
}
