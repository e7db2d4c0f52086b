package import Composition
internal import FoundationEssentials
public import Logging
internal import Models
internal import Scenes
internal import Settings
internal import Workers

/// A library of image feeds: in a folder, or in a PostgreSQL database.
///
/// It is the same library that the command `gallery` uses, with the same rules; any number of processes may use it at
/// once. Reading never waits for the network. Copies of a value share its connections. After ``close()``, every request
/// throws ``LibraryError/Kind/closed``.
///
/// Each request may throw a ``LibraryError`` about the library: it is damaged, of another version, forbidden, busy, full,
/// or its server cannot be reached. What a request throws besides is said with it.
///
/// A program without its own handlers for `SIGPIPE` and `SIGXFSZ` should ignore these signals, as `gallery` does, so that
/// a limit for the size of files does not end it. Unless SQLite is in use already, the first library turns its memory
/// statistics off for the process (`SQLITE_CONFIG_MEMSTATUS`), and with them `sqlite3_soft_heap_limit64`; it also keeps the
/// journals of statements in memory (`SQLITE_CONFIG_STMTJRNL_SPILL`).
public struct ImageLibrary: Sendable {
  /// The choices of a program for a library.
  public struct Options: Sendable {
    /// The log for transfers, retries and pauses; nil for none.
    public var logger: Logger?
    /// The path of the program `gallery-decoder`, which decodes pictures; nil to look for it.
    ///
    /// It is then looked for beside the running program, and in `../libexec/gallery` from there; never in `PATH`.
    public var decoder: String?
    /// The most bytes that originals may take up; nil for no limit.
    ///
    /// Those that were looked at the longest ago give way, and pinned ones never do.
    public var maximumOriginalBytes: Int?
    /// The bytes of the disk that originals leave free; nil for no limit.
    public var minimumFreeBytes: Int?
    /// The most transfers at once, at least 1; nil for the usual limits.
    public var maximumTransfers: Int?
    /// The environment, which may name proxies, a file of logins (`NETRC`), the reader's languages, and the folder for the
    /// originals of a library in a database (`XDG_DATA_HOME`).
    public var environment = ProcessInfo.processInfo.environment

    /// Makes the usual choices, with the environment of the process.
    public init() {}
  }

  package let root: CompositionRoot
  /// The composition root, while the library is open.
  private var opened: CompositionRoot {
    get throws(LibraryError) {
      try checkOpen()
      return root
    }
  }
  /// Whether the change log was prepared for those who follow it.
  private let followers = Locked(false)
  /// The syncs and fetches that have not ended.
  private let works = RunningWorks()

  /// Opens a library; one that does not exist yet is empty, and the first sync makes it.
  ///
  /// Nothing is made or asked for over the network, except for the database.
  ///
  /// - Parameters:
  ///   - place: The path of its folder, in which `~` is the user's home, or the address of its database:
  ///     `postgresql://host/name` (libpq, "Connection URIs").
  ///   - options: The choices of the program.
  /// - Throws: ``LibraryError/Kind/unusableAddress`` when no library can be at the place, such as a file;
  ///   ``LibraryError/Kind/forbidden`` when its folder must not be read; ``LibraryError/Kind/damagedLibrary`` or
  ///   ``LibraryError/Kind/otherVersion`` when what is there cannot be read; ``LibraryError/Kind/storeUnreachable`` when the
  ///   server of the database cannot be reached.
  public init(at place: String, options: Options = Options()) async throws(LibraryError) {
    guard !place.allSatisfy(\.isWhitespace) else {
      throw LibraryError(.unusableAddress, "the place of the library is an empty text")
    }
    let location = LibraryLocation(option: place, environment: options.environment)
    var settings = CompositionRoot.Settings(location)
    settings.logger = options.logger
    settings.environment = options.environment
    settings.bounds = StorageBounds(
      keep: options.maximumOriginalBytes,
      keepFree: options.minimumFreeBytes
    )
    settings.jobs = options.maximumTransfers.map { max($0, 1) }
    if let decoder = options.decoder { settings.useDecoder(at: decoder) }
    root = CompositionRoot(settings)
    do { _ = try await root.library.version() } catch { throw LibraryError(error) }
  }

  // MARK: Images

  /// The images that match a query.
  ///
  /// - Returns: A page of images, which is empty while there is no library.
  /// - Throws: ``LibraryError/Kind/noSuchFeed``, ``LibraryError/Kind/ambiguousTitle`` or
  ///   ``LibraryError/Kind/unusableAddress`` for its feed, ``LibraryError/Kind/unusableSearch`` for its words, and
  ///   ``LibraryError/Kind/unusableCursor`` for its page.
  /// - Parameter query: The filter, the order and the page.
  public func images(
    matching query: ImageQuery = ImageQuery()
  ) async throws(LibraryError) -> ImagePage {
    let answer = ListAnswer(query, file: root.file(of:))
    try await opened.listImages(presenter: answer).fetchImages(request: query.request)
    if let failure = answer.failure, failure.outcome != .done { throw LibraryError(failure) }
    return answer.page
  }

