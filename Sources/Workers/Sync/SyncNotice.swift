package import Models

/// Something of a sync that a person may like to know, and that is no problem.
package enum SyncNotice: Sendable, Equatable {
  /// Another process is syncing a feed, and is waited for; nil when it does not say who it is.
  case waiting(for: LockHolder?, feed: WebAddress)
  /// A feed has another address from now on.
  case moved(from: WebAddress, to: WebAddress)
  /// So many feeds were not asked for, because their servers say that they are gone.
  case paused(feeds: Int)
  /// A list has no longer a feed, which is followed all the same.
  case unlisted(WebAddress, list: FeedReference)
  /// A feed that was named came from a pipe, and so only its pictures are asked for.
  case readFromPipe(WebAddress)
}
