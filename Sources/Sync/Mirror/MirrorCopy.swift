import Models
import Workers

/// The copy of a gallery in this library, while a sync writes it.
final class MirrorCopy {
  let store: any MirrorStoring
  let client: GalleryClient
  let plan: SyncPlan
  /// The UUID of the gallery's library; nil before it has answered.
  private(set) var library: String?
  /// The key with which the gallery signs; nil for a gallery that does not sign.
  private(set) var key: LibraryKey?
  /// The part of the gallery that its cursors name; nil before one has named any.
  private var part: String?
  /// The title that the gallery has told, or its name.
  private var title: String?
  /// The gallery whose copy the first page takes over; nil for none, and after that page.
  private(set) var former: WebAddress?
  /// Whether pages are only looked at, because a copy is taken over only if the gallery can be read to its end.
  private(set) var onlyLooks = false
  /// The images that this sync would remove.
  var removals = MirrorRemovals()
  private(set) var counts = MirrorCounts()
  /// Whether anything was written.
  private(set) var hasNews = false
  /// The gallery's feeds, those of the copy and those of this sync; nil before the first feed of this sync.
  private var feeds: Set<Int64>?

  init(_ store: any MirrorStoring, _ client: GalleryClient, plan: SyncPlan) {
    self.store = store
    self.client = client
    self.plan = plan
  }

  /// The copy as it is stored, at its former address until the first page takes it over; nil for a new gallery.
  func mirror() async throws(Failure) -> MirrorState? {
    try await state(of: former ?? client.gallery.base)
  }

  /// Writes no page until `endLook`, and only checks what the copy would lose.
  func beginLook() { onlyLooks = true }

  /// Lets the pages be written, which are requested again.
  func endLook() {
    onlyLooks = false
    (removals, feeds) = (MirrorRemovals(before: removals.before), nil)
    client.restartCount()
  }

  private func state(of gallery: WebAddress) async throws(Failure) -> MirrorState? {
    try await Failure.ofStore(await store.mirror(of: gallery))
  }

  func images(ofFeed id: Int64) async throws(Failure) -> [MirroredImage] {
    try await Failure.ofStore(
      await store.images(ofFeed: id, mirroredFrom: former ?? client.gallery.base),
      withoutLibrary: []
    )
  }

  /// Checks that a response is of the same library as those before it in the sync, signed with the key that the copy has
  /// seen first, and of the same part of the gallery.
  ///
  /// Each page is signed as an answer to its request, but the request does not name the token. Without the last check,
  /// somebody in between could hand on pages that a limited token gets, and so remove the rest from the copy.
  ///
  /// If the user accepts it, a copy of another library at the same address is removed first, because the ids of the new
  /// library mean other images.
  func take(
    library: String,
    signedBy key: LibraryKey? = nil,
    upTo cursor: String? = nil,
    title: String? = nil
  ) async throws(Failure) {
    let part = cursor.flatMap { ChangeCursor($0)?.part }
    if let known = self.library {
      if known != library { throw .fault(.otherLibrary) }
      try client.checkSigner(key)
      return try take(part: part, after: self.part)
    }
    let own = try await Failure.ofStore(await store.version()).library
    if !library.isEmpty, own == library { throw .fault(.ownLibrary) }
    let mirror = try await self.mirror()
    let former = try await formerGallery(of: library, mirror)
    let replaced = mirror.flatMap { $0.library == library ? nil : $0 }
    if let replaced, replaced.images > 0, !plan.acceptsRemovals {
      throw .fault(.replaced(images: replaced.images))
    }
    var before = mirror
    if let former { before = try await state(of: former) }
    let isByWord = isByWord(former, replaced)
    if !isByWord { try client.check(key, against: before?.key) }
    // At another address, or with another token in the same one, the user has chosen the part, too.
    try take(part: part, after: isByWord || former != nil ? nil : before?.part)
    if let replaced { try await removeAll(of: replaced) } else { removals.before = before }
    (self.former, self.library, self.key) = (former, library, key)
    self.title = Self.line(of: title) ?? client.gallery.name
    client.expectedKey = key
  }

  /// Notes the part of a response; one that names none passes, because its gallery may be of another version.
  private func take(part: String?, after known: String?) throws(Failure) {
    if let known, let part, part != known { throw .fault(.otherPart) }
    self.part = part ?? known
  }

  /// Whether the user has accepted that the gallery may have another key than before, or send another part.
  private func isByWord(_ former: WebAddress?, _ replaced: MirrorState?) -> Bool {
    if replaced != nil { return plan.acceptsRemovals }
    return plan.formerGallery?.placeIdentity == (former ?? client.gallery.base).placeIdentity
  }

  private func removeAll(of mirror: MirrorState) async throws(Failure) {
    (library, key) = (mirror.library, mirror.key)
    for feed in mirror.feeds.keys.sorted() {
      try await remove(.image, try await images(ofFeed: feed).map(\.id))
    }
    try await remove(.feed, mirror.feeds.keys.sorted())
  }

  /// The other address from which a library is mirrored, if its copy may go on here.
  ///
  /// Any gallery can state any UUID. So either the user has named that address, or it is the same place with another
  /// user-info. Nothing goes on at an address that has a copy already.
  private func formerGallery(
    of library: String,
    _ mirror: MirrorState?
  ) async throws(Failure) -> WebAddress? {
    let base = client.gallery.base
    // Otherwise the sync would go on with the copy of this library, and leave out what the user has asked for.
    if let named = plan.formerGallery, named.placeIdentity != base.placeIdentity,
      let copy = try await state(of: named), copy.library != library
    {
      throw .fault(.unlikeFormer(named))
    }
    let others = try await Failure.ofStore(await store.galleries(ofLibrary: library))
      .filter { $0.identity != (mirror?.feed.address ?? base).identity }
    if let other = others.first {
      let places = [base, plan.formerGallery].map { $0?.placeIdentity }
      guard mirror == nil, places.contains(other.placeIdentity) else {
        throw .fault(.mirroredFrom(other))
      }
      return other
    }
    if let former = plan.formerGallery, mirror?.library != library {
      throw .fault(.unlikeFormer(former))
    }
    return nil
  }

