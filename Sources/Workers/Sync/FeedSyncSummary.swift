package import Models

/// What a sync did for one feed.
package struct FeedSyncSummary: Sendable, Equatable {
  package var address: WebAddress
  /// The feed as it is now; nil when it is still unknown to the library.
  package var feed: Feed?
  package var status: Feed.Status
  package var images: ImageCounts
  package var thumbnails: TransferCounts
  package var originals: TransferCounts
  /// Bytes that came over the wire.
  package var bytes: Int
  package var duration: Duration
  package var problems: [SyncProblem]
  /// Whether nothing of it was done: it says what a sync would do.
  package var isDryRun: Bool

  package init(
    address: WebAddress,
    feed: Feed? = nil,
    status: Feed.Status,
    images: ImageCounts = ImageCounts(),
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
    self.thumbnails = thumbnails
    self.originals = originals
    self.bytes = bytes
    self.duration = duration
    self.problems = problems
    self.isDryRun = isDryRun
  }
}
