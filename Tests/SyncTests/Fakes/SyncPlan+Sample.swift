import Workers

extension SyncPlan {
  /// Only the document of the one feed.
  static let documentOnly = SyncPlan(feeds: [.feed], fetchesThumbnails: false)
  /// Everything of the one feed.
  static let everything = SyncPlan(feeds: [.feed], fetchesOriginals: true)
}