  /// Applies a page, within the limits of one sync.
  func apply(_ page: MirrorPage) async throws(Failure) {
    guard let library else { throw .fault(.malformedPage) }
    try await checkFeeds(of: page)
    if try await isOnlyCounted(page) { return }
    try await note(page.lines)
    try await checkRemovals()
    if onlyLooks { return }
    let target = MirrorTarget(
      gallery: client.gallery,
      library: library,
      key: key,
      title: title,
      former: former,
      reach: client.reach,
      now: client.tools.now(),
      isDryRun: plan.isDryRun
    )
    if !plan.isDryRun { try await Failure.ofStore(await client.tools.store.checkRoom(for: 0)) }
    try await applyInParts(page, to: target)
    if !plan.isDryRun { former = nil }
    hasNews = hasNews || !page.lines.isEmpty
    let images = page.lines.count { $0.position.kind == .image }
    client.progress.update { $0.images += images }
    try checkBounds()
  }

  /// Applies a page in short transactions, the last of which stores its cursor.
  ///
  /// After an interruption, the page is requested again, and its first lines are applied twice. A dry run has one
  /// transaction, because each is rolled back.
  private func applyInParts(_ page: MirrorPage, to target: MirrorTarget) async throws(Failure) {
    var rest = page.lines[...]
    repeat {
      if Task.isCancelled { throw .interrupted }
      let part = plan.isDryRun ? rest : rest.prefix(atCost: SyncLimits.mirroredCostPerBatch)
      rest = rest[part.endIndex...]
      let isLast = rest.isEmpty
      let lines = MirrorPage(
        lines: Array(part),
        cursor: isLast ? page.cursor : nil,
        hasMore: page.hasMore || !isLast
      )
      counts.add(try await Failure.ofStore(await store.apply(lines, to: target)))
    } while !rest.isEmpty
  }

  private func checkFeeds(of page: MirrorPage) async throws(Failure) {
    let put = page.lines.filter { if case .feed = $0.state { true } else { false } }
    if put.isEmpty { return }
    var all = feeds ?? []
    if feeds == nil, let mirror = try await mirror() { all.formUnion(mirror.feeds.keys) }
    all.formUnion(put.map(\.position.id))
    feeds = all
    let limit = SyncLimits.feedsPerGallery
    guard all.count <= limit else { throw .feed(.beyondLimit(of: "feeds", limit: limit)) }
  }

  /// Checks the limits of the sync.
  ///
  /// New images, changed ones and those that are left out count each for themselves. Of the texts in new and changed
  /// rows, `galleryTextPerImage` bytes an image do not count: so a gallery of as many images as a sync may bring
  /// passes, and the texts take no more than that and the bytes that a feed may take.
  private func checkBounds() throws(Failure) {
    let bounds = plan.bounds
    var bound: FeedBounds.Bound?
    if max(counts.new, counts.changed, counts.left) > bounds.images {
      bound = .images(bounds.images)
    }
    let free = SyncLimits.galleryTextPerImage * (counts.new + counts.changed)
    if counts.textBytes - free > bounds.storedBytes { bound = .storedBytes(bounds.storedBytes) }
    if let bound { throw .feed(.beyondBound(bound, stored: counts.new)) }
  }

  /// In a dry run, counts the images of a gallery that is not mirrored yet, without making a library.
  private func isOnlyCounted(_ page: MirrorPage) async throws(Failure) -> Bool {
    guard plan.isDryRun, try await mirror() == nil else { return false }
    for line in page.lines {
      if case .image = line.state { counts.new += 1 }
    }
    hasNews = hasNews || !page.lines.isEmpty
    return true
  }

  /// Removes rows that the gallery does not have any more, a page at a time.
  func remove(_ kind: ChangedKind, _ ids: some Collection<Int64>) async throws(Failure) {
    let ids = Array(ids)
    // All of them count before the first is removed.
    try await note(kind, ids)
    try await checkRemovals()
    if onlyLooks { return }
    for start in stride(from: 0, to: ids.count, by: SyncLimits.removalsPerPage) {
      let lines = ids[start...].prefix(SyncLimits.removalsPerPage).map { id in
        ChangeLine(position: ChangePosition(number: 0, kind: kind, id: id), state: .removed)
      }
      try await apply(MirrorPage(lines: lines))
    }
  }
}

extension MirrorCopy {
  /// The title of a gallery as one line that can be stored; nil for none, and for one that is too long.
  private static func line(of title: String?) -> String? {
    guard let title, title.utf8.count <= SyncLimits.galleryTextBytes else { return nil }
    let line = title.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    return line.isEmpty ? nil : ImageFields.storable(line)
  }
}

extension ArraySlice<ChangeLine> {
  /// The first lines that together have at most this cost, and at least one line.
  fileprivate func prefix(atCost limit: Int) -> ArraySlice<ChangeLine> {
    var cost = 0
    let lines = prefix { line in
      cost += line.cost
      return cost <= limit
    }
    return lines.isEmpty ? prefix(1) : lines
  }
}

extension ChangeLine {
  /// The time that applying it takes, in parts of about 0.1 ms.
  fileprivate var cost: Int { (position.kind == .feed ? 5 : 1) + textBytes / 2_048 }
}
