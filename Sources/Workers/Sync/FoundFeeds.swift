import Models

/// Feeds that a document points to.
struct FoundFeeds: Sendable {
  var addresses: [WebAddress]
  /// How many documents stand between them and what was asked for.
  var pointers: Int
}
