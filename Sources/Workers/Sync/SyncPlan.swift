package import Models

/// What a sync is asked to do.
package struct SyncPlan: Sendable, Equatable {
  /// The feeds to ask for, known or new.
  package var feeds: [WebAddress]
  /// Those of them that are lists of feeds, as far as the library knows.
  package var lists: [WebAddress]
  /// Those of them whose documents are to be read from pipes, now and never again.
  package var piped: Set<WebAddress>
  /// Whether thumbnails are fetched.
  package var fetchesThumbnails: Bool
  /// Whether every original of the feeds is fetched.
  package var fetchesOriginals: Bool
  /// Whether validators are ignored and every thumbnail is asked for again.
  package var isForced: Bool
  /// Whether no feed was named: then each is asked no sooner than its server allows, and one whose
  /// server says that it is gone is left alone.
  package var isEveryFeed: Bool
  /// Whether pictures that could not be had before are asked for however short a time ago that was.
  package var retriesFailed: Bool
  /// Whether nothing is fetched but documents, and nothing is stored.
  package var isDryRun: Bool
  /// Whether the feeds, and those that they point to, may lead to private addresses from now on.
  package var allowsPrivate: Bool
  /// How much each feed may bring.
  package var bounds: FeedBounds
  /// How many bytes of originals may be fetched; nil for all there are.
  package var originalBytes: Int?

  package init(
    feeds: [WebAddress],
    lists: [WebAddress] = [],
    piped: Set<WebAddress> = [],
    fetchesThumbnails: Bool = true,
    fetchesOriginals: Bool = false,
    isForced: Bool = false,
    isEveryFeed: Bool = false,
    retriesFailed: Bool = false,
    isDryRun: Bool = false,
    allowsPrivate: Bool = false,
    bounds: FeedBounds = FeedBounds(),
    originalBytes: Int? = nil
  ) {
    self.feeds = feeds
    self.lists = lists
    self.piped = piped
    self.fetchesThumbnails = fetchesThumbnails
    self.fetchesOriginals = fetchesOriginals
    self.isForced = isForced
    self.isEveryFeed = isEveryFeed
    self.retriesFailed = retriesFailed
    self.isDryRun = isDryRun
    self.allowsPrivate = allowsPrivate
    self.bounds = bounds
    self.originalBytes = originalBytes
  }
}
