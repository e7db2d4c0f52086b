package import Models

/// Changes which feeds are followed, and what they are called.
package protocol FeedManaging: Sendable {
  /// Unsubscribes a feed and hides its images; a later sync of its address brings them back.
  ///
  /// - Parameters:
  ///   - id: The feed.
  ///   - purging: Whether its images, and the files that nothing else refers to, are deleted.
  /// - Returns: What was removed; nil when no such feed is followed.
  /// - Throws: when the library cannot be written.
  func removeFeed(id: Int64, purging: Bool) throws(StoreError) -> RemovedFeed?

  /// Gives a feed a title that goes before its document's, or takes it back.
  ///
  /// - Parameters:
  ///   - title: One line of plain text; nil gives it its own title again.
  ///   - id: The feed.
  /// - Returns: The feed as it is then; nil when no such feed is followed.
  /// - Throws: when the library cannot be written.
  func setTitle(_ title: String?, ofFeed id: Int64) throws(StoreError) -> Feed?
}
