import Models
import Workers

/// Stores the outcomes of a feed's pictures in batches, and counts them.
///
/// Batches are stored one after another while the next one is collected, so the network does not wait for the disk, to
/// which the store writes the pictures of a batch before it notes them. A feed that brings more than the disk can take
/// has to wait, so that at most a few batches are in memory.
struct PictureKeeper {
  /// A batch that is being stored: the numbers to count, and the result.
  private struct Storing {
    var new: Int
    var changed: Int
    var doubtful: [Int64]
    var misled: [Int64]
    var unchanged: Int
    var error: Task<StoreError?, Never>
    let isOver: Locked<Bool>
  }

  var counts = TransferCounts()
  /// Bytes that came over the wire.
  private(set) var bytes = 0
  /// Whether addresses that servers refuse are left to another attempt, because their feed was not read in this sync.
  private let leavesRefused: Bool
  /// The number of pictures that were left to it.
  private(set) var refused = 0
  /// The pictures that had no room in the library, and wait.
  private var unhoused: [WantedPicture] = []
  /// The reason why they had no room.
  private var bound: StoreError?
  /// Whether any picture had no room.
  private(set) var hasMetBound = false
  /// Whether the store does not take any more pictures.
  private var isOver = false
  private let kind: PictureKind
  private let feed: Feed
  private let filter: PictureFilter
  private let tools: SyncTools
  private let shared: SharedSync
  /// The feed's share in the progress.
  var share: ProgressShare
  /// The hosts that asked for a pause, each of which is reported once.
  private var pausedHosts: Set<String> = []
  private var batch = PictureBatch()
  private var batchBytes = 0
  private var storing: [Storing] = []
  /// The thumbnails that came in the place of stored ones in this sync, by the hashes of their bytes.
  private var replacing: [Int: [ThumbnailReplacement]] = [:]
  /// Whether it was reported that the store does not take any more pictures.
  private var hasReportedEnd = false

  init(
    _ kind: PictureKind,
    of feed: Feed,
    _ filter: PictureFilter,
    leavesRefused: Bool = false,
    tools: SyncTools,
    shared: SharedSync
  ) {
    self.kind = kind
    self.feed = feed
    self.filter = filter
    self.leavesRefused = leavesRefused
    self.tools = tools
    self.shared = shared
    share = ProgressShare(of: shared.progress, kind == .original ? \.originals : \.thumbnails)
  }

  /// Whether no more pictures can be kept, so that no more are fetched.
  ///
  /// The next originals are older than those without room, so they have no room either. Those for thumbnails wait until
  /// `goOn` is called.
  var isEnded: Bool { isOver || bound != nil }

  mutating func take(_ outcome: PictureOutcome, note: (SyncProblem) -> Void) async {
    switch outcome.result {
    case .new(let thumbnail) where thumbnail.doubts.isEmpty: batch.new.append(thumbnail)
    case .changed(let thumbnail) where thumbnail.doubts.isEmpty: batch.changed.append(thumbnail)
    case .new(let thumbnail), .changed(let thumbnail):
      batch.doubtful.append(thumbnail)
      if outcome.wanted.held == nil { noteDoubtful(1) }
    case .unchanged(let picture): batch.unchanged.append(picture)
    case .original(let fetched, _): count(fetched, of: outcome.wanted)
    case .failed(let failure):
      guard !failure.isCancellation else { return }
      take(failure, of: outcome.wanted, note: note)
    }
    batchBytes += outcome.byteCount
    bytes += outcome.wireBytes
    share.finishOne(bytes: outcome.wireBytes - outcome.countedBytes)
    if isBatchFull { await beginStoring(note: note) }
    guard outcome.isLarge else { return }
    await storeAll(note: note)
    shared.largeThumbnails.signal()
  }

  /// Counts thumbnails that were wanted, and are kept beside stored ones; `filter.all` counts all with their batch.
  private mutating func noteDoubtful(_ wanted: Int) {
    if !filter.all { counts.waiting = max(0, counts.waiting - wanted) }
  }

  /// Counts an original; one that was only asked about counts if it has changed.
  private mutating func count(_ fetched: FetchedOriginal, of wanted: WantedPicture) {
    let wasWaiting = wanted.held == nil
    guard fetched.doubts.isEmpty else {
      counts.noteDoubtful(fetched.misled, wereWaiting: false)
      return counts.noteDoubtful([wanted.imageID], wereWaiting: wasWaiting)
    }
    if wasWaiting || fetched.wasDownloaded { counts.noteStored(wereWaiting: wasWaiting) }
  }

  // MARK: Failures

  /// Handles a failure; a picture only waits if the budget, the library or a missing decoder prevents it.
  private mutating func take(
    _ failure: Failure,
    of picture: WantedPicture,
    note: (SyncProblem) -> Void
  ) {
    switch failure {
    case .overBudget: return
    case _ where leavesRefused && failure.refusesAddress:
      refused += 1
      return
    case .store(let error) where error.isOfBounds:
      hasMetBound = true
      if case .tooLarge = error.reason { return shared.tellOnce(error) }
      unhoused.append(picture)
      bound = error
      return
    case .imaging(let error) where error.isOfDecoder:
      if !isOver { note(.noDecoder(error, for: feed)) }
      isOver = true
      return
    case .store(let error) where error.endsWriting:
      // An original is stored by itself, and is reported under its own address.
      if kind != .original { return end(error, note: note) }
      isOver = true
    default: break
    }
    remembered(failure, of: picture).map { batch.failed.append($0) }
    guard isReported(failure, of: picture) else { return }
    counts.noteFailed(wasWaiting: filter.all || picture.held == nil)
    note(SyncProblem(subject: kind.subject, address: picture.address, failure: failure))
  }

