import Models
import Workers

/// The copy of a feed of another gallery.
struct MirroredFeed {
  var id: Int64
  var number: Int64
  /// Whether the gallery no longer has it, or was removed from this library.
  var isGone: Bool
}

/// Applies the lines of another gallery to the rows of a library, in one transaction.
///
/// A feed that this library follows directly, or has from another gallery, is skipped. So galleries that mirror one
/// another reach a stable state. An image that is pinned in this library stays when the gallery loses it.
struct MirrorWriting {
  private struct WaitingImage {
    var state: ImageState
    var originID: Int64
    var number: Int64
  }

  private let rows: MirrorRows
  private let target: MirrorTarget
  private var counts = MirrorCounts()
  /// The feeds of this library by their ids in the gallery; nil for skipped feeds.
  private var feeds: [Int64: Int64?] = [:]
  /// Buffered new images of one feed with the same date.
  ///
  /// Inserting many with one statement takes a quarter of the time.
  private var waiting: [WaitingImage] = []
  private var waitingFeedID: Int64 = 0
  private var waitingIDs: Set<Int64> = []
  /// The ids in the gallery of the images that these lines have added.
  private var added: Set<Int64> = []

  init(_ rows: MirrorRows, for target: MirrorTarget) {
    self.rows = rows
    self.target = target
  }

  /// Applies lines, and returns the numbers of changes.
  mutating func apply(_ lines: [ChangeLine]) throws -> MirrorCounts {
    for line in lines { try apply(line) }
    try flush()
    return counts
  }

  private mutating func apply(_ line: ChangeLine) throws {
    let (id, number) = (line.position.id, line.position.number)
    switch (line.position.kind, line.state) {
    case (.feed, .feed(let feed)):
      if try put(feed, originID: id, number) { counts.textBytes += line.textBytes }
    case (.feed, .removed): try remove(feedWithOriginID: id, number)
    case (.image, .image(let image)): try put(image, originID: id, number)
    case (.image, .removed):
      guard let known = try knownImage(originID: id) else { return }
      try remove(imageID: known.id)
    case (.pin, .pin(let date)):
      // A gallery repeats an earlier pin behind its image. Who had the image has the pin too, or has unpinned it.
      guard let known = try knownImage(originID: id), known.number != number || added.contains(id)
      else { return }
      try rows.pinAsThere(date.storedSeconds, imageID: known.id)
    case (.pin, .removed):
      guard let known = try knownImage(originID: id) else { return }
      try rows.unpinAsThere(imageID: known.id)
    default: return
    }
  }

  // MARK: Feeds

  /// Returns whether the feed brings other texts than those that are stored.
  private mutating func put(_ feed: Feed, originID: Int64, _ number: Int64) throws -> Bool {
    var feed = feed
    let isTold = feed.address != target.gallery.feed(originID, of: "")
    if !isTold, let own = target.gallery.feed(originID, of: target.library) { feed.address = own }
    // Galleries that the other gallery mirrors are not mirrored here, nor a feed that it has from this library.
    guard !feed.isGallery, try !rows.isOwn(feed.address),
      let known = try known(feed, originID: originID, number)
    else {
      feeds[originID] = .some(nil)
      return false
    }
    var own = try rows.feed(id: known.id)
    if known.isGone, own?.isRemoved == true {
      try rows.setRemoved(false, feedID: known.id)
      own = try rows.feed(id: known.id)
    }
    let isFollowed = own?.isRemoved == false
    feeds[originID] = isFollowed ? .some(known.id) : .some(nil)
    try rows.set(number: number, isGone: false, ofFeed: originID)
    // The copy of a feed whose address is not told keeps the one that it has.
    let address = isTold ? feed.address : own?.feed.address ?? feed.address
    if known.isGone { try rows.list(address, ofFeed: originID) }
    guard isFollowed, known.isGone || known.number != number, var own = own?.feed else {
      return false
    }
    let isOther =
      known.isGone || own.ownTitle != feed.title || own.address.identity != address.identity
    own.ownTitle = feed.title
    (own.format, own.isWhole, own.isPaused) = (feed.format, feed.isWhole, feed.isPaused)
    (own.status, own.problem, own.lastSync) = (.updated, nil, target.now)
    own.documentImageCount = feed.imageCount
    try rows.update(own, movedTo: address)
    return isOther
  }

