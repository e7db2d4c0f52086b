package import FoundationEssentials
package import Models
package import Workers

/// The models of the scene that brings feeds and their pictures into the library.
package enum SyncFeeds {
  /// Begins a sync.
  package enum Start {
    package struct Request: Sendable {
      /// The feeds to sync; empty for all followed feeds.
      package var feeds: [FeedArgument]
      /// How to sync them; the scene fills in the addresses, and the usual budget for originals.
      package var plan: SyncPlan
      /// The followed gallery whose copy the named one takes over; nil for none.
      package var formerGallery: FeedArgument?
      /// The file of certificate authorities that only this sync trusts; nil if the user's settings name it, or for none.
      package var authorities: String?
      /// Whether a sync of all feeds ends at once if none is followed; otherwise that is a failure.
      package var mayHaveNone: Bool
      /// Ends the sync early, and keeps its results so far.
      package var stop: StopRequest

      package init(
        feeds: [FeedArgument],
        plan: SyncPlan = SyncPlan(feeds: []),
        formerGallery: FeedArgument? = nil,
        authorities: String? = nil,
        mayHaveNone: Bool = false,
        stop: StopRequest
      ) {
        self.feeds = feeds
        self.plan = plan
        self.formerGallery = formerGallery
        self.authorities = authorities
        self.mayHaveNone = mayHaveNone
        self.stop = stop
      }
    }
  }

  /// The progress of the sync, several times a second.
  package enum Progress {
    package struct Response: Equatable {
      package var snapshot: SyncProgress.Snapshot
      package var isStopping = false
    }
  }

  /// A failure, or a flaw of a document.
  package enum Problem {
    package struct Response: Equatable {
      package var problem: SyncProblem
      /// The name from which the scene guessed the feed's address; nil when the address was given.
      package var guessedFrom: FeedName?
      /// Whether the request names no feed.
      package var isOfEveryFeed = false
      /// Whether the last sync of its feed failed in the same way.
      package var isKnown = false
      /// Whether it is that of a feed that the library does not have, so that nothing of it was stored.
      package var isNew = false
      /// The same problem of other feeds, if no server was reached.
      package var others: [SyncProblem] = []
      /// The ids of the feeds that a hint may name, if their addresses have secrets, which are masked.
      package var ids: [WebAddress: Int64] = [:]
    }

    package struct ViewModel: Equatable {
      package var text: HintedText
      package var severity = SyncProblem.Severity.failure
      /// The problems that the text sums up, or the C library's message; empty without details.
      package var details: [HintedText] = []
      /// A hint on how to see the details; nil if the text needs no hint.
      package var hint: Hint?
      /// Whether trusting another certificate authority would help.
      package var isUntrusted = false
      /// Whether an earlier sync has told it; a display that is to be quiet leaves it out.
      package var isKnown = false
      /// As in `Fail.ViewModel`.
      package var isOfLibrary = false
    }
  }

  /// An event that is not a problem.
  package enum Notice {
    package struct Response: Equatable {
      package var notice: SyncNotice
      /// As in `Problem`, and that of a folder that is followed beside another one.
      package var ids: [WebAddress: Int64] = [:]
    }

    package struct ViewModel: Equatable {
      package var text: HintedText
      /// Whether it ends a failure, which was told even to a user who asked for quiet.
      package var endsFailure = false
      /// As in `Fail.ViewModel`.
      package var isOfLibrary = false
      /// The file of certificate authorities that the settings should name.
      package var authorities: String?
      /// The addresses of the feeds whose settings should name it; empty for the settings of all.
      package var feeds: [String] = []
    }
  }

  /// An explanation of the images of entries.
  package enum Explained {
    package struct Response: Equatable {
      package var entries: [EntryExplanation]
      package var feed: WebAddress
      /// Whether other feeds may be explained as well.
      package var isOneOfSeveral = false
    }

    /// An address of an entry.
    package struct Row: Equatable {
      /// Its use: original, thumbnail, or not used.
      package var label: String
      package var address: String
      /// Its place in the entry, and the reason for its use.
      package var reason: String
    }

    package struct Entry: Equatable {
      package var title: String
      package var rows: [Row]
    }

    package struct ViewModel: Equatable {
      package var entries: [Entry]
    }
  }

  /// The end of one feed.
  package enum FeedFinished {
    package struct Response: Equatable {
      package var summary: FeedSyncSummary
      /// Whether its entries were explained.
      package var isExplained = false
    }

    package struct ViewModel: Equatable {
      package var text: HintedText
    }
  }

  /// A watch that waits for the next feed to be due.
  package enum Watch {
    package struct Response: Equatable {
      package var feeds: Int
      /// When the next feed is due; nil when no feed will be due.
      package var next: Date?
    }

    package struct ViewModel: Equatable {
      package var text: String
    }
  }

  /// The end of the sync.
  package enum Ended {
    package struct Response: Equatable {
      package var outcome: Outcome
      package var isInterrupted: Bool
      package var isDryRun = false
      /// The sums of several feeds; nil for one.
      package var totals: SyncTally?
    }

    package struct ViewModel: Equatable {
      package var outcome: Outcome
      /// The sums of several feeds; nil for one.
      package var totals: String?
      /// A note that the sync was interrupted; nil otherwise.
      package var note: String?
    }
  }

  /// The time that each phase took.
  package enum Timed {
    package struct Response: Equatable {
      package var timings: SyncTimings
    }

    package struct Row: Equatable {
      package var phase: String
      package var time: String
      /// The work that took the time.
      package var detail: String
    }

    package struct ViewModel: Equatable {
      package var title: String
      package var rows: [Row]
    }
  }
}

