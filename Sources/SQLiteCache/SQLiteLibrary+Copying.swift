import FoundationEssentials
import LibraryFiles
import Models
import Store
package import Workers

extension SQLiteLibrary: LibraryCopying {
  /// - Throws: also when the checksum of a row is wrong, since the row would be copied with a new one.
  package func withState(
    _ body: @escaping @Sendable (any LibraryState) throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await reading { db in
      for seal in RowSeal.all { try seal.checkAll(db) }
      try body(SQLiteState(db: db, library: self))
    }
  }

  package func beginCopy(
    of header: LibraryHeader,
    for purpose: CopyPurpose
  ) throws(StoreError) {
    abandonCopy()
    writesCopies.withLock { $0 = true }
    _ = try writeConnection.opened()
    try lockCopy()
    // Rows are not changed in the order of their references. `endCopy` checks all references.
    try setReferencesChecked(false)
    try onWriteConnection { db in try db.begin(.writing) }
    do throws(StoreError) {
      let isWhole = try write { db in try self.take(header, purpose, db) }
      if !isWhole { try onWriteConnection { db in try db.commit() } }
    } catch {
      abandonCopy()
      throw error
    }
  }

  /// Takes the identity of the library that is copied; returns whether this is a complete copy of it already.
  private func take(
    _ header: LibraryHeader,
    _ purpose: CopyPurpose,
    _ db: Connection
  ) throws -> Bool {
    let sql = """
      SELECT uuid, change_seq, (SELECT count(*) FROM feed),
        (SELECT value FROM setting WHERE name = 'copied'),
        (SELECT count(*) FROM feed WHERE NOT is_removed) FROM library
      """
    let (isUnfinished, isBackup) = (
      try FileVersion(db) == .unfinished, try CopyNotes.isBackup(db)
    )
    let found = try db.row(sql) { row in
      let place = try CopyPlace(
        folder.path,
        library: row.value(0),
        feeds: row.value(2),
        followed: row.value(4),
        isUnfinished: isUnfinished,
        isBackup: isBackup,
        number: row.value(1),
        copied: row.value(3)
      )
      return (place: place, library: try row.value(0) as String)
    }
    guard let found else { throw UnexpectedAnswer("the library has no row") }
    try found.place.check(for: header, purpose)
    if !found.place.isWhole { try Self.setUnfinished(db) }
    if found.library != header.library {
      try KeyNames.forget(db, in: folder, unlessOf: header.library)
    }
    try db.run("UPDATE library SET uuid = $1", header.library)
    return found.place.isWhole
  }

  private static func setUnfinished(_ db: Connection) throws {
    try db.execute("PRAGMA application_id = \(Schema.unfinishedID)")
  }

  private func onWriteConnection<Result>(
    _ body: (Connection) throws -> Result
  ) throws(StoreError) -> Result {
    let connection = try writeConnection.opened()
    return try StoreError.catching(folder.database) { try connection.use(body) }
  }

  package func withCopy(
    _ body: (any LibraryState) throws(StoreError) -> Void
  ) throws(StoreError) {
    try readWritten { db in try body(SQLiteState(db: db, library: self)) }
  }

  package func changeCopy(_ change: CopyChange) throws(StoreError) {
    try pack(change.thumbnails) { db, locations in
      let writing = CopyWriting(change.table, db)
      for key in change.removed { try writing.remove(key) }
      for (index, row) in change.added.enumerated() {
        try writing.insert(row, locations.isEmpty ? nil : locations[index])
      }
    }
  }

  package func endCopy(of header: LibraryHeader, for purpose: CopyPurpose) throws(StoreError) {
    try write { db in
      if let fault = try VerificationQueries.danglingRows(limit: 1, db).first {
        throw StoreError(reason: .unsound, path: folder.database, message: fault)
      }
      try CopyEnd.number(header, db)
      try ThumbnailWriting.wantMissing(db)
      try CopyEnd.settleOriginals(db) { sha256, format in
        let path = folder.original(sha256: sha256, fileExtension: format)
        return FileSystem.size(of: path) != nil
      }
      let number: Int64? = try db.value("SELECT change_seq FROM library")
      try CopyNotes.set(purpose, number: number ?? 0, db)
      try db.execute("PRAGMA application_id = \(Schema.applicationID)")
    }
    try onWriteConnection { db in if db.sqlite.isInTransaction { try db.commit() } }
    finishCopy()
  }

  package func abandonCopy() {
    // The connection may not have been opened, or its transaction has ended with the error.
    if writeConnection.isOpen { try? onWriteConnection { db in try db.rollBack() } }
    // The rows that name the last bytes of a pack are gone, so its end is looked up again.
    openPack.withLock { $0 = nil }
    finishCopy()
  }

  private func finishCopy() {
    if writeConnection.isOpen { try? setReferencesChecked(true) }
    writesCopies.withLock { $0 = false }
    copyLock.withLock { $0 = nil }
  }

  package func isBackup() async throws(StoreError) -> Bool {
    try await reading(.short, orNone: false, CopyNotes.isBackup)
  }

