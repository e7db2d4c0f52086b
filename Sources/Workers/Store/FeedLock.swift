/// The right to sync a feed; it ends with the process that has it, however that ends.
package protocol FeedLock: AnyObject, Sendable {
  /// Gives it back; letting go of it does the same.
  func release()
}
