/// Why a document cannot be read as a feed.
package enum FeedError: Error, Sendable, Equatable {
  /// Not a feed; what it looks like, as a noun with its article: "an HTML page", "a JPEG image".
  case notAFeed(looksLike: String)
  /// Damaged so that not even one entry can be read, and how.
  case malformed(DocumentFlaw)
  /// Beyond a limit; what the limit is on, as a noun, and the limit in its own unit.
  case beyondLimit(of: String, limit: Int)
  /// Beyond what one feed may bring in one sync, unless the user lifts it; and how many of its images had been
  /// read by then, all of which are stored.
  case beyondBound(FeedBounds.Bound, stored: Int)
  /// What lists name has taken more together than it may in one sync, unless the user lifts it; and how many
  /// feeds of this list were not asked for.
  case listedBeyondBound(FeedBounds.Bound, unasked: Int)
}
