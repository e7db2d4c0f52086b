/// Ends the following of feeds.
package protocol FeedRemoving: Sendable {
  /// Unsubscribes a feed and hides its images; a later sync of its address brings them back.
  ///
  /// - Parameters:
  ///   - id: The feed.
  ///   - purging: Whether its images, and the files that nothing else refers to, are deleted.
  /// - Returns: What was removed; nil when no such feed is followed.
  /// - Throws: when the library cannot be written.
  func removeFeed(id: Int64, purging: Bool) throws(StoreError) -> RemovedFeed?
}
