import FoundationEssentials
import Models
import Workers

/// Brings the copy of another gallery up to date: its changes, or its tree if these are not enough, and then its
/// pictures.
///
/// Pictures are fetched by their hashes. The last lines of each page are applied together with its cursor, so an
/// interrupted sync continues from there. See `Documentation/Mirrors.md`.
struct MirrorSync {
  struct Result {
    var counts = MirrorCounts()
    /// The validators for the next request to a static export.
    var validators: Validators?
    var thumbnails = TransferCounts()
    var originals = TransferCounts()
    var problems: [SyncProblem] = []
    /// Whether the sync has changed anything in the library.
    var hasNews = false
    /// The reason why the changes could not be followed to their end.
    var failure: Failure?
  }

  let client: GalleryClient
  let store: any MirrorStoring
  let copy: MirrorCopy
  /// The gallery among the feeds; nil when it is new.
  let known: Feed?
  let plan: SyncPlan
  let shared: SharedSync
  private(set) var result = Result()

  /// Runs the sync; a failure is part of the result.
  consuming func run() async -> Result {
    var sync = self
    do throws(Failure) {
      try await sync.follow()
      if !sync.plan.isDryRun { try await sync.fetchPictures() }
    } catch {
      sync.result.failure = error
    }
    sync.result.counts = sync.copy.counts
    sync.result.hasNews =
      sync.copy.hasNews || sync.result.thumbnails.stored > 0
      || sync.result.originals.stored > 0
    return sync.result
  }

  private mutating func follow() async throws(Failure) {
    try await follow(try await copy.mirror())
  }

  /// Brings a copy up to date; nil when the gallery has none at its address.
  private mutating func follow(_ mirror: MirrorState?) async throws(Failure) {
    if client.gallery.isStatic { return try await compareTree(mirror) }
    // A stored cursor that cannot be sent leads nowhere.
    let usable = mirror?.cursor.flatMap { GalleryAddress.isCursor($0) ? $0 : nil }
    if let cursor = plan.isForced ? nil : usable {
      if try await followChanges(behind: cursor, of: mirror) { return }
    } else if mirror?.feeds.isEmpty ?? true, mirror?.pins.isEmpty ?? true {
      if try await followChanges(behind: nil, of: mirror) { return }
    }
    try await compareAll(try await copy.mirror())
  }

  /// Goes on with the copy that has been at another address, once the gallery could be read to its end.
  ///
  /// So a gallery that cannot be reached, or has too few of the images, leaves the copy at its former address.
  private mutating func takeOver() async throws(Failure) {
    // Another process may have removed the copy meanwhile.
    guard let mirror = try await copy.mirror() else { throw .locked(by: nil) }
    if !plan.isDryRun {
      copy.beginLook()
      try await follow(mirror)
      copy.endLook()
      result.validators = nil
    }
    try await follow(mirror)
    // Nothing may have changed, so that there was no page.
    if copy.former != nil, !plan.isDryRun {
      try await copy.apply(MirrorPage(lines: [], hasMore: false))
    }
  }

  // MARK: Changes

  /// Applies all pages behind a cursor, and fetches the next page while one is applied.
  ///
  /// - Returns: Whether the changes behind the cursor were all that the copy lacked.
  private mutating func followChanges(
    behind start: String?,
    of mirror: MirrorState?
  ) async throws(Failure) -> Bool {
    var pages = PageWatch(bounds: plan.bounds, known: mirror?.images ?? 0)
    var (cursor, hasLookedAhead) = (start, false)
    var next = try await client.changes(behind: cursor)
    while case .page(let page, let end) = next {
      if let mirror, cursor != nil, end.library != mirror.library { throw .fault(.otherLibrary) }
      try await copy.take(end)
      if mirror == nil, copy.former != nil {
        try await takeOver()
        return true
      }
      try pages.check(page, end)
      let isKnown = end.cursor == mirror?.cursor && copy.key == mirror?.key
      if page.lines.isEmpty, isKnown, !end.more { return true }
      if end.more, !hasLookedAhead, try await checkRemovals(of: page, behind: end.cursor) {
        hasLookedAhead = true
      }
      let fetched = try await apply(page, end, isFirst: cursor == nil, &pages)
      cursor = end.cursor
      if !end.more { return true }
      if let fetched {
        next = try fetched.get()
      } else {
        next = try await client.changes(behind: cursor)
      }
    }
    if case .unchanged = next { return true }
    return false
  }

