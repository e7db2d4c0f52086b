package import FoundationEssentials
package import Models

/// Brings feeds and their pictures into the library.
package protocol Syncing: Sendable {
  /// Starts a sync; it runs whether or not its facts are read.
  func sync(_ plan: SyncPlan) -> SyncRun
}

/// What a sync is asked to do.
package struct SyncPlan: Sendable, Equatable {
  /// Bytes of all originals that a run fetches for their thumbnails alone, unless it is told
  /// otherwise.
  package static let originalBytesForThumbnails = 200 << 20

  /// The feeds to ask for, known or new.
  package var feeds: [WebAddress]
  /// Those of them that are lists of feeds, as far as the library knows.
  package var lists: [WebAddress]
  /// Those of them whose documents are to be read from pipes, now and never again.
  package var piped: Set<WebAddress>
  /// Whether thumbnails are fetched.
  package var fetchesThumbnails: Bool
  /// Whether every original of the feeds is fetched.
  package var fetchesOriginals: Bool
  /// Feeds whose originals are all fetched in any case, by the identity of their addresses.
  package var originalsOf: Set<String> = []
  /// Whether validators are ignored and every thumbnail is asked for again.
  package var isForced: Bool
  /// Whether no feed was named: then each is asked no sooner than its server allows, and one whose
  /// server says that it is gone is left alone.
  package var isEveryFeed: Bool
  /// Whether it goes on until it is stopped, and asks each feed that is followed when it is due (`FeedSchedule`).
  package var isWatching = false
  /// Whether hubs tell of changes meanwhile, so that a subscribed feed is asked once a day.
  package var hearsHubs = false
  /// Whether pictures that could not be had before are asked for however short a time ago that was.
  package var retriesFailed: Bool
  /// Whether nothing is fetched but documents, and nothing is stored.
  package var isDryRun: Bool
  /// Whether each entry is told with the reasons for its images, also of a document that has not changed.
  package var isExplained: Bool
  /// How far the feeds, and those that they point to, may lead from now on; nil for as far as before, and for a new
  /// feed as far as the address that the user typed.
  package var reach: FeedReach?
  /// How much each feed may bring.
  package var bounds: FeedBounds
  /// How many bytes of originals may be fetched; nil for all there are.
  package var originalBytes: Int?

  package init(
    feeds: [WebAddress],
    lists: [WebAddress] = [],
    piped: Set<WebAddress> = [],
    fetchesThumbnails: Bool = true,
    fetchesOriginals: Bool = false,
    isForced: Bool = false,
    isEveryFeed: Bool = false,
    retriesFailed: Bool = false,
    isDryRun: Bool = false,
    isExplained: Bool = false,
    reach: FeedReach? = nil,
    bounds: FeedBounds = FeedBounds(),
    originalBytes: Int? = nil
  ) {
    self.feeds = feeds
    self.lists = lists
    self.piped = piped
    self.fetchesThumbnails = fetchesThumbnails
    self.fetchesOriginals = fetchesOriginals
    self.isForced = isForced
    self.isEveryFeed = isEveryFeed
    self.retriesFailed = retriesFailed
    self.isDryRun = isDryRun
    self.isExplained = isExplained
    self.reach = reach
    self.bounds = bounds
    self.originalBytes = originalBytes
  }
}

extension SyncPlan {
  /// Whether every original of a feed is fetched.
  package func fetchesOriginals(of address: WebAddress) -> Bool {
    fetchesOriginals || !originalsOf.isEmpty && originalsOf.contains(address.identity)
  }
}

/// Tells other programs of new images.
package protocol NewImageTelling: Sendable {
  /// The most images that one call takes.
  var most: Int { get }

  /// Tells of images that a sync has just added, and waits until they have been taken.
  ///
  /// - Returns: Why it could not; nil when it could.
  func tell(of images: [WebImage], in feed: FeedReference) async -> String?
}

/// A sync that is under way.
package typealias SyncRun = FactRun<SyncFact, SyncProgress>

/// What a sync says while it runs; none is ever dropped, and `ended` is the last.
package enum SyncFact: Sendable, Equatable {
  /// Something could not be had or kept; the rest goes on.
  case problem(SyncProblem)
  case notice(SyncNotice)
  /// Entries of the feed at this address, in the order of its document, with the reasons for their images.
  case explained([EntryExplanation], feed: WebAddress)
  /// A feed is done; what its summary counts is on the disk.
  case feedFinished(FeedSyncSummary)
  /// It waits for the next of so many feeds to be due; nil when none is going to be.
  case watching(feeds: Int, next: Date?)
  case ended(SyncEnd)
}

/// How a whole sync ended.
package struct SyncEnd: Sendable, Equatable {
  /// Whether it was asked to stop before it was done.
  package var isInterrupted: Bool

  /// Where its time went; nil if it was not measured.
  package var timings: SyncTimings?

  package init(isInterrupted: Bool, timings: SyncTimings? = nil) {
    self.isInterrupted = isInterrupted
    self.timings = timings
  }
}

/// Something of a sync that a person may like to know, and that is no problem.
package enum SyncNotice: Sendable, Equatable {
  /// Another process is syncing a feed, and is waited for; nil when it does not say who it is.
  case waiting(for: LockHolder?, feed: WebAddress)
  /// A feed has another address from now on.
  case moved(from: WebAddress, to: WebAddress)
  /// So many feeds were not asked for, because their servers say that they are gone.
  case paused(feeds: Int)
  /// A list has no longer a feed, which is followed all the same.
  case unlisted(WebAddress, list: FeedReference)
  /// A feed that was named came from a pipe, and so only its pictures are asked for.
  case readFromPipe(WebAddress)
  /// Originals wait, because they have no room in the library.
  case bounded(StoreError)
  /// The new images of a feed could not be announced, for a reason in words.
  case notTold(FeedReference, reason: String)
  /// Images of a feed are not kept any more.
  case retired(RetiredPictures, FeedReference)
  /// Originals were put into the object store.
  case put(count: Int, bytes: Int, store: String)
  /// Thumbnails were moved into packs in the object store.
  case packed(PackedThumbnails, store: String)
  /// So many originals could not be put; the next sync tries again.
  case notPut(count: Int, StoreError)
  /// A folder has got new files.
  case exported(folder: String, FileExportCounts)
  /// A folder could not be brought up to date.
  case notExported(SiteExportError)
}
