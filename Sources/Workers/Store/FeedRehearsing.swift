package import Models

/// Gives what a sync can be tried out on without a trace.
package protocol FeedRehearsing: Sendable {
  /// A store that has what the library has of one feed; it ends with whoever holds it. The library itself is only
  /// read, and need not exist.
  ///
  /// The feed is copied with the first write: until then the library's own rows are read, so that a feed that has
  /// not changed costs next to nothing.
  ///
  /// - Parameter address: The feed, known or not.
  /// - Returns: The store; its ids are the library's.
  /// - Throws: when the library cannot be read, or no room is left for the rehearsal.
  func rehearsal(ofFeedAt address: WebAddress) throws(StoreError) -> any SyncStoring
}
