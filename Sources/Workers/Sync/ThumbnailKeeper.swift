import Models

/// Keeps what came of a feed's thumbnails in batches, and counts it.
struct ThumbnailKeeper {
  typealias Store = (ThumbnailBatch) throws(StoreError) -> Void

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
    self.store = store
    turnstile = shared.turnstile
    share = ProgressShare(of: shared.progress, \.thumbnails)
    failures = PictureFailures(tools)
  }

  /// Adds thumbnails that are to be asked for to the progress.
  mutating func announce(_ number: Int) { share.announce(number) }

  mutating func take(_ outcome: ThumbnailOutcome, note: (SyncProblem) -> Void) {
    switch outcome.result {
    case .new(let thumbnail): batch.new.append(thumbnail)
    case .changed(let thumbnail): batch.changed.append(thumbnail)
    case .unchanged(let thumbnail): batch.unchanged.append(thumbnail)
    case .failed(let failure):
      guard !failure.isCancellation else { return }
      take(failure, of: outcome.order, note: note)
    }
    batchBytes += outcome.thumbnail?.bytes.count ?? 0
    bytes += outcome.wireBytes
    share.finishOne(bytes: outcome.wireBytes - outcome.countedBytes)
    if isBatchFull || outcome.isLarge { storeBatch(note: note) }
    if outcome.isLarge { turnstile.leave() }
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
    failures.memory(of: failure, order).map { batch.failed.append($0) }
    guard failures.isTold(failure, of: order) else { return }
    counts.noteFailed(wasWaiting: wish.all || order.held == nil)
    note(SyncProblem(subject: subject, address: order.address, failure: failure))
  }

  private var isBatchFull: Bool {
    batch.count >= SyncLimits.thumbnailsPerBatch || batchBytes >= SyncLimits.thumbnailBytesPerBatch
  }

  /// A batch that cannot be stored stays wanted, and says so once; on a full disk nothing more is
  /// fetched for it.
  mutating func storeBatch(note: (SyncProblem) -> Void) {
    defer {
      batch = ThumbnailBatch()
      batchBytes = 0
    }
    do {
      if batch.count > 0 { try store(batch) }
      countStored()
    } catch {
      if error.endsWriting { isEnded = true }
      note(.store(error, of: feed))
    }
  }

  /// One that was asked for although it is stored counts as stored, changed or not; of those that
  /// were only asked about, what has changed.
  private mutating func countStored() {
    counts.noteStored(batch.new.count)
    counts.noteStored(batch.changed.count, wereWaiting: wish.all)
    if wish.all { counts.noteStored(batch.unchanged.count) }
  }

  /// Stores what is left, and takes out of the progress what does not come any more.
  mutating func end(note: (SyncProblem) -> Void) {
    storeBatch(note: note)
    share.end()
  }
}
