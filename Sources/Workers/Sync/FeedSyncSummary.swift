package import Models

/// What a sync did for one feed.
package struct FeedSyncSummary: Sendable, Equatable {
  package var address: WebAddress
  /// The feed as it is now; nil when it is still unknown to the library.
  package var feed: Feed?
  package var status: Feed.Status
  package var images: ImageCounts
  /// The ids of the new images; empty in a dry run, which gives none.
  package var newIDs: [ClosedRange<Int64>]
  /// The feeds that it has when it is a list of feeds; nil for every other feed.
  package var list: ListedFeeds?
  package var thumbnails: TransferCounts
  package var originals: TransferCounts
  /// Bytes that came over the wire.
  package var bytes: Int
  package var duration: Duration
  package var problems: [SyncProblem]
  /// Whether nothing was stored: what is counted as new, changed, gone or waiting is what a sync
  /// would find.
  package var isDryRun: Bool
  /// Whether the library does not know the feed, whatever id it has in a rehearsal.
  package var isUnknown: Bool

  package init(
    address: WebAddress,
    feed: Feed? = nil,
    status: Feed.Status,
    images: ImageCounts = ImageCounts(),
    newIDs: [ClosedRange<Int64>] = [],
    list: ListedFeeds? = nil,
    thumbnails: TransferCounts = TransferCounts(),
    originals: TransferCounts = TransferCounts(),
    bytes: Int = 0,
    duration: Duration = .zero,
    problems: [SyncProblem] = [],
    isDryRun: Bool = false,
    isUnknown: Bool = false
  ) {
    self.address = address
    self.feed = feed
    self.status = status
    self.images = images
    self.newIDs = newIDs
    self.list = list
    self.thumbnails = thumbnails
    self.originals = originals
    self.bytes = bytes
    self.duration = duration
    self.problems = problems
    self.isDryRun = isDryRun
    self.isUnknown = isUnknown
  }

  /// Whether nothing that it counts was written, and nothing went wrong.
  var hasStoredNothing: Bool {
    status == .unchanged && images == ImageCounts(total: images.total) && thumbnails.stored == 0
      && originals.stored == 0 && problems.isEmpty
  }
}
