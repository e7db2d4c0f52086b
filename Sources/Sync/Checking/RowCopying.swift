import Workers

/// Copies the rows of one state of a library.
struct RowCopying {
  let state: any LibraryState
  let target: any LibraryCopying
  let place: String
  let progress: Locked<MoveCounts>
  let teller: AsyncStream<MoveFact>.Continuation
  let isStopped: () -> Bool
  /// Whether the thumbnails that the copy has are read, so that damaged ones are copied again.
  let readsAll: Bool
  /// The images whose thumbnails are damaged, and which the copy therefore lacks.
  private var damaged: Set<Int64> = []
  /// The images whose thumbnails are damaged in the library, and were reported.
  private var reported: Set<Int64> = []
  /// The hashes of the originals that the copy had, and that the library has no longer.
  private(set) var removedOriginals: Set<String> = []
  /// The images whose thumbnails the copy had, in files that are missing or cut.
  private var lost: Set<Int64> = []

  init(
    state: any LibraryState,
    target: any LibraryCopying,
    place: String,
    progress: Locked<MoveCounts>,
    teller: AsyncStream<MoveFact>.Continuation,
    isStopped: @escaping () -> Bool,
    readsAll: Bool
  ) {
    self.state = state
    self.target = target
    self.place = place
    self.progress = progress
    self.teller = teller
    self.isStopped = isStopped
    self.readsAll = readsAll
  }

  mutating func copy(_ table: CopiedTable) throws(StoreError) {
    if table == .thumbnail {
      var lost: Set<Int64> = []
      try target.withCopy { (copy) throws(StoreError) in lost = try copy.lostThumbnails() }
      self.lost = lost
    }
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
    let unsound = table == .thumbnail ? try unsoundThumbnails(there) : []
    if rows == there, unsound.isEmpty { return }
    func isSame(_ row: CopiedRow, _ other: CopiedRow?) -> Bool {
      row == other && (unsound.isEmpty || !unsound.contains(row[0].integer ?? 0))
    }
    let wanted = Dictionary(rows.map { (table.key(of: $0), $0) }) { first, _ in first }
    let known = Dictionary(there.map { (table.key(of: $0), $0) }) { first, _ in first }
    var change = CopyChange(table)
    change.removed = known.filter { !isSame($0.value, wanted[$0.key]) }.map(\.key)
    if !isRemoving {
      change.added = rows.filter { row in
        // While more rows of the copy follow, one that is not among these may be there.
        known[table.key(of: row)].map { !isSame(row, $0) } ?? step.isLast
      }
    }
    if table == .thumbnail { try addThumbnails(to: &change) }
    if table.name == CopiedTable.original.name { noteOriginals(of: change, known, table) }
    if change.removed.isEmpty, change.added.isEmpty { return }
    try target.changeCopy(change)
    lost.subtract(unsound)
    // A thumbnail that has changed in the library does not have the hash that its image has by now, and is not damaged.
    let renewed = change.added.count {
      unsound.contains($0[0].integer ?? 0) && known[table.key(of: $0)] == $0
    }
    progress.withLock { $0.renewed += renewed }
    let changed = Set(change.removed + change.added.map(table.key))
    // What a removed row is replaced by is counted when it is added.
    let count = isRemoving ? changed.count { wanted[$0] == nil } : changed.count
    progress.withLock { $0.changedRows += count }
  }

  /// Notes which originals go from the copy; one that was fetched again has another row.
  private mutating func noteOriginals(
    of change: CopyChange,
    _ known: [[CopiedValue]: CopiedRow],
    _ table: CopiedTable
  ) {
    func hash(_ row: CopiedRow) -> String? { table.value("sha256", of: row).text }
    removedOriginals.formUnion(change.removed.compactMap { known[$0].flatMap(hash) })
    if !removedOriginals.isEmpty { removedOriginals.subtract(change.added.compactMap(hash)) }
  }

  /// The images of rows of the copy whose thumbnails are damaged or lost there.
  private func unsoundThumbnails(_ rows: [CopiedRow]) throws(StoreError) -> Set<Int64> {
    guard readsAll || !lost.isEmpty else { return [] }
    let ids = rows.compactMap { $0[0].integer }
    guard readsAll else { return lost.intersection(ids) }
    return Set(ids).subtracting(try thumbnailsThere(ids).keys)
  }

  /// The thumbnails that the copy has, as its images name them.
  private func thumbnailsThere(_ imageIDs: [Int64]) throws(StoreError) -> [Int64: [UInt8]] {
    var bytes: [Int64: [UInt8]] = [:]
    try target.withCopy { (copy) throws(StoreError) in
      bytes = try copy.thumbnails(of: imageIDs)
    }
    return bytes
  }

  /// Adds the bytes of thumbnails, and leaves out the rows of those that the copy then lacks.
  ///
  /// If the library's thumbnail is damaged, the copy keeps the one that it has, provided that it is the same.
  private mutating func addThumbnails(to change: inout CopyChange) throws(StoreError) {
    let ids = change.added.compactMap { $0[0].integer }
    let bytes = try state.thumbnails(of: ids)
    let unsound = ids.filter { bytes[$0] == nil }
    let kept = unsound.isEmpty ? [:] : try thumbnailsThere(unsound)
    var whole: [CopiedRow] = []
    for row in change.added {
      let id = row[0].integer ?? 0
      if let found = bytes[id] ?? kept[id] {
        whole.append(row)
        change.thumbnails.append(found)
      } else {
        damaged.insert(id)
      }
      guard bytes[id] == nil, reported.insert(id).inserted else { continue }
      teller.yield(.damagedThumbnail(imageID: id))
      progress.withLock { $0.missing += 1 }
    }
    change.added = whole
  }
}
