package import Models
package import Workers

/// The models of the scene that lists the feeds that are followed, names one, and ends the following of one.
package enum ListFeeds {
  /// Lists the feeds, by id.
  package enum FetchFeeds {
    package struct Response: Equatable {
      package var feeds: [Feed]
      /// The pictures that could not be had lately, by the id of their feed.
      package var failures: [Int64: [FailureGroup]] = [:]
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

  /// Lists the manifests of IIIF that images of feeds are from, by feed.
  package enum FetchManifests {
    package struct Response: Equatable {
      package var manifests: [FeedManifest]
    }

    package struct ViewModel: Equatable {
      /// Feed, title, address and number of images of each.
      package var rows: [[String]]
    }

    package struct RecordViewModel: Equatable {
      package var records: [FeedManifestRecord]
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

  /// Gives a feed a title that goes before its own.
  package enum NameFeed {
    package struct Request: Sendable {
      package var feed: FeedArgument
      /// Empty to give the feed its own title again.
      package var title: String

      package init(feed: FeedArgument, title: String) {
        self.feed = feed
        self.title = title
      }

      /// The title as one line; nil when there is none.
      var line: String? {
        let words = title.split { $0.isWhitespace || $0.isNewline }
        return words.isEmpty ? nil : words.joined(separator: " ")
      }
    }

    package struct Response: Equatable {
      package var feed: Feed
      /// Which of its pictures could not be had lately.
      package var failures: [FailureGroup] = []
    }

    package struct ViewModel: Equatable {
      package var text: String
    }

    package struct RecordViewModel: Equatable {
      package var record: FeedRecord
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
