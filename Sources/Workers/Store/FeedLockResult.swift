/// What came of trying to lock a feed.
package enum FeedLockResult: Sendable {
  case taken(any FeedLock)
  /// Another has it; nil while it has not said yet who it is.
  case held(by: LockHolder?)
}
