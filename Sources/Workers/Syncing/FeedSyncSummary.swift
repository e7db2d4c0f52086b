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
  /// Whether the library does not know the feed, whatever id it has in a dry run.
  package var isUnknown = false

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
    isDryRun: Bool = false
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
  }

  /// Whether the library has anything of the feed that it had not before.
  package var hasNews: Bool { status == .updated || thumbnails.stored + originals.stored > 0 }
}

/// What became of the thumbnails or originals of one feed.
package struct TransferCounts: Sendable, Equatable {
  package var stored: Int
  package var failed: Int
  /// Wanted, and not asked for: not yet, or not again so soon.
  package var waiting: Int
  /// Bytes of those that wait, as far as the feed declares them; told by a dry run alone.
  package var waitingBytes = 0
  /// Why some of those wait: they have failed before, too lately to be asked for again.
  package var heldBack: [FailureGroup]

  package init(
    stored: Int = 0,
    failed: Int = 0,
    waiting: Int = 0,
    heldBack: [FailureGroup] = []
  ) {
    self.stored = stored
    self.failed = failed
    self.waiting = waiting
    self.heldBack = heldBack
  }
}

/// How many pictures a document wants fetched that were not wanted before.
package struct WantedCounts: Sendable, Equatable {
  /// Those that the feed names, and those that are made.
  package var thumbnails: Int
  package var originals: Int
  /// Bytes of the originals, as far as the feed declares them.
  package var originalBytes: Int

  package init(thumbnails: Int = 0, originals: Int = 0, originalBytes: Int = 0) {
    self.thumbnails = thumbnails
    self.originals = originals
    self.originalBytes = originalBytes
  }
}
