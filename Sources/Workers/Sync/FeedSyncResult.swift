import Models

/// What a feed's part of a sync leads to.
enum FeedSyncResult: Sendable {
  case done
  /// Nothing has come of it that its summary counts: it is still to be told, once what was noted of it
  /// is on the disk.
  case unflushed(FeedSyncSummary)
  /// The document only points to these feeds, whose content may lead so far: it is none itself.
  case pointer(to: [WebAddress], reach: FeedReach)
  /// The feed was left alone, because its server says that it is gone.
  case paused
}