  /// The image with an id; nil when no followed feed has it.
  ///
  /// - Parameter id: The image.
  /// - Returns: The image, with its stored original.
  /// - Throws: When the library cannot be read.
  public func image(_ id: Int64) async throws(LibraryError) -> LibraryImage? {
    try checkOpen()
    do throws(RequestFailure) {
      let image = try await root.image(id)
      return LibraryImage(image, stored: try await storedOriginal(of: image))
    } catch {
      if error.outcome == .notFound { return nil }
      throw LibraryError(error)
    }
  }

  private func storedOriginal(of image: WebImage) async throws(RequestFailure) -> StoredOriginal? {
    guard image.original.isStored else { return nil }
    do {
      return try await root.library.original(imageID: image.id)
    } catch {
      throw .library(error, .show)
    }
  }

  /// The stored thumbnail of an image; nil when none is stored, or it is damaged, until a sync brings one.
  ///
  /// If an image has an original and no thumbnail, the decoder makes it now, and nil means that it could not.
  ///
  /// - Parameter id: The image.
  /// - Returns: The whole file, as the server sent it or the decoder made it.
  /// - Throws: ``LibraryError/Kind/noSuchImage``; ``LibraryError/Kind/noDecoder(lookedAt:)`` or
  ///   ``LibraryError/Kind/undecodable`` when the thumbnail has to be made and no decoder can be started.
  public func thumbnail(_ id: Int64) async throws(LibraryError) -> Thumbnail? {
    try checkOpen()
    let image: WebImage
    do { image = try await root.image(id) } catch { throw LibraryError(error) }
    if image.thumbnail == nil, image.original == .stored {
      do { try await root.renderer.prepare() } catch { throw LibraryError(Failure.imaging(error)) }
    }
    let answer = ImageAnswer()
    let interactor = root.scene(of: image, answer)
    await interactor.fetchThumbnail(request: .init(isAllWanted: true))
    if !answer.hasNoThumbnail { await interactor.readThumbnail() }
    if let failure = answer.failure, !answer.hasNoThumbnail { throw failure }
    return answer.thumbnail
  }

  /// Brings the original of an image to this disk, unless it is there already.
  ///
  /// The file stays at least until the next original is asked for; to keep it longer than ``Options/maximumOriginalBytes``
  /// allows, pin the image.
  ///
  /// - Parameter id: The image.
  /// - Returns: The progress of the fetch, which begins with the iteration and ends with the file.
  public func original(_ id: Int64) -> OriginalFetch {
    OriginalFetch(root: root, works: works, imageID: id)
  }

  /// Pins images, so that their pictures are kept.
  ///
  /// - Parameter ids: The images.
  /// - Throws: ``LibraryError/Kind/noSuchImage`` when no followed feed has one of them; the others are pinned.
  ///   ``LibraryError/Kind/noLibrary`` while there is no library.
  public func pin(_ ids: [Int64]) async throws(LibraryError) { try await setPinned(true, ids) }

  /// Lets go of images that were pinned.
  ///
  /// - Parameter ids: The images.
  /// - Throws: As ``pin(_:)``.
  public func unpin(_ ids: [Int64]) async throws(LibraryError) { try await setPinned(false, ids) }

  private func setPinned(_ isPinned: Bool, _ ids: [Int64]) async throws(LibraryError) {
    let answer = ListAnswer()
    try await opened.listImages(presenter: answer)
      .pinImages(request: .init(ids: ids, isPinned: isPinned))
    if let failure = answer.failure { throw LibraryError(failure) }
  }

  // MARK: Feeds

  /// The feeds that the library follows, by id; none while there is no library.
  ///
  /// - Throws: When the library cannot be read.
  public func feeds() async throws(LibraryError) -> [LibraryFeed] {
    let answer = FeedsAnswer()
    try await opened.listFeeds(presenter: answer).fetchFeeds()
    if let failure = answer.failure, failure.outcome != .done { throw LibraryError(failure) }
    return answer.feeds
  }

  /// Asks for feeds, and stores their new images with their pictures.
  ///
  /// - Parameters:
  ///   - feeds: Their addresses, paths, ids or titles, as `gallery sync` takes them; unknown ones are followed from now on.
  ///     None means all feeds that the library follows.
  ///   - options: Which pictures are fetched, and from where.
  /// - Returns: The progress of the sync, which begins with the iteration.
  public func sync(
    _ feeds: [String] = [],
    options: LibrarySync.Options = LibrarySync.Options()
  ) -> LibrarySync {
    LibrarySync(root: root, works: works, feeds: feeds, options: options)
  }

