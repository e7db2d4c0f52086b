package import FoundationEssentials
package import Models
package import Workers

/// Copies a library to another store: first the rows, then the files of its originals.
///
/// All rows come from one state of the library. Only rows that differ are written. So an interrupted copy resumes
/// quickly, and a later copy brings only the changes. After the last row is written, all rows are compared. Other
/// programs see the rows after the files are on the disk (`LibraryCopying`).
///
/// Files that a copy has already are compared by their lengths. Only a verified copy reads them: a damaged one is copied
/// again, if the library has it whole.
package struct LibraryMover: LibraryMoving {
  private let source: any LibraryCopying
  private let target: any LibraryCopying
  private let place: String
  private let name: String
  private let originals: any OriginalCopying
  private let bringBack: @Sendable (SHA256Digest) async -> Void
  private let objects: ObjectOriginals?
  private let purpose: CopyPurpose
  private let inspector: (any LibraryInspecting)?
  private let acceptsRemovals: Bool
  private let begin: @Sendable () async throws(StoreError) -> Void
  private let copyFiles: @Sendable () throws(StoreError) -> [String]
  private let end: @Sendable () -> Void
  private let now: @Sendable () -> Date
  private let tables: [CopiedTable]

  /// - Parameters:
  ///   - source: The library to copy.
  ///   - name: Its name in messages.
  ///   - target: The store to copy it to.
  ///   - place: The name of the target in messages.
  ///   - originals: Copies the files of originals to the target.
  ///   - hasSameObjects: Whether both use the same object store, or neither uses one.
  ///   - objects: The object store of the copy, if it is not that of the library; nil without one.
  ///   - purpose: What the copy is for.
  ///   - inspector: Checks the database of a copy that is verified, so that its thumbnails are read, too; nil for others.
  ///   - acceptsRemovals: Whether the copy may lose as many images as the library has lost.
  ///   - begin: Checks the place before anything is written to it.
  ///   - copyFiles: Copies the files of settings and tokens; returns the paths in the copy at which other files stay.
  ///   - end: Runs after the copy is completed.
  ///   - bringBack: Fetches an original to this disk that only the library's object store has.
  ///   - now: The clock.
  package init(
    from source: any LibraryCopying,
    named name: String,
    to target: any LibraryCopying,
    at place: String,
    originals: any OriginalCopying,
    hasSameObjects: Bool,
    objects: ObjectOriginals?,
    for purpose: CopyPurpose,
    verifiedBy inspector: (any LibraryInspecting)? = nil,
    acceptsRemovals: Bool = false,
    begin: @escaping @Sendable () async throws(StoreError) -> Void = {},
    copyFiles: @escaping @Sendable () throws(StoreError) -> [String] = { [] },
    end: @escaping @Sendable () -> Void = {},
    bringBack: @escaping @Sendable (SHA256Digest) async -> Void,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.source = source
    self.target = target
    self.place = place
    self.name = name
    self.originals = originals
    self.bringBack = bringBack
    self.objects = objects
    self.purpose = purpose
    self.inspector = inspector
    self.acceptsRemovals = acceptsRemovals
    self.begin = begin
    self.copyFiles = copyFiles
    self.end = end
    self.now = now
    tables = CopiedTable.all(withObjects: hasSameObjects)
  }

  package func move() -> MoveRun {
    let progress = Locked(MoveCounts())
    return MoveRun(progress) { teller in
      let isStopped = Locked(false)
      await withTaskCancellationHandler {
        await run(progress, teller) { isStopped.withLock { $0 } }
      } onCancel: {
        isStopped.withLock { $0 = true }
      }
    }
  }

  private func run(
    _ progress: Locked<MoveCounts>,
    _ teller: AsyncStream<MoveFact>.Continuation,
    isStopped: @escaping @Sendable () -> Bool
  ) async {
    do throws(StoreError) {
      try await begin()
      let header = Locked<LibraryHeader?>(nil)
      let key = Locked<(any LibrarySigning)?>(nil)
      try await source.withState { (state) throws(StoreError) in
        let known = try state.header()
        try check(known)
        let stored = try source.storedKey()
        key.withLock { $0 = stored }
        header.withLock { $0 = known }
        try target.beginCopy(of: known, for: purpose)
        let removed = try removedImages(in: state)
        progress.withLock { $0.removedImages = removed }
        var rows = RowCopying(
          state: state,
          target: target,
          place: place,
          progress: progress,
          teller: teller,
          isStopped: isStopped,
          readsAll: inspector != nil
        )
        for table in tables { try rows.copy(table) }
        for table in tables { try rows.compare(table) }
        let originals = rows.removedOriginals.count
        progress.withLock { $0.removedOriginals = originals }
        let folders = purpose == .backup ? try state.pictureFolders() : []
        progress.withLock { $0.folders = folders }
      }
      try await copyOriginals(progress, teller)
      // A task counts as cancelled a moment before it says so to `isStopped`.
      guard let header = header.withLock({ $0 }), !Task.isCancelled, !isStopped() else {
        target.abandonCopy()
        // A completed copy keeps its earlier state.
        progress.withLock { ($0.removedImages, $0.removedOriginals) = (0, 0) }
        teller.yield(.interrupted(progress.snapshot))
        return
      }
      if let key = key.withLock({ $0 }) { try target.keepKey(key, of: header.library) }
      for path in try copyFiles() { teller.yield(.keptFile(path: path)) }
      let copied = purpose == .restore ? header.restored(now: now()) : header
      try target.endCopy(of: copied, for: purpose)
      end()
      if let inspector { try await mendDatabase(inspector, progress) }
      await putOriginals(progress)
      teller.yield(.ended(progress.snapshot))
    } catch {
      target.abandonCopy()
      teller.yield(.failed(error))
    }
  }

  /// Throws when a library that is not a backup would be restored, or a backup would become the gallery as it is.
  private func check(_ header: LibraryHeader) throws(StoreError) {
    if header.isBackup == (purpose == .restore) { return }
    let reason: StoreError.Reason = header.isBackup ? .backup : .notBackup
    throw StoreError(reason: reason, path: name, message: "")
  }

  /// The number of images that a completed copy has, and that the library has no longer.
  ///
  /// An image that has given way to a newer one, because its feed keeps only so many, is not among them: otherwise the
  /// copy of a webcam's pictures would have to be accepted every day.
  ///
  /// - Throws: `.removals` when the user has to accept their number; nothing of the copy has changed then.
  private func removedImages(in state: any LibraryState) throws(StoreError) -> Int {
    var copied: [Int64]?
    try target.withCopy { (copy) throws(StoreError) in
      if try copy.header().isCopy { copied = try copy.imageIDs().listed }
    }
    guard let copied, !copied.isEmpty else { return 0 }
    let stored = try state.imageIDs()
    let lost = copied.missing(from: stored.listed)
    if lost.isEmpty { return 0 }
    let retired = lost.count - lost.missing(from: stored.retired).count
    let added = stored.listed.count - (copied.count - lost.count)
    let removed = lost.count - min(retired, added)
    if !acceptsRemovals, SyncLimits.isTooMuch(removed, of: copied.count) {
      throw StoreError(reason: .removals(removed, of: copied.count), path: place, message: "")
    }
    return removed
  }

  /// Repairs what a check finds in the database of the copy, such as a damaged index.
  private func mendDatabase(
    _ inspector: any LibraryInspecting,
    _ progress: Locked<MoveCounts>
  ) async throws(StoreError) {
    let faults = try await inspector.databaseFaults()
    if faults.isEmpty { return }
    try await inspector.repairDatabase()
    progress.withLock { $0.databaseFaults = faults.count }
  }

  // MARK: Originals

  private static let originalsPerPage = 256

  private func copyOriginals(
    _ progress: Locked<MoveCounts>,
    _ teller: AsyncStream<MoveFact>.Continuation
  ) async throws(StoreError) {
    var last: [CopiedValue]?
    while !Task.isCancelled {
      let page = try originals(after: last)
      guard let end = page.last else { break }
      last = CopiedTable.original.key(of: end)
      for original in page.compactMap(CopiedOriginalFile.init) where !Task.isCancelled {
        var copied = try originals.copy(original)
        // If both libraries use the object store that has it, neither folder needs the file.
        if !copied.isWhole, original.isPut, copied == .missing || inspector == nil { continue }
        if !copied.isWhole {
          await bringBack(original.hash)
          copied = try originals.copy(original)
        }
        count(copied, original, progress, teller)
      }
    }
    try originals.settle()
  }

  /// The rows of the copy's originals after a key, one page of them.
  private func originals(after last: [CopiedValue]?) throws(StoreError) -> [CopiedRow] {
    var page: [CopiedRow] = []
    try target.withCopy { (copy) throws(StoreError) in
      page = try copy.rows(of: .original, after: last, through: nil, limit: Self.originalsPerPage)
    }
    return page
  }

  private func count(
    _ copied: CopiedOriginal,
    _ original: CopiedOriginalFile,
    _ progress: Locked<MoveCounts>,
    _ teller: AsyncStream<MoveFact>.Continuation
  ) {
    if copied == .missing { teller.yield(.missingOriginal(original.hash)) }
    if copied == .damaged { teller.yield(.damagedOriginal(original.hash)) }
    progress.withLock { counts in
      if copied.isWhole { counts.originals += 1 } else { counts.missing += 1 }
      if copied == .renewed { counts.renewed += 1 }
      if [.linked, .copied, .renewed].contains(copied) { counts.newFiles += 1 }
      if [.copied, .renewed].contains(copied) { counts.copiedBytes += original.bytes }
    }
  }

  /// Puts originals into the object store of the copy.
  ///
  /// The next sync retries those that fail.
  private func putOriginals(_ progress: Locked<MoveCounts>) async {
    guard let objects else { return }
    let result = await objects.putAll()
    progress.withLock { counts in
      counts.objects = result.count
      counts.waitingObjects = result.failed
    }
  }
}

