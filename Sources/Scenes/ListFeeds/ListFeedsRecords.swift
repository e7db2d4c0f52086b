/// A feed in a list for people: finished text.
package struct DisplayedFeed: Equatable, Sendable {
  package var id: Int64
  package var title: String
  package var address: String
  package var format: String
  package var images: String
  /// The number alone, for a column that a program adds up.
  package var imageNumber: String
  /// When it was last synced, as an ISO 8601 date and time in UTC; empty when never.
  package var lastSync: String
  /// The day of it, for a display that is short of room.
  package var lastSyncDay: String
  package var status: String
  /// Empty when there is none.
  package var problem: String
}

/// A feed in a list for scripts.
package struct FeedRecord: Equatable, Sendable {
  package var id: Int64
  package var url: String
  package var title: String?
  package var format: String?
  package var images: Int
  package var lastSync: String?
  package var status: String?
  package var problem: String?
  /// How many of its stored pictures are damaged.
  package var damaged = 0
  package var failures: [FailureGroupRecord] = []
  /// How many feeds it has when it is a list of feeds; null for every other feed.
  package var listedFeeds: Int?
}

/// A manifest in a list for scripts.
package struct FeedManifestRecord: Equatable, Sendable {
  /// The id of its feed.
  package var feed: Int64
  package var url: String
  package var title: String?
  package var images: Int
}

/// What removing a feed did, for scripts.
package struct RemovalRecord: Equatable, Sendable {
  package var id: Int64
  package var url: String
  package var images: Int
  package var originals: Int
  package var purged: Bool
}
