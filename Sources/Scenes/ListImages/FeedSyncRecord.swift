/// What a sync did for one feed, for scripts.
package struct FeedSyncRecord: Equatable, Sendable {
  package struct Feed: Equatable, Sendable {
    /// Null while the feed has never been read.
    package var id: Int64?
    package var url: String
    package var title: String?
    package var format: String?
  }

  package struct Images: Equatable, Sendable {
    package var total: Int
    package var new: Int
    package var changed: Int
    package var gone: Int
  }

  package struct List: Equatable, Sendable {
    package var total: Int
    package var new: Int
    package var lost: [String]
  }

  package struct Pictures: Equatable, Sendable {
    package var stored: Int
    package var failed: Int
    package var waiting: Int
    /// Bytes of those that wait, as far as feeds declare them; null but in a dry run with originals.
    package var waitingBytes: Int?
  }

  package struct Problem: Equatable, Sendable {
    package var url: String
    package var reason: String
    /// `failure`, `warning` or `blemish`.
    package var severity: String
    /// The words of the library that reported it.
    package var detail: String?
  }

  package var feed: Feed
  package var status: String
  package var images: Images
  /// The feeds of a list of feeds; null for every other feed.
  package var list: List?
  package var thumbnails: Pictures
  package var originals: Pictures
  package var bytes: Int
  package var seconds: Double
  package var dryRun: Bool
  package var problems: [Problem]
  /// Of earlier syncs, which make pictures wait.
  package var failures: [FailureGroupRecord] = []
  /// The ids of the new images, as ranges in rising order; null in a dry run, which gives none.
  package var newIDs: [ClosedRange<Int64>]? = []
}