  /// Follows a feed: asks for its document and stores its images, without pictures, which the next sync brings.
  ///
  /// - Parameters:
  ///   - feed: The address, or the path of a file or of a folder of pictures.
  ///   - allowsPrivateAddresses: As ``LibrarySync/Options/allowsPrivateAddresses``.
  /// - Returns: The feed, or the feeds of a list or a web page, with a list before its feeds.
  /// - Throws: The error of the first when none of them can be read; one that the library did not have before is then not
  ///   followed. ``LibraryError/Kind/cancelled`` when the task is cancelled.
  public func follow(
    _ feed: String,
    allowsPrivateAddresses: Bool = false
  ) async throws(LibraryError) -> [LibraryFeed] {
    var options = LibrarySync.Options()
    options.fetchesThumbnails = false
    options.allowsPrivateAddresses = allowsPrivateAddresses
    var feeds: [LibraryFeed] = []
    var failure: LibraryError?
    for try await event in sync([feed], options: options) {
      switch event {
      case .feed(let result) where !result.hasFailed:
        if let feed = result.feed { feeds.append(feed) }
      case .problem(let problem) where problem.subject == .feed: failure = failure ?? problem.error
      case .feed, .problem, .progress, .notice: break
      }
    }
    if feeds.isEmpty, let failure { throw failure }
    return feeds.filter(\.isList) + feeds.filter { !$0.isList }
  }

  /// Stops following a feed.
  ///
  /// - Parameters:
  ///   - feedID: The feed.
  ///   - deletingImages: Whether its images and their files are deleted; otherwise they are hidden, and following it again
  ///     brings them back.
  /// - Returns: The number of images that were hidden or deleted.
  /// - Throws: ``LibraryError/Kind/noSuchFeed`` when no followed feed has the id.
  @discardableResult
  public func remove(
    _ feedID: Int64,
    deletingImages: Bool = false
  ) async throws(LibraryError) -> Int {
    // A number that is no id may be the title of another feed.
    guard try await feeds().contains(where: { $0.id == feedID }) else {
      throw LibraryError(RequestFailure.noSuchFeed(.id(feedID)))
    }
    let answer = FeedsAnswer()
    await root.listFeeds(presenter: answer)
      .removeFeed(request: .init(feed: .id(feedID), isPurging: deletingImages))
    if let failure = answer.failure { throw LibraryError(failure) }
    return answer.removed ?? 0
  }

  // MARK: Changes

  /// The most changes of a page.
  private static let mostChanges = 1_000

  /// The changes of feeds, images and pins since an earlier request, by any process.
  ///
  /// - Parameters:
  ///   - cursor: The end of the page before; nil to begin with an empty copy, for which everything is a change.
  ///   - limit: The most changes of the page, up to 1,000.
  /// - Returns: A page of changes; a page without changes has a cursor, too.
  /// - Throws: ``LibraryError/Kind/unusableCursor`` when the text is no cursor.
  ///   ``LibraryError/Kind/outdatedCursor`` when changes behind the cursor are missing, because a backup was
  ///   restored or the program has not asked for too long; then start again without a cursor.
  ///   ``LibraryError/Kind/backup`` when the library is a backup, which cannot be followed.
  public func changes(
    since cursor: String? = nil,
    limit: Int = 1_000
  ) async throws(LibraryError) -> LibraryChanges {
    try checkOpen()
    let known = cursor.map { ChangeCursor($0) }
    if let known, known == nil {
      throw LibraryError(.unusableCursor, "the text is not the end of a page of changes")
    }
    let since = known ?? nil
    let limit = min(max(limit, 1), Self.mostChanges)
    do throws(StoreError) {
      try await prepareForFollowers()
      if let page = try await root.changes.changePage(since: since, limit: limit) {
        try await root.changes.noteFollowed(page.version)
        return LibraryChanges(page, ChangeCursor(behind: page, since: since, part: LibraryPart()))
      }
    } catch {
      throw LibraryError(error)
    }
    throw LibraryError(.outdatedCursor, "changes behind the cursor are missing")
  }

  private func prepareForFollowers() async throws(StoreError) {
    if followers.withLock({ $0 }) { return }
    // In a database, it would make the library.
    if try await root.library.version().library.isEmpty { return }
    try await root.changes.prepareForFollowers()
    followers.withLock { $0 = true }
  }

  // MARK: The end

  /// Stops what still runs, ends the decoders, and brings everything that was written to the disk, so that it survives a
  /// power cut.
  ///
  /// Syncs and fetches end as if their tasks were cancelled, and it waits for them. Call it before the program ends, after
  /// all other calls: from now on, the value and its copies throw ``LibraryError/Kind/closed``. What a sync has counted is
  /// on the disk already.
  ///
  /// - Throws: When the disk does not take what was written; the library is closed all the same.
  public func close() async throws(LibraryError) {
    await works.end()
    do { try await root.settle() } catch { throw LibraryError(error) }
  }

  /// Refuses a request to a library that was closed.
  package func checkOpen() throws(LibraryError) { if works.isClosed { throw .closed } }
}
