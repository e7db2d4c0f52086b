package import Models
package import Workers

/// The models of the scene that lists the feeds that are followed, and changes or removes one.
package enum ListFeeds {
  /// Lists the feeds, by id.
  package enum FetchFeeds {
    package struct Response: Equatable {
      package var feeds: [Feed]
      /// The recent failures of pictures, by the id of their feed.
      package var failures: [Int64: [FailureGroup]] = [:]
    }

    package struct ViewModel: Equatable {
      package var displayedFeeds: [DisplayedFeed]
      /// A note on secrets that are missing in the addresses; nil without any.
      package var maskedNote: String?
    }
  }

  /// Lists the manifests of IIIF that images of feeds are from, by feed.
  package enum FetchManifests {
    package struct Response: Equatable {
      package var manifests: [FeedManifest]
    }

    package struct ViewModel: Equatable {
      /// Feed, title, address and number of images of each.
      package var rows: [[String]]
    }
  }

  /// Unsubscribes a feed.
  package enum RemoveFeed {
    package struct Request: Sendable {
      package var feed: FeedArgument
      /// Whether its images are deleted, too, instead of hidden.
      package var isPurging: Bool

      package init(feed: FeedArgument, isPurging: Bool) {
        self.feed = feed
        self.isPurging = isPurging
      }
    }

    package struct Response: Equatable {
      package var removed: RemovedFeed
      package var wasPurged: Bool
    }

    package struct ViewModel: Equatable {
      package var text: String
    }
  }

  /// Changes what the user sets of a feed.
  package enum ChangeFeed {
    package struct Request: Sendable {
      package var feed: FeedArgument
      package var change: FeedChange

      package init(feed: FeedArgument, change: FeedChange) {
        self.feed = feed
        self.change = change
      }
    }

    package struct Response: Equatable {
      package var feed: Feed
      /// What was set.
      package var change: FeedChange
      /// The recent failures of its pictures.
      package var failures: [FailureGroup] = []
    }

    package struct ViewModel: Equatable {
      /// A line for each setting.
      package var lines: [String]
    }
  }
}

/// A feed in a list for people: finished text.
package struct DisplayedFeed: Equatable, Sendable {
  package var id: Int64
  package var title: String
  package var address: String
  package var format: String
  package var images: String
  /// The number alone, for a column that a program adds up.
  package var imageNumber: String
  /// The time of the last sync, as an ISO 8601 date and time in UTC; empty when there was none.
  package var lastSync: String
  /// The day of it, for a display that is short of room.
  package var lastSyncDay: String
  package var status: String
  /// Empty if it is missing.
  package var problem: HintedText
  /// Which hub tells of its changes, and until when; empty for none.
  package var push = ""
  /// Whether other feed readers can follow it by its address: not a list of feeds, nor a pipe.
  package var isSubscription = true

  /// The status, and that a hub tells of its changes.
  package var state: String {
    [status, push].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
