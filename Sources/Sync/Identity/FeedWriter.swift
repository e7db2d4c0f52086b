package import FoundationEssentials
package import Models
package import Workers

/// Writes a feed's documents into a store; in a dry run, finds the changes without writing them.
///
/// A document streams. Each batch is compared with the stored images, and written in a separate transaction that is
/// short enough for other writers. Decisions that need the whole document wait in memory: which images have changed
/// their addresses (`PutOffEntry`), and which are gone.
///
/// After an error the writer can only break off, because it does not know any more which images it has seen.
package final class FeedWriter {
  private let store: any DocumentStoring
  private let isDryRun: Bool
  private var target: DocumentTarget
  /// The number of images that the next batch may have.
  private var length = SyncLimits.imagesPerDocumentBatch
  /// The feed as it was stored before its documents; nil if it was unknown.
  private var feed: DocumentFeed?
  /// The state of the document; nil before the first batch, and while a batch is being decided.
  private var state: DocumentState?
  private var hasFailed = false
  /// Called once the store has a feed that was unknown.
  var whenAdded: @Sendable () -> Void = {}
  /// The changes that the documents have made so far.
  package private(set) var counts = ImageCounts()
  /// Bytes by which they have made the store larger so far.
  package private(set) var storedBytes = 0
  /// The ids of the images that were added so far, in rising order.
  package private(set) var newIDs: [ClosedRange<Int64>] = []
  /// The pictures that are wanted now and were not before; only a dry run counts them.
  package private(set) var wanted = WantedCounts()

  /// The feed in the store; nil until its first part is written.
  var feedID: Int64? { target.feedID }

  package init(
    _ store: any DocumentStoring,
    feedAt address: WebAddress,
    reach: FeedReach?,
    now: Date,
    isDryRun: Bool = false
  ) {
    self.store = store
    self.isDryRun = isDryRun
    target = DocumentTarget(address: address, reach: reach, now: now)
  }

  /// Compares entries with the stored images, and writes images that are new or changed.
  package func append(_ entries: [FeedEntry]) async throws(StoreError) {
    try await guarded { () async throws(StoreError) in
      let takesIDs = !target.address.isAnonymousPipe
      try await keepStored(entries.flatMap(\.repeated))
      let withImages = entries.filter { !$0.images.isEmpty }
      try await write(withImages.map { EntryLookup($0, takesID: takesIDs) })
    }
  }

  /// Ends one document of several; a member of a collection is stored with its validators and its images.
  package func endDocument(member: FeedMember?) async throws(StoreError) {
    try await guarded { () async throws(StoreError) in
      if let member {
        // The images of a member have to be known before the next one begins. Ids that repeat across members identify
        // nothing from then on, as within one document.
        try await settle()
        try await keep(member, position: state?.members.count ?? 0)
      }
      state?.endDocument()
    }
  }

  /// Counts the images of an unchanged member as listed.
  package func keepMember(at address: WebAddress) async throws(StoreError) {
    try await guarded { () async throws(StoreError) in
      try await begin()
      guard let id = target.feedID else { return }
      let member = try await store.documentMember(at: address, feedID: id)
      if let member { state?.keep(member) }
      state?.endDocument()
      note()
    }
  }

  /// Forgets the part that was read of a document that broke off and is read again; written images stay.
  package func restartDocument() async throws(StoreError) {
    try await guarded { () async throws(StoreError) in
      state?.restartDocument()
      note()
    }
  }

  /// Ends the feed.
  ///
  /// With `isWhole`, every page was read, up to the first one with nothing new.
  package func finish(
    _ document: FeedDocument,
    answer: FeedAnswer,
    isWhole: Bool
  ) async throws(StoreError) -> WrittenFeed {
    try await guarded { () async throws(StoreError) in
      try await begin()
      try await settle()
      if let manifest = document.manifest { try await keep(manifest) }
      return try await end(document, answer, isWhole: isWhole)
    }
  }

  /// Ends a document that broke off: keeps the images so far, notes the problem, and forgets the validators.
  ///
  /// With `isExcess`, the feed has exceeded a limit. A sync of every feed then waits longer each time before it
  /// requests the feed.
  package func breakOff(
    problem: String,
    isExcess: Bool
  ) async throws(StoreError) -> (feed: Feed?, counts: ImageCounts) {
    if isDryRun { return (feed?.feed, counts) }
    return (try await store.breakOff(problem: problem, isExcess: isExcess, of: target), counts)
  }

  /// Refuses to write after a failure, because it is not known any more which images were seen.
  private func guarded<Result>(
    _ body: () async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    if hasFailed {
      let message = "an earlier part could not be written"
      throw StoreError(reason: .other, path: target.address.text, message: message)
    }
    hasFailed = true
    let result = try await body()
    hasFailed = false
    return result
  }

  // MARK: Images

  /// Looks up the stored facts of the feed, before the first batch.
  private func begin() async throws(StoreError) {
    guard state == nil else { return }
    feed = try await store.documentFeed(at: target.address)
    target.feedID = feed?.feed.id
    state = DocumentState(feed, onlyAddressesCount: target.address.isAnonymousPipe)
  }

  /// Counts stored images as found if so many entries repeat their pictures that they would not be added now.
  ///
  /// So they neither leave their feed, nor become another picture of their entry.
  private func keepStored(_ repeated: [WebAddress]) async throws(StoreError) {
    if repeated.isEmpty { return }
    try await begin()
    guard let id = target.feedID, state?.isFeedNew == false else { return }
    let images = repeated.map { DocumentImage(FeedImage(originalAddress: $0)) }
      .filter { state?.repeated.insert($0.originalHash).inserted == true }
    if images.isEmpty { return }
    let lookup = EntryLookup(entryID: nil, images: images, keys: .original)
    let found = try await store.candidates(for: [lookup], feedID: id)
    for stored in found.lazy.flatMap(\.withOriginal).joined() { state?.see(stored.id) }
    note()
  }

  private func write(_ entries: [EntryLookup]) async throws(StoreError) {
    try await begin()
    var rest = entries[...]
    while !rest.isEmpty { try await writeBatch(of: &rest) }
  }

  /// Writes the first entries: as many as one batch takes, and as could be looked up together.
  private func writeBatch(of entries: inout ArraySlice<EntryLookup>) async throws(StoreError) {
    var run = makeRun()
    let lookups = nextBatch(of: entries).map { $0.by(run.keys(of: $0)) }
    let found = try await run.candidates(of: lookups, in: store, feedID: target.feedID)
    var taken = 0
    while taken < lookups.count, run.add(lookups[taken], found[taken]) { taken += 1 }
    precondition(taken > 0, "what the first entry needs was looked up for it")
    entries = entries.dropFirst(taken)
    let id = target.feedID
    try await run.assignPositions { position async throws(StoreError) in
      if let id { try await store.position(above: position, feedID: id) } else { nil }
    }
    try await write(run)
  }

  private func makeRun() -> DocumentRun {
    guard let state = state.take() else { preconditionFailure("a run within a run") }
    let hasStored = target.feedID != nil && (!state.isFeedNew || state.counts.new > 0 && !isDryRun)
    return DocumentRun(state, hasStored: hasStored)
  }

  /// The first entries that fit into one batch: at least one.
  private func nextBatch(of entries: ArraySlice<EntryLookup>) -> ArraySlice<EntryLookup> {
    var images = 0
    let end = entries.firstIndex { entry in
      images += entry.images.count
      return images > length
    }
    return entries.prefix(end.map { max($0 - entries.startIndex, 1) } ?? entries.count)
  }

  private func write(_ run: consuming DocumentRun) async throws(StoreError) {
    let batch = run.batch
    state = run.state
    if isDryRun {
      wanted.add(batch)
    } else if !batch.isEmpty || feed?.isRemoved == true && !target.hasBegun {
      state?.unwritten = UnwrittenImages()
      try await write(batch)
    }
    note()
  }

  private func write(_ batch: DocumentBatch) async throws(StoreError) {
    let written = try await store.write(batch, to: target)
    if target.feedID == nil { whenAdded() }
    target.feedID = written.feedID
    target.hasBegun = true
    storedBytes += max(0, written.bytes)
    length = written.nextLength
    state?.add(written.ids)
  }

  private func note() {
    guard let state else { return }
    (counts, newIDs) = (state.counts, state.newIDs)
  }

  /// Identifies the entries that were put off, now that the whole document is known.
  private func settle() async throws(StoreError) {
    while let entries = state?.putOff.prefix(SyncLimits.imagesPerDocumentBatch / 2),
      !entries.isEmpty
    {
      state?.putOff.removeFirst(entries.count)
      var run = makeRun()
      let lookups = entries.map { $0.entry.by(run.keysToSettle($0.entry)) }
      var found = [EntryCandidates](repeating: EntryCandidates(), count: lookups.count)
      if let id = target.feedID { found = try await store.candidates(for: lookups, feedID: id) }
      for (entry, found) in zip(entries, found) { run.settle(entry, found) }
      try await write(run)
    }
  }

  // MARK: Documents

  /// Stores the description of a feed that is itself a manifest, with its images.
  private func keep(_ manifest: Manifest) async throws(StoreError) {
    let address = feed?.feed.address ?? target.address
    let member = FeedMember(address: address, validators: Validators(), manifest: manifest)
    try await keep(member, position: FeedMember.ownPosition)
  }

  private func keep(_ member: FeedMember, position: Int) async throws(StoreError) {
    if isDryRun { return }
    try await begin()
    if target.feedID == nil { try await write(DocumentBatch()) }
    guard let id = target.feedID, let images = state?.seenInDocument else { return }
    let number = try await store.write(member, position: position, images: images, feedID: id)
    state?.add(member: number)
  }

  /// Ends the feed, once all images are written.
  private func end(
    _ document: FeedDocument,
    _ answer: FeedAnswer,
    isWhole: Bool
  ) async throws(StoreError) -> WrittenFeed {
    guard var state else { preconditionFailure("a document ends before it begins") }
    var gone: [Int64] = []
    let hasAll =
      document.listsEverything && document.isLossless && state.counts.total > 0
      && !target.address.isAnonymousPipe
    if hasAll, let id = target.feedID {
      gone = try await store.images(missingFrom: state.seen, feedID: id)
    }
    state.counts.gone += gone.count
    self.state = state
    note()
    if isDryRun { return try await rehearsed(document) }
    if target.feedID == nil { try await write(DocumentBatch()) }
    let end = DocumentEnd(
      document: document,
      answer: answer,
      counts: counts,
      seen: state.seen,
      gone: gone,
      members: state.members,
      isWhole: isWhole
    )
    return try await store.finish(end, of: target)
  }

  /// The result of a dry run.
  private func rehearsed(_ document: FeedDocument) async throws(StoreError) -> WrittenFeed {
    var feed = feed?.feed ?? Feed(id: 0, address: target.address)
    var list: ListedFeeds?
    if let addresses = document.listedFeeds {
      let isWhole = document.listsEverything
      list = try await store.compareList(addresses, isWhole: isWhole, feedID: target.feedID)
      feed.listedFeedCount = addresses.count
    }
    feed.ownTitle = document.title
    feed.format = document.format
    feed.documentImageCount = counts.total
    let listNews = list.map { $0.new + $0.lost.count } ?? 0
    let news = counts.new + counts.changed + counts.gone + listNews
    feed.status = news > 0 ? .updated : .unchanged
    return WrittenFeed(feed: feed, counts: counts, list: list)
  }
}