  /// Applies a page, and fetches the next one at the same time, unless this one is the first or large.
  ///
  /// - Returns: The next page; nil if it was not fetched.
  private func apply(
    _ page: ChangeLineReader.Page,
    _ end: ChangeLineReader.End,
    isFirst: Bool,
    _ pages: inout PageWatch
  ) async throws(Failure) -> Swift.Result<GalleryClient.Changes, Failure>? {
    let client = client
    let isAhead = end.more && !isFirst && page.bytes <= SyncLimits.galleryBytesAhead
    async let following = isAhead ? await Self.changes(behind: end.cursor, client) : nil
    do throws(Failure) {
      try await copy.apply(
        MirrorPage(lines: page.lines, cursor: end.cursor, hasMore: end.more)
      )
      if !copy.onlyLooks { try pages.count(page, copy.counts) }
    } catch {
      _ = await following
      throw error
    }
    return await following
  }

  /// Counts the removals of a page and of all further pages before the first of them is applied.
  ///
  /// Otherwise syncs would lose a gallery that is removed in many pages, a tenth at a time.
  ///
  /// - Returns: Whether the page removes anything, so that all pages were read.
  private func checkRemovals(
    of page: ChangeLineReader.Page,
    behind start: String
  ) async throws(Failure) -> Bool {
    guard !plan.acceptsRemovals, page.lines.contains(where: \.removesImages) else { return false }
    try await copy.note(page.lines)
    var pages = PageWatch(bounds: plan.bounds, known: 0)
    var cursor = start
    while case .page(let page, let end) = try await client.changes(behind: cursor) {
      try await copy.take(end)
      try pages.check(page, end)
      try await copy.note(page.lines)
      if !end.more { break }
      cursor = end.cursor
    }
    try await copy.checkRemovals()
    return true
  }

  private static func changes(
    behind cursor: String,
    _ client: GalleryClient
  ) async -> Swift.Result<GalleryClient.Changes, Failure> {
    await Swift.Result(of: try await client.changes(behind: cursor))
  }

  // MARK: The whole gallery

  /// Compares the tree, or all changes for a part of a gallery, and if the token does not give access to the tree.
  private mutating func compareAll(_ mirror: MirrorState?) async throws(Failure) {
    if client.gallery.isPart { return try await compareChanges(mirror) }
    do throws(Failure) {
      try await compareTree(mirror)
    } catch .status(403) {
      try await compareChanges(mirror)
    }
  }

  private mutating func compareTree(_ mirror: MirrorState?) async throws(Failure) {
    // Validators are those of an export at this address, and not of a copy that comes from another one.
    let isConditional =
      client.gallery.isStatic && !plan.isForced && mirror?.cursor != nil && copy.former == nil
    let validators = isConditional ? known?.validators ?? Validators() : Validators()
    for _ in 0..<SyncLimits.treeTries {
      guard let (root, header) = try await client.root(validators) else { return }
      try await copy.take(root)
      if mirror == nil, copy.former != nil { return try await takeOver() }
      var tree = GalleryTree(client: client, copy: copy)
      do throws(Failure) {
        try await tree.apply(root)
        result.validators = header.lastingValidators
        return
      } catch .status(404) {
        // The gallery has changed since it sent the root.
        continue
      }
    }
    throw .fault(.unsteadyTree)
  }

