package import FoundationEssentials
package import Models

/// Fetches feeds and their pictures into the library.
package protocol Syncing: Sendable {
  /// Starts a sync, which runs whether or not its facts are read.
  func sync(_ plan: SyncPlan) -> SyncRun
}

/// The options of a sync.
package struct SyncPlan: Sendable, Equatable {
  /// The default limit, in bytes, for all originals that a run fetches only to make their thumbnails.
  package static let originalBytesForThumbnails = 200 << 20

  /// The feeds to request, known or new.
  package var feeds: [WebAddress]
  /// The feeds in `feeds` that the library knows as lists of feeds.
  package var lists: [WebAddress]
  /// The feeds in `feeds` whose documents are read from pipes, only this once.
  package var piped: Set<WebAddress>
  /// Whether thumbnails are fetched.
  package var fetchesThumbnails: Bool
  /// Whether every original of the feeds is fetched.
  package var fetchesOriginals: Bool
  /// Feeds whose originals are always fetched, by the identity of their addresses.
  package var originalsOf: Set<String> = []
  /// The choices of images for feeds that the library may not have yet, by the identity of their addresses.
  package var imageChoices: [String: ImageChoice] = [:]
  /// Whether validators are ignored and every thumbnail is requested again.
  package var isForced: Bool
  /// Whether documents are requested without their validators, and at once, because they may name new addresses.
  package var readsAnew = false
  /// Whether the user did not name any feeds.
  ///
  /// Then each feed is asked no sooner than its server allows, and gone feeds are skipped.
  package var isEveryFeed: Bool
  /// Whether folders count in a list of feeds on this machine that the user names; only a command of the user says so.
  ///
  /// A list may be a stranger's, and a server publishes the pictures of every folder that is followed.
  package var followsListedFolders = false
  /// Whether it runs until it is stopped, and asks each followed feed when it is due (`FeedSchedule`).
  package var isWatching = false
  /// Whether hubs report changes during the sync, so that a subscribed feed is asked once a day.
  package var hearsHubs = false
  /// The folders in `feeds` that have changed, and so are due before their time.
  package var changedFolders: Set<WebAddress> = []
  /// Whether pictures that failed before are requested again, however recent the failure was.
  package var retriesFailed: Bool
  /// Whether the copy of a gallery loses whatever the gallery has lost, and a folder that has moved what is missing.
  package var acceptsRemovals = false
  /// The followed folder whose feed the named folder takes over; nil for none.
  package var formerFolder: WebAddress?
  /// The followed gallery whose copy the named one takes over; nil for none.
  package var formerGallery: WebAddress?
  /// Whether the own pictures of web pages that the user names are followed, and not the feeds that these name.
  package var followsPages = false
  /// The identities of the named pages of which the same holds.
  package var pages: Set<String> = []
  /// Whether only documents are fetched, and nothing is stored.
  package var isDryRun: Bool
  /// Whether each entry is reported with the reasons for its images, even if the document has not changed.
  package var isExplained: Bool
  /// The reach of the feeds, and of those that they name, from now on.
  ///
  /// If it is nil, feeds keep their reach, and a new feed gets the reach of the address that the user typed.
  package var reach: FeedReach?
  /// The limits of each feed.
  package var bounds: FeedBounds
  /// The most bytes of originals to fetch; nil for no limit.
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

  /// Whether the own pictures of a web page that the user names are followed.
  package func followsPage(at address: WebAddress) -> Bool {
    followsPages || !pages.isEmpty && pages.contains(address.identity)
  }

  /// Which pictures of the entries of a new feed are images.
  package func imageChoice(of address: WebAddress) -> ImageChoice {
    imageChoices.isEmpty ? .all : imageChoices[address.identity] ?? .all
  }
}

/// Announces new images to other programs.
package protocol NewImageTelling: Sendable {
  /// The most images that one call takes.
  var most: Int { get }

  /// Announces images that a sync has just added, and waits until the program has taken them.
  ///
  /// It ends within a second after its task is cancelled.
  ///
  /// - Returns: The reason of a failure; nil on success.
  func tell(of images: [WebImage], in feed: FeedReference) async -> String?
}

/// A running sync.
package typealias SyncRun = FactRun<SyncFact, SyncProgress>

