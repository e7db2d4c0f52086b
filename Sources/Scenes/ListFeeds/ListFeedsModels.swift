package import Models
package import Workers

/// The models of the scene that lists the feeds that are followed, and ends the following of one.
package enum ListFeeds {
  /// Lists the feeds, by id.
  package enum FetchFeeds {
    package struct Response: Equatable {
      package var feeds: [Feed]
    }

    package struct ViewModel: Equatable {
      package var displayedFeeds: [DisplayedFeed]
    }

    package struct RecordViewModel: Equatable {
      package var records: [FeedRecord]
      /// What is missing in a list that other programs are to follow; nil when nothing is.
      package var maskedNote: String?
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

    package struct RecordViewModel: Equatable {
      package var record: RemovalRecord
    }
  }

  /// Tells why a request came to nothing.
  package enum Fail {
    package struct Response: Equatable {
      package var failure: RequestFailure
    }

    package struct ViewModel: Equatable {
      package var message: String
      package var outcome: Outcome
    }
  }
}