/// The file of an original, as its row names it.
private struct CopiedOriginalFile {
  let hash: SHA256Digest
  let format: ImageFormat
  let bytes: Int
  /// Whether the object store of both libraries has it.
  let isPut: Bool

  /// - Returns: nil for a row whose values this version does not know.
  init?(_ row: CopiedRow) {
    let table = CopiedTable.original
    guard let hash = table.value("sha256", of: row).text.flatMap(SHA256Digest.init(hexadecimal:)),
      let format = table.value("format", of: row).text.flatMap(ImageFormat.init(rawValue:)),
      let bytes = table.value("bytes", of: row).integer
    else { return nil }
    self.hash = hash
    self.format = format
    self.bytes = Int(bytes)
    isPut = table.value("put_at", of: row) != .null
  }
}

extension OriginalCopying {
  fileprivate func copy(_ original: CopiedOriginalFile) throws(StoreError) -> CopiedOriginal {
    try copy(original.hash, original.format, bytes: original.bytes)
  }
}

extension [Int64] {
  /// The numbers that are not in others; both are in ascending order.
  fileprivate func missing(from others: [Int64]) -> [Int64] {
    var (missing, next) = ([Int64](), 0)
    for number in self {
      while next < others.count, others[next] < number { next += 1 }
      if next == others.count || others[next] != number { missing.append(number) }
    }
    return missing
  }
}