/// A fact about a running sync; all of them are delivered, and `ended` is the last.
package enum SyncFact: Sendable, Equatable {
  /// Something could not be fetched or stored; the sync continues.
  case problem(SyncProblem)
  case notice(SyncNotice)
  /// Entries of the feed at this address, in the order of its document, with the reasons for their images.
  case explained([EntryExplanation], feed: WebAddress)
  /// A feed is finished; the data in its summary is on the disk.
  case feedFinished(FeedSyncSummary)
  /// The sync is waiting for the next of some feeds to be due; nil when none will be due.
  case watching(feeds: Int, next: Date?)
  case ended(SyncEnd)
}

/// The end of a whole sync.
package struct SyncEnd: Sendable, Equatable {
  /// Whether it was stopped before it was complete.
  package var isInterrupted: Bool

  /// The time of each phase; nil if it was not measured.
  package var timings: SyncTimings?

  package init(isInterrupted: Bool, timings: SyncTimings? = nil) {
    self.isInterrupted = isInterrupted
    self.timings = timings
  }
}

/// An event of a sync that may interest a person, and is not a problem.
package enum SyncNotice: Sendable, Equatable {
  /// The sync is waiting for another process that is syncing a feed; nil when that process is unknown.
  case waiting(for: LockHolder?, feed: WebAddress)
  /// A feed has a new address.
  case moved(from: WebAddress, to: WebAddress)
  /// A feed whose last syncs had failed was read.
  case recovered(FeedReference)
  /// A feed that failed before was not asked, because it is not due; the reason is in words.
  case stillFailing(FeedReference, reason: String, next: Date?)
  /// A number of further feeds were not asked, because they failed before and are not due.
  case moreFailing(feeds: Int)
  /// A number of feeds were not asked, because their servers have answered that they are gone.
  case paused(feeds: Int)
  /// A list no longer contains a feed, which is still followed.
  case unlisted(WebAddress, list: FeedReference)
  /// A feed that was read for the first time does not have any image.
  case empty(WebAddress)
  /// A folder that is new, or that the user named, has files that are left out.
  case leftOut(LeftOutFiles, folder: WebAddress)
  /// Feeds that this sync has added are asked with certificate authorities that later syncs do not know.
  case trustedOnce([WebAddress], authorities: String)
  /// A new folder is in a followed one, or contains it: the pictures that both have are images of both.
  case overlaps(WebAddress, with: FeedReference, isInside: Bool)
  /// The feed that was to go on with the copy of a gallery is no gallery; both stay as they are.
  case notTakenOver(former: WebAddress, by: WebAddress)
  /// A named feed was read from a pipe before, so only its pictures are requested.
  case readFromPipe(WebAddress)
  /// Originals were not fetched, because the library does not have room for them.
  case bounded(StoreError)
  /// The new images of a feed could not be announced; the reason is in words.
  case notTold(FeedReference, reason: String)
  /// A feed's retention removed images.
  case retired(RetiredPictures, FeedReference)
  /// Originals were uploaded to the object store.
  case put(count: Int, bytes: Int, store: String)
  /// Thumbnails were moved into packs in the object store.
  case packed(PackedThumbnails, store: String)
  /// A number of originals could not be uploaded; the next sync tries again.
  case notPut(count: Int, StoreError)
  /// New files were exported to a folder.
  case exported(folder: String, FileExportCounts)
  /// A folder could not be updated.
  case notExported(SiteExportError)
  /// A folder of pictures cannot be watched, and is listed each minute.
  case unwatched(folder: WebAddress, FolderWatchProblem)
  /// The library cannot be used for the moment, and the sync waits for it.
  case waitingForLibrary(StoreError)

  /// Whether its message may name files of this machine, its database or its object store, which no server tells.
  package var isOfLibrary: Bool {
    switch self {
    case .trustedOnce, .notTold, .put, .packed, .notPut, .exported, .notExported, .unwatched,
      .waitingForLibrary:
      true
    case .waiting, .moved, .recovered, .stillFailing, .moreFailing, .paused, .unlisted, .empty,
      .leftOut, .overlaps, .notTakenOver, .readFromPipe, .bounded, .retired:
      false
    }
  }
}