  /// Whether the library in a folder is a backup, for a message about it; false when it cannot be read.
  ///
  /// It reads the file on this thread, with a connection of its own, and makes nothing.
  package static func isBackup(inFolder path: String) -> Bool {
    let folder = LibraryFolder(path)
    do {
      let connection = try LazyConnection { () throws(StoreError) in
        try ReadConnection.open(folder)
      }.opened()
      return try connection.use(CopyNotes.isBackup)
    } catch {
      return false
    }
  }

  /// Keeps other programs from copying to this library until the copy is complete or this process ends.
  private func lockCopy() throws(StoreError) {
    if copyLock.withLock({ $0 != nil }) { return }
    try makeLocks()
    guard let lock = try FileLock.take(folder.copyLock) else {
      throw StoreError(reason: .busy, path: folder.path, message: "another program copies to it")
    }
    copyLock.withLock { $0 = lock }
  }

  func setReferencesChecked(_ areChecked: Bool) throws(StoreError) {
    try onWriteConnection { db in
      try db.execute("PRAGMA foreign_keys = \(areChecked ? "ON" : "OFF")")
    }
  }
}

/// The rows of a library, in one transaction.
private struct SQLiteState: LibraryState {
  let db: Connection
  let library: SQLiteLibrary

  func header() throws(StoreError) -> LibraryHeader {
    try StoreError.catching(library.folder.database) { try CopyNotes.header(db) }
  }

  func rows(
    of table: CopiedTable,
    after: [CopiedValue]?,
    through last: [CopiedValue]?,
    limit: Int
  ) throws(StoreError) -> [CopiedRow] {
    try StoreError.catching(library.folder.database) {
      let (sql, values) = table.selection(
        from: Self.source(of: table),
        after: after,
        through: last,
        limit: limit
      )
      return try db.rows(sql, with: values) { row in
        table.withPresentTitleKey(table.columns.indices.map { CopiedValue(row, Int32($0)) })
      }
    }
  }

  /// The SQL of the source of a table's columns.
  private static func source(of table: CopiedTable) -> String {
    switch table {
    case .feed:
      """
      (SELECT feed.*, hub, topic, given_interval, due_at, coalesce(failures, 0) AS failures,
        coalesce(changes, '') AS changes, coalesce(least_interval, 0) AS least_interval,
        coalesce(skipped_hours, 0) AS skipped_hours, coalesce(skipped_days, 0) AS skipped_days,
        images AS kept_images, originals AS kept_originals
      FROM feed LEFT JOIN feed_schedule AS schedule ON schedule.feed_id = feed.id
        LEFT JOIN feed_retention AS retention ON retention.feed_id = feed.id
        LEFT JOIN feed_hub AS named ON named.feed_id = feed.id) AS feed
      """
    case .original:
      """
      (SELECT original.*, put_at FROM original
        LEFT JOIN put_original ON original_id = id) AS original
      """
    case .setting: "(SELECT * FROM setting WHERE name = 'objects') AS setting"
    default: table.name
    }
  }

  func thumbnails(of imageIDs: [Int64]) throws(StoreError) -> [Int64: [UInt8]] {
    var thumbnails: [Int64: [UInt8]] = [:]
    for id in imageIDs {
      let place = try StoreError.catching(library.folder.database) {
        try ThumbnailQueries.place(imageID: id, db)
      }
      guard let place, let bytes = try library.packs.bytes(at: place.location) else { continue }
      let path = library.folder.thumbnails
      if let hash = place.hash, try SHA256.digest(of: bytes, path: path) != hash { continue }
      thumbnails[id] = bytes
    }
    return thumbnails
  }

  func lostThumbnails() throws(StoreError) -> Set<Int64> {
    try StoreError.catching(library.folder.database) {
      var (lost, lengths) = (Set<Int64>(), [Int64: Int]())
      let sql = "SELECT image_id, \(PackLocation.columns) FROM thumbnail ORDER BY image_id"
      try db.forEachRow(sql, with: Values()) { row in
        let place = try PackLocation(row, at: 1)
        let length = try lengths[place.packID] ?? library.folder.length(ofPack: place.packID)
        lengths[place.packID] = length
        if place.offset < 0 || place.range.upperBound > length { lost.insert(try row.value(0)) }
        return true
      }
      return lost
    }
  }

  func imageIDs() throws(StoreError) -> (listed: [Int64], retired: [Int64]) {
    try StoreError.catching(library.folder.database) { try CopyNotes.imageIDs(db) }
  }

  func pictureFolders() throws(StoreError) -> [PictureFolderCount] {
    try StoreError.catching(library.folder.database) { try FolderQueries.counts(db) }
  }
}

extension LibraryFolder {
  /// The length of a pack in bytes; -1 when there is no such file.
  fileprivate func length(ofPack id: Int64) throws(StoreError) -> Int {
    if case .file(let bytes) = try FileSystem.kind(of: pack(id)) { bytes } else { -1 }
  }
}

extension CopiedValue {
  /// Leaves null characters out of texts, since not every store can keep them.
  fileprivate init(_ row: Row, _ column: Int32) {
    if let integer = Int64(row, column) {
      self = .integer(integer)
    } else if let text = String(row, column) {
      self = .text(text.utf8.contains(0) ? text.escaping("\0", as: "") : text)
    } else if let bytes = Bytes(row, column) {
      self = .bytes(bytes.bytes)
    } else {
      self = .null
    }
  }
}