/// The sums of all feeds of one sync.
package struct SyncTally: Equatable, Sendable {
  package private(set) var feeds: [Feed.Status: Int] = [:]
  package private(set) var images = ImageCounts()
  package private(set) var thumbnails = TransferCounts()
  package private(set) var originals = TransferCounts()
  /// Bytes received over the network.
  package private(set) var bytes = 0
  /// How long the sync took; zero while it is under way.
  package private(set) var duration = Duration.zero
  private var hasFailures = false

  package init() {}

  package mutating func add(_ summary: FeedSyncSummary) {
    feeds[summary.status, default: 0] += 1
    images.total += summary.images.total
    images.new += summary.images.new
    images.changed += summary.images.changed
    images.gone += summary.images.gone
    thumbnails.add(summary.thumbnails)
    originals.add(summary.originals)
    bytes += summary.bytes
    if summary.problems.contains(where: { $0.severity == .failure }) { hasFailures = true }
  }

  /// Notes that something else failed, such as the announcement of new images.
  mutating func noteFailure() { hasFailures = true }

  package var feedCount: Int { feeds.values.reduce(0, +) }

  /// The sums at the end; nil for fewer than two feeds.
  package func totals(after duration: Duration) -> SyncTally? {
    guard feedCount > 1 else { return nil }
    var totals = self
    totals.duration = duration
    return totals
  }

  /// Failed when every feed failed; partly when a feed or another part failed.
  ///
  /// A document that could be read despite its flaws has not failed.
  var outcome: Outcome {
    let failed = feeds[.failed] ?? 0
    if failed > 0, failed == feedCount { return .failed }
    return hasFailures || failed > 0 ? .partly : .done
  }
}

extension SyncNotice {
  /// Whether originals are not where they should be, and no later sync can change that.
  ///
  /// The next sync puts them if the object store was only out of reach.
  var endsPartly: Bool {
    guard case .notPut(_, let error) = self else { return false }
    switch error.reason {
    case .otherLibrary, .otherObjects, .ignoredConditions: return true
    default: return false
    }
  }
}

extension TransferCounts {
  /// Adds the numbers, but not the reasons for waiting pictures, which the summary of each feed contains.
  fileprivate mutating func add(_ other: TransferCounts) {
    stored += other.stored
    failed += other.failed
    waiting += other.waiting
    waitingBytes = waitingBytes.adding(other.waitingBytes)
  }
}
