internal import Composition
internal import Models
internal import Scenes
internal import Workers

/// A sync: the documents of feeds are asked for, and their images and pictures are stored.
///
/// Each iteration syncs once, and ends when all feeds are done; it throws ``LibraryError`` when the whole request
/// failed, for example because the library cannot be read. Failures of single feeds and pictures are
/// ``Event/problem(_:)``, also those of a library that cannot be written. A cancelled task ends the iteration with
/// ``LibraryError/Kind/cancelled``, once everything that has arrived whole is stored; the next sync continues there.
public struct LibrarySync: AsyncSequence, Sendable {
  public typealias Element = Event
  public typealias Failure = LibraryError

  /// An event of a sync.
  public enum Event: Sendable, Equatable {
    /// The progress, ten times a second.
    case progress(Progress)
    /// Something could not be fetched, read or stored; the sync continues.
    case problem(Problem)
    /// Something that is not a problem and may interest a person, in English, such as the new address of a feed.
    case notice(String)
    /// A feed is done, and what it counts is on the disk.
    case feed(FeedResult)
  }

  /// The progress of a sync; totals grow while documents are read.
  public struct Progress: Sendable, Equatable {
    /// The number of feeds that are done, also those that have failed.
    public var feedsDone: Int
    /// The number of feeds so far, with those of lists.
    public var feeds: Int
    /// The number of images in the documents so far.
    public var images: Int
    /// The number of thumbnails that are stored or have failed.
    public var thumbnailsDone: Int
    /// The number of thumbnails to fetch or make so far.
    public var thumbnails: Int
    /// The number of originals that are stored or have failed.
    public var originalsDone: Int
    /// The number of originals to fetch so far.
    public var originals: Int
    /// The number of bytes that were received.
    public var bytes: Int
  }

  /// A problem with a document or a picture.
  public struct Problem: Sendable, Equatable {
    /// What the problem is about.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
      /// The feed's document, which could not be read at all.
      case feed
      /// The feed's document, which was read in spite of the problem.
      case document
      /// A further page, or a member of a collection; the rest of the feed was read.
      case page
      /// A thumbnail.
      case thumbnail
      /// An original.
      case original
    }

    /// What the problem is about.
    public var subject: Subject
    /// The address of the document or the picture, with what is secret in it.
    public var address: String
    /// The reason.
    public var error: LibraryError
    /// Whether neither an image nor a picture is missing because of it.
    public var isHarmless: Bool
  }

  /// The result of a sync for one feed.
  public struct FeedResult: Sendable, Equatable {
    /// The feed as it is now; nil while the library does not know it.
    public var feed: LibraryFeed?
    /// The address at which it was asked, with what is secret in it.
    public var address: String
    /// Whether it could not be read; its stored images stay.
    ///
    /// A sync of all feeds does not ask for one that is not due yet; then ``LibraryFeed/problem`` tells of an earlier failure.
    public var hasFailed: Bool
    /// The number of images in its document.
    public var images: Int
    /// The number of images that the library did not have.
    public var newImages: Int
    /// The number of images that the document describes in another way than before.
    public var changedImages: Int
    /// The number of images that a feed which lists all of its images no longer has.
    public var goneImages: Int
    /// The ids of the new images.
    public var newIDs: [ClosedRange<Int64>]
    /// The number of thumbnails that this sync has stored.
    public var storedThumbnails: Int
    /// The number of thumbnails that could not be fetched or made.
    public var failedThumbnails: Int
    /// The number of originals that this sync has stored.
    public var storedOriginals: Int
    /// The number of originals that could not be fetched.
    public var failedOriginals: Int
  }

  /// The choices for a sync.
  public struct Options: Sendable, Equatable {
    /// Whether thumbnails are fetched and made.
    public var fetchesThumbnails = true
    /// Whether all originals of the feeds are fetched, the newest first.
    public var fetchesOriginals = false
    /// The most bytes of originals to fetch.
    ///
    /// Nil for no limit with ``fetchesOriginals``, else for 200 MiB of those from which thumbnails are made.
    public var maximumOriginalBytes: Int?
    /// Whether the named feeds, and those that they list, may lead to private addresses, now and later.
    ///
    /// Otherwise a private address that a feed is named by allows this host alone.
    public var allowsPrivateAddresses = false
    /// Whether documents and thumbnails are asked for again as if nothing were stored.
    public var isForced = false
    /// Whether pictures that failed recently are tried again without waiting.
    public var retriesFailed = false

    /// Makes the usual choices.
    public init() {}
  }

  let root: CompositionRoot
  let works: RunningWorks
  let feeds: [String]
  let options: Options

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      work: RunningWork(of: works) { [self] tell, stop in await run(tell, stop) }
    )
  }

  /// Syncs once.
  public struct Iterator: AsyncIteratorProtocol {
    private var work: RunningWork<Event>

    init(work: RunningWork<Event>) { self.work = work }

    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LibraryError) -> Event? {
      try await work.next(isolation: actor)
    }
  }

  private func run(
    _ tell: @escaping RunningWork<Event>.Tell,
    _ stop: StopRequest
  ) async -> LibraryError? {
    var arguments: [FeedArgument] = []
    do throws(LibraryError) {
      for feed in feeds { arguments.append(try .named(feed)) }
    } catch {
      return error
    }
    if let refusal = await root.refusalOfBackup(for: .sync) {
      return LibraryError(.backup, refusal.message.withoutHints)
    }
    if let notice = await root.keepWithinBounds(until: stop) { tell(.notice(notice)) }
    let answer = SyncAnswer(tell: tell)
    await root.syncFeeds(presenter: answer).syncFeeds(
      request: .init(feeds: arguments, plan: options.plan, mayHaveNone: true, stop: stop)
    )
    return answer.failure
  }
}

extension LibrarySync.Options {
  fileprivate var plan: SyncPlan {
    SyncPlan(
      feeds: [],
      fetchesThumbnails: fetchesThumbnails,
      fetchesOriginals: fetchesOriginals,
      isForced: isForced,
      retriesFailed: retriesFailed,
      reach: allowsPrivateAddresses ? .anywhere : nil,
      originalBytes: maximumOriginalBytes
    )
  }
}

extension LibrarySync.Progress {
  init(_ snapshot: SyncProgress.Snapshot) {
    (feedsDone, feeds, images) = (snapshot.feeds.done, snapshot.feeds.total, snapshot.images)
    (thumbnailsDone, thumbnails) = (snapshot.thumbnails.done, snapshot.thumbnails.total)
    (originalsDone, originals) = (snapshot.originals.done, snapshot.originals.total)
    bytes = snapshot.bytes
  }
}

extension LibrarySync.Problem {
  init(_ problem: SyncProblem) {
    subject =
      switch problem.subject {
      case .feed: .feed
      case .document: .document
      case .page: .page
      case .thumbnail, .madeThumbnail, .making: .thumbnail
      case .original: .original
      }
    address = problem.address.text
    error = LibraryError(problem.failure)
    isHarmless = problem.severity == .blemish
  }
}

extension LibrarySync.FeedResult {
  init(_ summary: FeedSyncSummary) {
    feed = summary.feed.map { LibraryFeed($0) }
    address = summary.address.text
    hasFailed = summary.status == .failed
    (images, newImages) = (summary.images.total, summary.images.new)
    (changedImages, goneImages) = (summary.images.changed, summary.images.gone)
    newIDs = summary.newIDs
    storedThumbnails = summary.thumbnails.stored
    failedThumbnails = summary.thumbnails.failed
    storedOriginals = summary.originals.stored
    failedOriginals = summary.originals.failed
  }
}
