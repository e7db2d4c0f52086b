import Models

/// Keeps what came of a feed's thumbnails in batches, and counts it.
///
/// Batches are stored, one after the other, while the next ones are gathered: the network does not wait for
/// the disk, on which the store has each batch before it notes it. Whoever brings more than the disk takes in
/// the long run waits, so that no more than a few batches are in memory.
struct ThumbnailKeeper {
  typealias Store = @Sendable (ThumbnailBatch) throws(StoreError) -> Void

  /// A batch on its way into the store: what is to be counted of it, and what became of it.
  private struct Storing {
    var new: Int
    var changed: Int
    var unchanged: Int
    var error: Task<StoreError?, Never>
    let isOver: Locked<Bool>
  }

  var counts = TransferCounts()
  private(set) var bytes = 0
  /// Whether nothing more can be kept, so that nothing more is to be fetched.
  private(set) var isEnded = false
  private let feed: Feed
  private let wish: PictureWish
  private let subject: SyncProblem.Subject
  private let turnstile: Turnstile
  private let store: Store
  private var share: ProgressShare
  private var failures: PictureFailures
  private var batch = ThumbnailBatch()
  private var batchBytes = 0
  private var storing: [Storing] = []
  /// Whether it has been told that the store takes nothing any more.
  private var hasToldEnd = false

  init(
    of feed: Feed,
    wish: PictureWish,
    subject: SyncProblem.Subject,
    tools: SyncTools,
    shared: SharedSync,
    store: @escaping Store
  ) {
    self.feed = feed
    self.wish = wish
    self.subject = subject
    let library = tools.store
    self.store = { batch throws(StoreError) in
      try library.checkRoom(for: 0)
      try store(batch)
    }
    turnstile = shared.turnstile
    share = ProgressShare(of: shared.progress, \.thumbnails)
    failures = PictureFailures(tools)
  }

  /// Adds thumbnails that are to be asked for to the progress.
  mutating func announce(_ number: Int) { share.announce(number) }

  /// Has the progress count so many that are left to be asked for, however many were announced.
  mutating func settle(at number: Int) { share.settle(at: number) }

  mutating func take(_ outcome: ThumbnailOutcome, note: (SyncProblem) -> Void) async {
    switch outcome.result {
    case .new(let thumbnail): batch.new.append(thumbnail)
    case .changed(let thumbnail): batch.changed.append(thumbnail)
    case .unchanged(let thumbnail): batch.unchanged.append(thumbnail)
    case .failed(let failure):
      guard !failure.isCancellation else { return }
      take(failure, of: outcome.order, note: note)
    }
    batchBytes += outcome.byteCount
    bytes += outcome.wireBytes
    share.finishOne(bytes: outcome.wireBytes - outcome.countedBytes)
    if isBatchFull { await beginStoring(note: note) }
    guard outcome.isLarge else { return }
    await storeAll(note: note)
    turnstile.leave()
  }

  /// What the budget has no room for only waits; so does what there is no decoder for.
  private mutating func take(
    _ failure: Failure,
    of order: PictureOrder,
    note: (SyncProblem) -> Void
  ) {
    guard failure != .overBudget else { return }
    if case .imaging(let error) = failure, error.isOfDecoder {
      if !isEnded { note(.noDecoder(error, for: feed)) }
      isEnded = true
      return
    }
    if case .store(let error) = failure, error.endsWriting {
      if !hasToldEnd { note(.store(error, of: feed)) }
      isEnded = true
      hasToldEnd = true
      return
    }
    failures.memory(of: failure, order).map { batch.failed.append($0) }
    guard failures.isTold(failure, of: order) else { return }
    counts.noteFailed(wasWaiting: wish.all || order.held == nil)
    note(SyncProblem(subject: subject, address: order.address, failure: failure))
  }

  private var isBatchFull: Bool {
    batch.count >= SyncLimits.thumbnailsPerBatch || batchBytes >= SyncLimits.thumbnailBytesPerBatch
  }

  /// Stores what has been gathered, all of it by the time this returns.
  mutating func storeAll(note: (SyncProblem) -> Void) async {
    await beginStoring(note: note)
    while !storing.isEmpty { await endStoring(note: note) }
  }

  /// Stores what has been gathered if nothing else is being stored: where pictures come slowly, each at once.
  mutating func storeWhenIdle(note: (SyncProblem) -> Void) async {
    while let first = storing.first, first.isOver.withLock({ $0 }) { await endStoring(note: note) }
    if storing.isEmpty { await beginStoring(note: note) }
  }

  /// Has a batch stored behind those before it.
  private mutating func beginStoring(note: (SyncProblem) -> Void) async {
    while storing.count >= SyncLimits.thumbnailBatchesAhead { await endStoring(note: note) }
    guard batch.count > 0 else { return }
    let (batch, store, last) = (self.batch, self.store, storing.last?.error)
    self.batch = ThumbnailBatch()
    batchBytes = 0
    // Whoever stops the sync does not stop what has come whole from being kept.
    let isOver = Locked(false)
    let error = Task { () -> StoreError? in
      defer { isOver.withLock { $0 = true } }
      _ = await last?.value
      do throws(StoreError) {
        try store(batch)
        return nil
      } catch {
        return error
      }
    }
    let (new, changed) = (batch.new.count, batch.changed.count)
    storing.append(
      Storing(
        new: new,
        changed: changed,
        unchanged: batch.unchanged.count,
        error: error,
        isOver: isOver
      )
    )
  }

  /// A batch that cannot be stored stays wanted; on a full disk nothing more is fetched for it, and that
  /// is said once.
  private mutating func endStoring(note: (SyncProblem) -> Void) async {
    let stored = storing.removeFirst()
    guard let error = await stored.error.value else { return count(stored) }
    if !hasToldEnd { note(.store(error, of: feed)) }
    guard error.endsWriting else { return }
    isEnded = true
    hasToldEnd = true
  }

  /// One that was asked for although it is stored counts as stored, changed or not; of those that
  /// were only asked about, what has changed.
  private mutating func count(_ stored: Storing) {
    counts.noteStored(stored.new)
    counts.noteStored(stored.changed, wereWaiting: wish.all)
    if wish.all { counts.noteStored(stored.unchanged) }
  }

  /// Stores what is left, and takes out of the progress what does not come any more.
  mutating func end(note: (SyncProblem) -> Void) async {
    await storeAll(note: note)
    share.end()
  }
}
