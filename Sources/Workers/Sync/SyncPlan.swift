package import Models

/// What a sync is asked to do.
package struct SyncPlan: Sendable, Equatable {
  /// The feeds to ask for, known or new.
  package var feeds: [WebAddress]
  /// Whether thumbnails are fetched.
  package var fetchesThumbnails: Bool
  /// Whether every original of the feeds is fetched.
  package var fetchesOriginals: Bool
  /// Whether validators are ignored and every thumbnail is asked for again.
  package var isForced: Bool

  package init(
    feeds: [WebAddress],
    fetchesThumbnails: Bool = true,
    fetchesOriginals: Bool = false,
    isForced: Bool = false
  ) {
    self.feeds = feeds
    self.fetchesThumbnails = fetchesThumbnails
    self.fetchesOriginals = fetchesOriginals
    self.isForced = isForced
  }
}
