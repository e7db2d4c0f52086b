import Workers

/// Copies the rows of one state of a library.
struct RowCopying {
  let state: any LibraryState
  let target: any LibraryCopying
  let place: String
  let progress: Locked<MoveCounts>
  let teller: AsyncStream<MoveFact>.Continuation
  let isStopped: () -> Bool
  /// The images whose thumbnails are damaged.
  private(set) var damaged: Set<Int64> = []

  mutating func copy(_ table: CopiedTable) throws(StoreError) {
    if table.hasOtherKeys {
      try walk(table) { (copying, step) throws(StoreError) in
        try copying.bring(table, step, isRemoving: true)
      }
    }
    try walk(table) { (copying, step) throws(StoreError) in
      try copying.bring(table, step)
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

  /// Makes the rows of the copy equal to those of the library, or with `isRemoving` only removes those that differ.
  private mutating func bring(
    _ table: CopiedTable,
    _ step: Step,
    isRemoving: Bool = false
  ) throws(StoreError) {
    let (rows, there) = (step.rows, step.there)
    if rows == there { return }
    let wanted = Dictionary(rows.map { (table.key(of: $0), $0) }) { first, _ in first }
    let known = Dictionary(there.map { (table.key(of: $0), $0) }) { first, _ in first }
    var change = CopyChange(table)
    change.removed = known.filter { wanted[$0.key] != $0.value }.map(\.key)
    if !isRemoving {
      change.added = rows.filter { row in
        // While more rows of the copy follow, one that is not among these may be there.
        known[table.key(of: row)].map { $0 != row } ?? step.isLast
      }
    }
    if table == .thumbnail { try addThumbnails(to: &change) }
    if change.removed.isEmpty, change.added.isEmpty { return }
    try target.changeCopy(change)
    let changed = Set(change.removed + change.added.map(table.key))
    // What a removed row is replaced by is counted when it is added.
    let count = isRemoving ? changed.count { wanted[$0] == nil } : changed.count
    progress.withLock { $0.changedRows += count }
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