  /// The copy of a feed in this library, added if it is new; nil for a skipped feed.
  private func known(_ feed: Feed, originID: Int64, _ number: Int64) throws -> MirroredFeed? {
    if let known = try rows.copy(ofFeed: originID) { return known }
    if let id = try rows.feedID(at: feed.address) {
      // The gallery had this feed before, under another id.
      let copy = MirroredFeed(id: id, number: number, isGone: true)
      return try rows.revive(copy, ofFeed: originID) ? copy : nil
    }
    let id = try rows.addFeed(at: feed.address)
    let copy = MirroredFeed(id: id, number: number, isGone: true)
    try rows.add(copy, ofFeed: originID)
    return copy
  }

  private mutating func remove(feedWithOriginID originID: Int64, _ number: Int64) throws {
    feeds[originID] = nil
    guard let known = try rows.copy(ofFeed: originID), !known.isGone else { return }
    try rows.set(number: number, isGone: true, ofFeed: originID)
    try rows.unlist(feedID: known.id)
    // A feed with images that are pinned here stays; the others are removed one by one.
    if try rows.feed(id: known.id)?.isRemoved == false, try !rows.hasPinsHere(feedID: known.id) {
      try rows.setRemoved(true, feedID: known.id)
    }
  }

  /// The feed of an image, by the feed's id in the gallery; nil when the feed is skipped.
  private mutating func feedID(originID: Int64) throws -> Int64? {
    if let known = feeds[originID] { return known }
    let known = try rows.copy(ofFeed: originID)
    let id = try known.flatMap { try rows.feed(id: $0.id)?.isRemoved == false ? $0.id : nil }
    feeds[originID] = .some(id)
    return id
  }

  // MARK: Images

  private mutating func put(_ state: ImageState, originID: Int64, _ number: Int64) throws {
    guard let feedID = try feedID(originID: state.feedID) else {
      counts.left += 1
      return
    }
    if let known = try knownImage(originID: originID) {
      guard known.number != number else { return }
      counts.textBytes += state.textBytes
      var state = state
      // Another address would make the stored original one of another picture.
      if state.fields.originalAddress == target.gallery.original(ofImage: originID)?.text,
        let stored = try rows.originalAddress(ofImage: known.id)
      {
        state.fields.originalAddress = stored.text
      }
      try rows.update(known.id, to: state, feedID: feedID)
      try rows.wantMadeThumbnail(of: known.id, unlessFrom: state.original?.info.hash)
      try rows.note(state, number: number, ofImage: originID, id: known.id)
      counts.changed += 1
      return
    }
    if let first = waiting.first,
      feedID != waitingFeedID || first.state.firstSeen != state.firstSeen
    {
      try flush()
    }
    waitingFeedID = feedID
    counts.textBytes += state.textBytes
    waiting.append(WaitingImage(state: state, originID: originID, number: number))
    waitingIDs.insert(originID)
  }

  private mutating func remove(imageID id: Int64) throws {
    if try rows.isPinnedHere(imageID: id) { return try rows.keepGone(imageID: id) }
    try rows.delete(imageID: id)
    counts.removed += 1
  }

  /// Inserts the buffered images.
  private mutating func flush() throws {
    guard let firstSeen = waiting.first?.state.firstSeen else { return }
    let images = waiting.map { NewImage($0.state) }
    let ids = try rows.insert(images, feedID: waitingFeedID, firstSeen: firstSeen)
    try rows.markGone(zip(ids, waiting).filter { $0.1.state.isGone }.map(\.0))
    for (id, new) in zip(ids, waiting) {
      try rows.note(new.state, number: new.number, ofImage: new.originID, id: id)
      counts.addNew(id...id)
    }
    counts.new += ids.count
    added.formUnion(waitingIDs)
    (waiting, waitingIDs) = ([], [])
  }

  /// The copy of an image, inserted first if it is buffered.
  private mutating func knownImage(originID: Int64) throws -> (id: Int64, number: Int64)? {
    if waitingIDs.contains(originID) { try flush() }
    return try rows.copy(ofImage: originID)
  }
}

extension NewImage {
  fileprivate init(_ state: ImageState) {
    self.init(
      image: DocumentImage(state.fields),
      entryID: state.entryID.map(EntryID.init),
      isAmbiguous: state.isEntryAmbiguous,
      position: state.position,
      positionBefore: nil
    )
  }
}