  private mutating func end(_ error: StoreError, note: (SyncProblem) -> Void) {
    if !hasReportedEnd { note(.store(error, of: feed)) }
    isOver = true
    hasReportedEnd = true
  }

  /// Whether a failure is reported and counted: a host that asked for a pause is reported once.
  ///
  /// Its other pictures were not requested and have not failed; they wait.
  private mutating func isReported(_ failure: Failure, of picture: WantedPicture) -> Bool {
    guard failure.pausedUntil != nil else { return true }
    return pausedHosts.insert(picture.address.authority ?? "").inserted
  }

  private func remembered(_ failure: Failure, of picture: WantedPicture) -> FailedPicture? {
    var failed = FailedPicture(
      failure,
      imageID: picture.imageID,
      address: picture.address,
      reason: tools.wording(failure),
      now: tools.now()
    )
    failed?.canBeMade = tools.imaging != nil
    return failed
  }

  /// Returns the pictures that had no room, the newest first, and forgets them.
  mutating func takeUnhoused() -> [WantedPicture] {
    defer { unhoused = [] }
    return unhoused.sorted { ($1.rank.date, $0.rank.position) < ($0.rank.date, $1.rank.position) }
  }

  /// Allows more pictures to be kept, once those without room have been stored.
  mutating func goOn() { bound = nil }

  /// Reports why the pictures without room wait.
  func tellOfBound() {
    if let bound { shared.tellOnce(bound) }
  }

  // MARK: Batches

  private var isBatchFull: Bool {
    batch.count >= SyncLimits.thumbnailsPerBatch || batchBytes >= SyncLimits.thumbnailBytesPerBatch
  }

  /// Stores everything that was collected, and waits until it is stored.
  mutating func storeAll(note: (SyncProblem) -> Void) async {
    await beginStoring(note: note)
    while !storing.isEmpty { await endStoring(note: note) }
  }

  /// Stores the collected pictures if no batch is being stored, so that pictures that arrive slowly are stored at once.
  mutating func storeWhenIdle(note: (SyncProblem) -> Void) async {
    while let first = storing.first, first.isOver.withLock({ $0 }) { await endStoring(note: note) }
    if storing.isEmpty { await beginStoring(note: note) }
  }

  /// Begins to store a batch after those before it; a stop of the sync does not interrupt this.
  private mutating func beginStoring(note: (SyncProblem) -> Void) async {
    while storing.count >= SyncLimits.thumbnailBatchesAhead { await endStoring(note: note) }
    guard batch.count > 0 else { return }
    let new = batch.new.count
    batch.doubtShared(&replacing)
    noteDoubtful(new - batch.new.count)
    let (batch, kind, store, last) = (self.batch, kind, tools.store, storing.last?.error)
    self.batch = PictureBatch()
    batchBytes = 0
    let isOver = Locked(false)
    let error = Task { () -> StoreError? in
      defer { isOver.withLock { $0 = true } }
      _ = await last?.value
      do throws(StoreError) {
        try await store.checkRoom(for: 0)
        try await store.store(batch, kind)
        return nil
      } catch {
        return error
      }
    }
    storing.append(
      Storing(
        new: batch.new.count,
        changed: batch.changed.count,
        doubtful: batch.doubtful.map(\.imageID),
        misled: batch.doubtful.flatMap(\.misled),
        unchanged: batch.unchanged.count,
        error: error,
        isOver: isOver
      )
    )
  }

  /// Waits for the first batch to be stored; if that fails, its pictures stay wanted.
  ///
  /// On a full disk no more pictures are fetched, which is reported once.
  private mutating func endStoring(note: (SyncProblem) -> Void) async {
    let stored = storing.removeFirst()
    guard let error = await stored.error.value else { return count(stored) }
    if error.endsWriting { return end(error, note: note) }
    if !hasReportedEnd { note(.store(error, of: feed)) }
  }

  /// Counts a batch that was stored.
  ///
  /// A picture that was requested although it is stored counts as stored, changed or not. Of the pictures that were
  /// only asked about, the changed ones count.
  private mutating func count(_ stored: Storing) {
    counts.noteStored(stored.new)
    counts.noteStored(stored.changed, wereWaiting: filter.all)
    if filter.all { counts.noteStored(stored.unchanged) }
    counts.noteDoubtful(stored.doubtful, wereWaiting: filter.all)
    counts.noteDoubtful(stored.misled, wereWaiting: false)
  }

  /// Stores the rest, and removes pictures that will not arrive from the progress.
  mutating func end(note: (SyncProblem) -> Void) async {
    await storeAll(note: note)
    share.end()
  }
}

extension PictureKind {
  fileprivate var subject: SyncProblem.Subject {
    switch self {
    case .thumbnail: .thumbnail
    case .madeThumbnail: .madeThumbnail
    case .original: .original
    }
  }
}
