package import Models
package import Workers

/// The models of the scene that lists the followed feeds, and changes or removes one of them.
package enum ListFeeds {
  /// Lists the feeds, by id.
  package enum FetchFeeds {
    package struct Response: Equatable {
      package var feeds: [Feed]
      /// The recent failures of pictures, by the id of their feed.
      package var failures: [Int64: [FailureGroup]] = [:]
      /// The hosts of the feeds that asked for a pause.
      package var pauses: [HostPause] = []
    }

    package struct ViewModel: Equatable {
      package var displayedFeeds: [DisplayedFeed]
      /// A note that secrets in the addresses are masked; nil without secrets.
      package var maskedNote: String?
      /// What an OPML document of the feeds masks, and leaves out.
      package var outlineNotes: [String] = []
    }
  }

  /// Lists the IIIF manifests of the images, by feed.
  package enum FetchManifests {
    package struct Response: Equatable {
      package var manifests: [FeedManifest]
    }

    package struct ViewModel: Equatable {
      /// The feed, title, address and number of images of each manifest.
      package var rows: [[String]]
    }
  }

  /// Unsubscribes a feed.
  package enum RemoveFeed {
    package struct Request: Sendable {
      package var feed: FeedArgument
      /// Whether to delete its images instead of hiding them.
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

  /// Changes the user's settings of a feed.
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
      /// The settings that were changed.
      package var change: FeedChange
      /// The recent failures of its pictures.
      package var failures: [FailureGroup] = []
    }

    package struct ViewModel: Equatable {
      /// A line for each setting.
      package var lines: [HintedText]
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
  /// The time of the last sync, as an ISO 8601 date and time in UTC; empty before the first sync.
  package var lastSync: String
  /// The day of the last sync, for a narrow display.
  package var lastSyncTime: String
  package var status: String
  /// Empty without a problem.
  package var problem: HintedText
  /// The hub that tells of its changes, and the end of the lease; empty without a lease.
  package var push = ""
  /// Whether other feed readers can follow it by its address, which excludes lists of feeds and pipes.
  package var isSubscription = true

  /// The status, followed by `push` if there is a lease.
  package var state: String {
    [status, push].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension ListFeeds.FetchFeeds.Response {
  /// The pause of a feed's host; nil without one.
  func pause(of feed: Feed) -> HostPause? {
    pauses.first { feed.address.isWeb && $0.host == feed.address.hostKey }
  }
}