  /// Applies all changes from the beginning, and removes the rows that they do not have.
  private mutating func compareChanges(_ mirror: MirrorState?) async throws(Failure) {
    var pages = PageWatch(bounds: plan.bounds, known: mirror?.images ?? 0)
    var found: [ChangedKind: Set<Int64>] = [.feed: [], .image: [], .pin: []]
    var cursor: String?
    var isComplete = false
    while !isComplete {
      guard case .page(let page, let end) = try await client.changes(behind: cursor) else {
        // An image has left the part since the first page. The pages so far do not have the rest of the images.
        throw .fault(.unsteadyTree)
      }
      try await copy.take(end)
      if mirror == nil, copy.former != nil { return try await takeOver() }
      try pages.check(page, end)
      for line in page.lines where line.state != .removed {
        found[line.position.kind]?.insert(line.position.id)
      }
      try await copy.apply(MirrorPage(lines: page.lines.filter { $0.state != .removed }))
      if !copy.onlyLooks { try pages.count(page, copy.counts) }
      cursor = end.cursor
      isComplete = !end.more
    }
    var gone: [Int64] = []
    for feed in mirror?.feeds.keys.sorted() ?? [] {
      let images = try await copy.images(ofFeed: feed).map(\.id)
      gone += images.filter { found[.image]?.contains($0) == false }
    }
    try await copy.remove(.image, gone)
    let feeds = mirror?.feeds.keys.filter { found[.feed]?.contains($0) == false } ?? []
    try await copy.remove(.feed, feeds.sorted())
    let pins = mirror?.pins.filter { found[.pin]?.contains($0) == false } ?? []
    try await copy.remove(.pin, pins)
    try await copy.apply(MirrorPage(lines: [], cursor: cursor, hasMore: false))
  }

  // MARK: Pictures

  private mutating func fetchPictures() async throws(Failure) {
    let pictures = MirroredPictures(client: client, store: store, shared: shared)
    if plan.fetchesThumbnails {
      try await pictures.fetchThumbnails(&result.thumbnails, &result.problems)
    }
    if plan.fetchesOriginals(of: client.gallery.base) {
      try await pictures.fetchOriginals(&result.originals, &result.problems)
    }
  }
}

extension MirrorCopy {
  fileprivate func take(_ end: ChangeLineReader.End) async throws(Failure) {
    try await take(library: end.library, signedBy: end.key, upTo: end.cursor, title: end.title)
  }

  fileprivate func take(_ root: RootNode) async throws(Failure) {
    try await take(library: root.library, signedBy: root.key, upTo: root.cursor, title: root.title)
  }
}

extension NetworkHeader {
  /// The validators, without a date that two versions may share within its second (RFC 9110, section 8.8.2.2).
  fileprivate var lastingValidators: Validators {
    guard validators.entityTag == nil, let date, let modified else { return validators }
    return date.timeIntervalSince(modified) >= 1 ? validators : Validators()
  }
}

/// Detects pages that never end, or bring too little.
private struct PageWatch {
  private let bounds: FeedBounds
  /// The number of images in the copy at the start.
  private let known: Int
  private var cursors: Set<String> = []
  private var emptyPages = 0
  /// The lines so far, at least `newsPerGalleryPage` a page.
  private var lines = 0

  init(bounds: FeedBounds, known: Int) {
    self.bounds = bounds
    self.known = known
  }

  mutating func check(
    _ page: ChangeLineReader.Page,
    _ end: ChangeLineReader.End
  ) throws(Failure) {
    guard end.more else { return }
    emptyPages = page.lines.isEmpty ? emptyPages + 1 : 0
    guard cursors.insert(end.cursor).inserted, emptyPages < SyncLimits.emptyGalleryPages else {
      throw .fault(.repeatedCursor)
    }
  }

  /// Counts the lines of a page that was applied; `counts` are those of all pages.
  ///
  /// A page of a gallery that behaves is full of news, up to the last one. Each image may also have a line without
  /// news, for its pin. The rest counts as documents that bring nothing.
  mutating func count(
    _ page: ChangeLineReader.Page,
    _ counts: MirrorCounts
  ) throws(Failure) {
    lines += max(page.lineCount, SyncLimits.newsPerGalleryPage)
    let useful = counts.news + counts.left + counts.new + 2 * known
    guard (lines - useful) / SyncLimits.newsPerGalleryPage <= bounds.documents else {
      throw .feed(.beyondBound(.documents(bounds.documents), stored: counts.new))
    }
  }
}
