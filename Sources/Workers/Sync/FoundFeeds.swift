import Models

/// Feeds that a document points to.
struct FoundFeeds: Sendable {
  var addresses: [WebAddress]
  /// How many documents stand between them and what was asked for.
  var pointers: Int
  /// Whether files may be among them: what the user has named, and what a list on the user's own
  /// disk names.
  var mayBeFiles = false
  /// How far their content may lead, as that of the document; nil for what the user has named, where
  /// the address itself decides.
  var reach: FeedReach?
  /// Whether they are those of a list that was followed before: it may well lead back to others.
  var isKnown = false

  /// Nothing from the web can point to a file.
  func isUsable(_ address: WebAddress) -> Bool { mayBeFiles || address.isWeb }
}
