package import FoundationEssentials
package import Models
package import Workers

/// The models of the scene that syncs feeds, lists images and selects one.
package enum ListImages {
  /// Brings feeds and their pictures into the library.
  package enum SyncFeeds {
    package struct Request: Sendable {
      /// The feeds to sync; empty for every feed that is followed.
      package var feeds: [FeedArgument]
      package var fetchesThumbnails: Bool
      package var fetchesOriginals: Bool
      package var isForced: Bool
      /// Whether pictures that failed not long ago are asked for all the same.
      package var retriesFailed: Bool
      /// Whether it is only told what a sync would do.
      package var isDryRun: Bool
      /// Whether the feeds may lead to private addresses from now on.
      package var allowsPrivate: Bool
      /// Whether each feed may bring as much as it likes.
      package var hasNoLimits: Bool
      /// How many bytes of originals may be fetched; nil for what is usual.
      package var budget: Int?
      /// Ends the sync early; what has come is kept and told.
      package var stop: StopRequest

      package init(
        feeds: [FeedArgument],
        fetchesThumbnails: Bool = true,
        fetchesOriginals: Bool = false,
        isForced: Bool = false,
        retriesFailed: Bool = false,
        isDryRun: Bool = false,
        allowsPrivate: Bool = false,
        hasNoLimits: Bool = false,
        budget: Int? = nil,
        stop: StopRequest
      ) {
        self.feeds = feeds
        self.fetchesThumbnails = fetchesThumbnails
        self.fetchesOriginals = fetchesOriginals
        self.isForced = isForced
        self.retriesFailed = retriesFailed
        self.isDryRun = isDryRun
        self.allowsPrivate = allowsPrivate
        self.hasNoLimits = hasNoLimits
        self.budget = budget
        self.stop = stop
      }
    }

    package enum Started {
      package struct Response {
        package var progress: SyncProgress
        /// The wish to stop, once it is made.
        package var stop = StopRequest()
      }

      package struct ViewModel {
        /// The progress at the moment of the call, for a display to sample.
        package var sample: @Sendable () -> ProgressLine
      }
    }

    package enum Problem {
      package struct Response: Equatable {
        package var problem: SyncProblem
        /// The name that the feed's address was guessed from; nil when it was given.
        package var guessedFrom: FeedName?
        /// Whether all feeds that are followed are synced, and so it is one of them.
        package var isOfEveryFeed = false
      }

      package struct ViewModel: Equatable {
        package var text: String
        package var severity = SyncProblem.Severity.failure
        /// What it sums up; empty when it is only one thing.
        package var details: [String] = []
        /// How the details are had; nil when there are none.
        package var hint: String?
        /// Whether it would be none if one more authority of certificates were trusted.
        package var isUntrusted = false
      }
    }

    package enum Notice {
      package struct Response: Equatable {
        package var notice: SyncNotice
      }

      package struct ViewModel: Equatable {
        package var text: String
      }
    }

    package enum FeedFinished {
      package struct Response: Equatable {
        package var summary: FeedSyncSummary
      }

      package struct ViewModel: Equatable {
        package var text: String
      }

      package struct RecordViewModel: Equatable {
        package var record: FeedSyncRecord
      }
    }

    package enum Ended {
      package struct Response: Equatable {
        package var outcome: Outcome
        package var isInterrupted: Bool
        package var isDryRun = false
        /// What several feeds come to together; nil of one.
        package var totals: SyncTally?
      }

      package struct ViewModel: Equatable {
        package var outcome: Outcome
        /// What several feeds come to together; nil of one.
        package var totals: String?
        /// What is left to say; nil when the summaries say it all.
        package var note: String?
      }
    }
  }

  /// Lists images in an order, filtered and cut to a page.
  package enum FetchImages {
    package struct Request: Sendable {
      package var order: ImageQuery.Order
      package var feed: FeedArgument?
      package var search: String?
      /// Only images that `newest` sorts by this moment or a later one.
      package var since: Date?
      /// Only images that came to the library at this moment or later.
      package var addedSince: Date?
      /// Only images whose original is stored, or only those whose original is not.
      package var isOriginalStored: Bool?
      package var shape: ImageQuery.Shape?
      package var limit: Int?
      /// Means nothing for the random order, which has no next page.
      package var offset: Int
      /// The room that the display has for thumbnails; nil when it draws none.
      package var grid: Grid?

      package init(
        order: ImageQuery.Order = .newest,
        feed: FeedArgument? = nil,
        search: String? = nil,
        since: Date? = nil,
        addedSince: Date? = nil,
        isOriginalStored: Bool? = nil,
        shape: ImageQuery.Shape? = nil,
        limit: Int? = nil,
        offset: Int = 0,
        grid: Grid? = nil
      ) {
        self.order = order
        self.feed = feed
        self.search = search
        self.since = since
        self.addedSince = addedSince
        self.isOriginalStored = isOriginalStored
        self.shape = shape
        self.limit = limit
        self.offset = offset
        self.grid = grid
      }
    }

    /// Rows of thumbnails.
    package struct Grid: Equatable, Sendable {
      /// The room for one of them, in pixels.
      package var room: PixelBox
      /// How many stand in a row, and so are presented together.
      package var count: Int

      package init(room: PixelBox, count: Int) {
        self.room = room
        self.count = count
      }
    }

    package struct Response: Equatable {
      package var images: [WebImage]
      /// The thumbnail of each, nil where there is none to draw; nil when none were asked for.
      package var thumbnails: [DecodedPixels?]?
    }

    package struct ViewModel: Equatable {
      package var displayedImages: [DisplayedImage]
      /// Whether they are drawn.
      package var isGrid = false
    }

    /// No picture can be drawn; the images are listed all the same.
    package enum Undrawn {
      package struct Response: Equatable {
        package var reason: ImagingError
      }

      package struct ViewModel: Equatable {
        package var note: String
      }
    }

    package struct RecordViewModel: Equatable {
      package var records: [ImageRecord]
    }

    package enum Ended {
      package struct Response: Equatable {
        /// How many images were presented.
        package var count: Int
        /// Where the next page begins; nil when this was the last.
        package var nextOffset: Int?
        /// Which pictures of these images could not be had lately.
        package var failures: [FailureGroup] = []
        /// Whether there is no image that could have matched.
        package var isLibraryEmpty = false
      }

      package struct ViewModel: Equatable {
        /// What is left to say; nil when the list says it all.
        package var note: String?
        /// Which pictures of these images could not be had lately, and why.
        package var failures: [String] = []
        /// Where the next page begins; nil when this was the last.
        package var nextOffset: Int?
      }
    }
  }

  /// Selects one image of the library, to be shown.
  package enum SelectImage {
    package struct Request: Sendable {
      package var id: Int64

      package init(id: Int64) { self.id = id }
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
