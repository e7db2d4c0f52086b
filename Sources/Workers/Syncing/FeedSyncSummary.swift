package import Models

/// The result of a sync for one feed.
package struct FeedSyncSummary: Sendable, Equatable {
  package var address: WebAddress
  /// The feed as it is now; nil while the library does not know it.
  package var feed: Feed?
  package var status: Feed.Status
  package var images: ImageCounts
  /// The ids of the new images; empty in a dry run, which does not assign ids.
  package var newIDs: [ClosedRange<Int64>]
  /// The result for a list of feeds; nil for any other feed.
  package var list: ListedFeeds?
  package var thumbnails: TransferCounts
  package var originals: TransferCounts
  /// The number of bytes that were transferred.
  package var bytes: Int
  package var duration: Duration
  package var problems: [SyncProblem]
  /// Whether nothing was stored.
  ///
  /// The images that are counted as new, changed, gone or waiting are those that a sync would find.
  package var isDryRun: Bool
  /// Whether the library does not know the feed, even if it has an id in a dry run.
  package var isUnknown = false
  /// Whether the feed is a gallery of which the copy has only a part, because its token shows no more.
  package var isLimited = false

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

  /// Whether the library has received new data of the feed.
  package var hasNews: Bool { status == .updated || thumbnails.stored + originals.stored > 0 }

  /// The images whose newer pictures are kept beside the stored ones since this sync, each once.
  package var doubtful: [Int64] { Set(thumbnails.doubtful + originals.doubtful).sorted() }
}

/// The numbers of one feed's thumbnails or originals, by their result.
package struct TransferCounts: Sendable, Equatable {
  package var stored: Int
  package var failed: Int
  /// Wanted pictures that were not requested, or not again after a recent failure.
  package var waiting: Int
  /// The declared size of the waiting pictures in bytes; only a dry run computes it.
  package var waitingBytes = 0
  /// The reasons why some of them are held back after a recent failure.
  package var heldBack: [FailureGroup]
  /// The images whose newer pictures are kept beside the stored ones since this sync.
  package var doubtful: [Int64] = []

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

/// The numbers of pictures that a document makes wanted.
package struct WantedCounts: Sendable, Equatable {
  /// Thumbnails to fetch or to make.
  package var thumbnails: Int
  package var originals: Int
  /// The declared size of the originals, in bytes.
  package var originalBytes: Int

  package init(thumbnails: Int = 0, originals: Int = 0, originalBytes: Int = 0) {
    self.thumbnails = thumbnails
    self.originals = originals
    self.originalBytes = originalBytes
  }
}
