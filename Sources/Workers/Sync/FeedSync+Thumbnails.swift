import Models

extension FeedSync {
  /// Fetches thumbnails of what is stored of the feed's documents, until they have been read.
  ///
  /// One that cannot be looked up now is told of when the rest is fetched.
  mutating func fetchThumbnails(of arrivals: DocumentArrivals) async {
    guard plan.fetchesThumbnails, !plan.isDryRun, !plan.isForced else { return }
    for await _ in arrivals.news {
      guard let feed = try? tools.store.feed(at: summary.address) else { continue }
      var sync = ahead ?? thumbnailSync(of: feed, all: false)
      await sync.runAhead(following: arrivals.news) { note($0) }
      summary.thumbnails = sync.counts
      ahead = sync
    }
  }

  /// Has what is missing, or due, fetched; what the documents' reading has left of it.
  mutating func syncThumbnails(of feed: Feed) async {
    let isWanted = plan.fetchesThumbnails && summary.status != .failed
    var sync = ahead ?? thumbnailSync(of: feed, all: plan.isForced && isWanted)
    await sync.run(
      fetching: isWanted && !plan.isDryRun,
      whenCounted: { noteCounted() },
      note: { note($0) }
    )
    summary.thumbnails = sync.counts
    summary.bytes += sync.bytes
  }

  /// Whether there is anything to do about pictures; mostly not, when the document has not changed.
  ///
  /// What cannot be looked up is told of by what needs it.
  func wantsPictures(of feed: Feed) -> Bool {
    if ahead != nil || plan.isForced || plan.fetchesOriginals { return true }
    return (try? tools.store.wantsThumbnails(feedID: feed.id, wish(all: false))) ?? true
  }

  private func thumbnailSync(of feed: Feed, all: Bool) -> ThumbnailSync {
    ThumbnailSync(feed: feed, wish: wish(all: all), tools: tools, shared: shared, place: place)
  }

  /// Makes what is still missing; with originals, of those that were stored before this sync.
  func madeThumbnailSync(of feed: Feed) -> MadeThumbnailSync {
    let isWanted = plan.fetchesThumbnails && summary.status != .failed
    return MadeThumbnailSync(
      feed: feed,
      wish: wish(all: plan.isForced && isWanted),
      isFetching: !plan.fetchesOriginals,
      tools: tools,
      shared: shared,
      place: place
    )
  }

  mutating func make(_ sync: inout MadeThumbnailSync) async {
    let isWanted = plan.fetchesThumbnails && summary.status != .failed
    await sync.run(making: isWanted && !plan.isDryRun) { note($0) }
    summary.thumbnails = summary.thumbnails + sync.counts
    summary.bytes += sync.bytes
  }

  /// What failed because it was not to be reached may have been allowed now.
  func wish(all: Bool) -> PictureWish {
    PictureWish(
      now: tools.now(),
      all: all,
      retriesFailed: plan.retriesFailed || plan.isForced || plan.allowsPrivate
    )
  }
}
