import Models

/// What a feed's part of a sync leads to.
enum FeedSyncResult: Sendable {
  case done
  /// Nothing has come of it that its summary counts: it is still to be told, once what was noted of it
  /// is on the disk.
  case unflushed(FeedSyncSummary)
  /// The document only points to feeds: it is none itself. A list of feeds has a summary, which is still to
  /// be told; a web page has none.
  case pointer(to: FoundFeeds, FeedSyncSummary?)
  /// A list names the feed, and its like have taken so much already that it was not asked for.
  case leftOut
  /// The feed was left alone, because its server says that it is gone.
  case paused
}
