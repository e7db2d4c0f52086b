import Models
import Workers

extension FeedSync {
  /// Fetches thumbnails of the images that are stored so far, until the feed's documents have been read.
  ///
  /// An error of the store is reported when the remaining thumbnails are fetched.
  mutating func fetchThumbnails(of arrivals: DocumentArrivals) async {
    guard plan.fetchesThumbnails, !plan.isDryRun, !plan.isForced else { return }
    for await _ in arrivals.news {
      guard let feed = try? await tools.store.feed(at: summary.address) else { continue }
      var sync = ahead ?? pictureSync(.thumbnail, of: feed)
      await sync.runAhead(following: arrivals.news) { note($0) }
      summary.thumbnails = sync.counts
      ahead = sync
    }
  }

  /// Syncs the pictures of a feed: thumbnails, then originals, then thumbnails that are made.
  ///
  /// The later steps are counted first, so that the progress has the total before a step begins.
  mutating func syncPictures(of feed: Feed) async {
    var originals = fetchesOriginals ? pictureSync(.original, of: feed) : nil
    // Files of a folder that were read again, and have not changed, give the same thumbnails.
    let isForced = plan.isForced && fetchesThumbnails && !feed.address.isFolder
    var made = pictureSync(.madeThumbnail, of: feed, all: isForced)
    if summary.status != .failed, !plan.isDryRun {
      await originals?.announce()
      if plan.fetchesThumbnails { await made.announce() }
    }
    await syncThumbnails(of: feed, all: isForced)
    if var originals { await fetch(&originals, makingThumbnailsBy: &made) }
    await made.run(fetching: fetchesThumbnails && !plan.isDryRun) { note($0) }
    summary.thumbnails = summary.thumbnails + made.counts
    summary.bytes += made.bytes
    refused += made.refused
  }

  private mutating func fetch(
    _ originals: inout PictureSync,
    makingThumbnailsBy made: inout PictureSync
  ) async {
    let isWanted = summary.status != .failed
    await originals.run(
      fetching: isWanted && !plan.isDryRun,
      made: { await made.take($0) { note($0) } },
      note: { note($0) }
    )
    if isWanted, !plan.isDryRun {
      // A thumbnail that was made from a sign must be stored before it is wanted again.
      await made.storeAll { note($0) }
      await originals.replaceMaskedOriginals { note($0) }
    }
    summary.originals = originals.counts
    summary.bytes += originals.bytes
    refused += originals.refused
    made.fetchOriginals(withoutRoomIn: originals)
  }

  /// Fetches the missing and due thumbnails that were not fetched while the documents were read.
  private mutating func syncThumbnails(of feed: Feed, all: Bool) async {
    var sync = ahead ?? pictureSync(.thumbnail, of: feed, all: all)
    await sync.run(
      fetching: fetchesThumbnails && !plan.isDryRun,
      whenCounted: { noteCounted() },
      note: { note($0) }
    )
    summary.thumbnails = sync.counts
    summary.bytes += sync.bytes
    refused += sync.refused
  }

  /// The originals of a folder are there already.
  var fetchesOriginals: Bool {
    plan.fetchesOriginals(of: summary.address) && !summary.address.isFolder
  }

  private var fetchesThumbnails: Bool { plan.fetchesThumbnails && summary.status != .failed }

  /// Whether the feed wants any pictures; usually it does not if its document has not changed.
  ///
  /// An error of the store is reported by the next step that meets it.
  func wantsPictures(of feed: Feed) async -> Bool {
    if ahead != nil || plan.isForced || fetchesOriginals { return true }
    return (try? await tools.store.wantsThumbnails(feedID: feed.id, filter(all: false))) ?? true
  }

  private func pictureSync(_ kind: PictureKind, of feed: Feed, all: Bool = false) -> PictureSync {
    PictureSync(
      kind,
      of: feed,
      filter(all: all),
      fetchesOriginals: !fetchesOriginals,
      leavesRefused: leavesRefused,
      tools: tools,
      shared: shared,
      permit: permit
    )
  }

  /// The filter for wanted pictures.
  ///
  /// A sync that may lead anywhere retries failed pictures, because their addresses may be allowed now.
  private func filter(all: Bool) -> PictureFilter {
    PictureFilter(
      now: tools.now(),
      all: all,
      retriesFailed: plan.retriesFailed || plan.isForced || plan.reach == .anywhere
    )
  }

  /// Counts the bytes that wanted originals declare, as far as the store knows them.
  mutating func countDeclaredBytes(of feed: Feed?) async {
    summary.originals.waiting += wanted.originals
    summary.originals.waitingBytes = wanted.originalBytes
    guard let feed, !summary.isUnknown else { return }
    let filter = PictureFilter(now: tools.now())
    let count = try? await tools.store.count(of: .original, feedID: feed.id, filter)
    summary.originals.waitingBytes = wanted.originalBytes.adding(count?.declaredBytes ?? 0)
  }

  /// Retires the images beyond the feed's retention, before their pictures are fetched.
  mutating func keepNewest(of feed: Feed) async {
    do throws(StoreError) {
      let retired = try await tools.store.keepNewest(ofFeed: feed.id)
      guard retired != RetiredPictures() else { return }
      let reference = FeedReference(id: feed.id, address: feed.address, title: feed.title)
      shared.teller.yield(.notice(.retired(retired, reference)))
    } catch {
      note(.store(error, of: feed))
    }
  }
}
