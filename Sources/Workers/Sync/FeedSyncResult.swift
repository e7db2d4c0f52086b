import Models

/// What a feed's part of a sync leads to.
enum FeedSyncResult: Sendable {
  case done
  /// The document only points to these feeds: it is none itself.
  case pointer(to: [WebAddress])
  /// The feed was left alone, because its server says that it is gone.
  case paused
}
