package import Models
package import Workers

/// Copies a library to another store: first the rows, then the files of its originals.
///
/// All rows come from one state of the library. Only rows that differ are written. So an interrupted copy resumes
/// quickly, and a later copy brings only the changes. After the last row is written, all rows are compared.
package struct LibraryMover: LibraryMoving {
  private let source: any LibraryCopying
  private let target: any LibraryCopying
  private let place: String
  private let originals: any OriginalCopying
  private let bringBack: @Sendable (SHA256Digest) async -> Void
  private let objects: ObjectOriginals?
  private let tables: [CopiedTable]

  /// - Parameters:
  ///   - source: The library to copy.
  ///   - target: The store to copy it to.
  ///   - place: The name of the target in messages.
  ///   - originals: Copies the files of originals to the target.
  ///   - hasSameObjects: Whether both use the same object store, or neither uses one.
  ///   - objects: The object store of the copy, if it is not that of the library; nil without one.
  ///   - bringBack: Fetches an original to this disk that only the library's object store has.
  package init(
    from source: any LibraryCopying,
    to target: any LibraryCopying,
    at place: String,
    originals: any OriginalCopying,
    hasSameObjects: Bool,
    objects: ObjectOriginals?,
    bringBack: @escaping @Sendable (SHA256Digest) async -> Void
  ) {
    self.source = source
    self.target = target
    self.place = place
    self.originals = originals
    self.bringBack = bringBack
    self.objects = objects
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
      let header = Locked<LibraryHeader?>(nil)
      let key = Locked<(any LibrarySigning)?>(nil)
      try await source.withState { (state) throws(StoreError) in
        let known = try state.header()
        let stored = try source.storedKey()
        key.withLock { $0 = stored }
        header.withLock { $0 = known }
        try target.beginCopy(of: known)
        var rows = RowCopying(
          state: state,
          target: target,
          place: place,
          progress: progress,
          teller: teller,
          isStopped: isStopped
        )
        for table in tables { try rows.copy(table) }
        for table in tables { try rows.compare(table) }
      }
      try await copyOriginals(progress, teller)
      guard let header = header.withLock({ $0 }), !isStopped() else {
        teller.yield(.interrupted(progress.snapshot))
        return
      }
      if let key = key.withLock({ $0 }) { try target.keepKey(key, of: header.library) }
      try target.endCopy(of: header)
      await putOriginals(progress)
      teller.yield(.ended(progress.snapshot))
    } catch {
      teller.yield(.failed(error))
    }
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
        if copied == .missing, original.isPut { continue }
        if copied == .missing {
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
    progress.withLock { counts in
      if copied == .missing { counts.missing += 1 } else { counts.originals += 1 }
      if copied == .linked || copied == .copied { counts.newFiles += 1 }
      if copied == .copied { counts.copiedBytes += original.bytes }
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

/// Copies the rows of one state of a library.
private struct RowCopying {
  let state: any LibraryState
  let target: any LibraryCopying
  let place: String
  let progress: Locked<MoveCounts>
  let teller: AsyncStream<MoveFact>.Continuation
  let isStopped: () -> Bool
  /// The images whose thumbnails are damaged.
  private(set) var damaged: Set<Int64> = []

  mutating func copy(_ table: CopiedTable) throws(StoreError) {
    try walk(table) { (copying, step) throws(StoreError) in
      try copying.bring(table, step.rows, step.there)
      // If the copy has more rows than one step takes, the same rows of the library come again: count them once.
      guard step.isLast else { return }
      let count = copying.whole(step.rows, of: table).count
      copying.progress.withLock { counts in
        switch table {
        case .image: counts.images += count
        case .thumbnail: counts.thumbnails += count
        default: break
        }
      }
    }
  }

  /// Compares the rows of a table with those of the copy.
  ///
  /// - Throws: when a row of the copy differs from that of the library.
  mutating func compare(_ table: CopiedTable) throws(StoreError) {
    try walk(table) { (copying, step) throws(StoreError) in
      guard copying.whole(step.rows, of: table) == step.there else {
        let message = "rows of \(table.name) are not as they were copied"
        throw StoreError(reason: .unsound, path: copying.place, message: message)
      }
    }
  }

  /// The rows without those of damaged thumbnails.
  private func whole(_ rows: [CopiedRow], of table: CopiedTable) -> [CopiedRow] {
    if table != .thumbnail || damaged.isEmpty { return rows }
    return rows.filter { !damaged.contains($0[0].integer ?? 0) }
  }

  /// Rows of a table, and the rows of the copy in the same range of keys.
  private struct Step {
    var rows: [CopiedRow]
    var there: [CopiedRow]
    /// Whether the copy has no more rows in that range.
    var isLast: Bool
  }

  /// Walks through a table in steps, each with the rows of the copy in the same range of keys.
  private mutating func walk(
    _ table: CopiedTable,
    _ body: (inout RowCopying, Step) throws(StoreError) -> Void
  ) throws(StoreError) {
    var last: [CopiedValue]?
    while !isStopped() {
      let rows = try state.rows(of: table, after: last, through: nil, limit: table.rowsPerStep)
      let end = rows.count < table.rowsPerStep ? nil : rows.last.map(table.key)
      // The copy may have rows that the library lacks. These, too, are read a step at a time.
      let limit = 2 * table.rowsPerStep
      var there: [CopiedRow] = []
      repeat {
        try target.withCopy { (copy) throws(StoreError) in
          there = try copy.rows(of: table, after: last, through: end, limit: limit)
        }
        try body(&self, Step(rows: rows, there: there, isLast: there.count < limit))
      } while there.count == limit && !isStopped()
      guard let end else { return }
      last = end
    }
  }

  private mutating func bring(
    _ table: CopiedTable,
    _ rows: [CopiedRow],
    _ there: [CopiedRow]
  ) throws(StoreError) {
    if rows == there { return }
    let wanted = Dictionary(rows.map { (table.key(of: $0), $0) }) { first, _ in first }
    let known = Dictionary(there.map { (table.key(of: $0), $0) }) { first, _ in first }
    var change = CopyChange(table)
    change.removed = known.filter { wanted[$0.key] != $0.value }.map(\.key)
    change.added = rows.filter { known[table.key(of: $0)] != $0 }
    if table == .thumbnail { try addThumbnails(to: &change) }
    if change.removed.isEmpty, change.added.isEmpty { return }
    try target.changeCopy(change)
    let changed = Set(change.removed + change.added.map(table.key)).count
    progress.withLock { $0.changedRows += changed }
  }

  /// Leaves out the rows of damaged thumbnails, which the copy then lacks.
  private mutating func addThumbnails(to change: inout CopyChange) throws(StoreError) {
    let bytes = try state.thumbnails(of: change.added.compactMap { $0[0].integer })
    var whole: [CopiedRow] = []
    for row in change.added {
      let id = row[0].integer ?? 0
      if let bytes = bytes[id] {
        whole.append(row)
        change.thumbnails.append(bytes)
      } else if damaged.insert(id).inserted {
        teller.yield(.damagedThumbnail(imageID: id))
        progress.withLock { $0.missing += 1 }
      }
    }
    change.added = whole
  }
}
