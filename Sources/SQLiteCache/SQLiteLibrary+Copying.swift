import FoundationEssentials
import GRDB
import LibraryFiles
import Models
package import Workers

extension SQLiteLibrary: LibraryCopying {
  /// - Throws: also when a row is not as it was written: it would be copied with a new checksum.
  package func withState(
    _ body: @escaping @Sendable (any LibraryState) throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await reading { db in
      for seal in RowSeal.all { try seal.checkAll(db) }
      try body(SQLiteState(db: db, library: self))
    }
  }

  package func beginCopy(of header: LibraryHeader) throws(StoreError) {
    takesUnfinishedCopy.withLock { $0 = true }
    try write { db in
      let sql = """
        SELECT uuid, change_seq, (SELECT count(*) FROM feed),
          (SELECT value FROM setting WHERE name = 'copied') FROM library
        """
      guard let row = try Row.fetchOne(db, sql: sql) else { throw DatabaseError() }
      let place = try CopyPlace(
        folder.path,
        library: row.value(0),
        feeds: row.value(2),
        isUnfinished: FileVersion(db) == .unfinished,
        number: row.value(1),
        copied: row[3]
      )
      try place.check(for: header)
      try db.execute(sql: "PRAGMA application_id = \(Schema.unfinishedID)")
      try db.execute(sql: "UPDATE library SET uuid = ?", arguments: [header.library])
    }
    // Rows come and go in an order of their own; the end looks at all of them.
    try setReferencesChecked(false)
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

  package func endCopy(of header: LibraryHeader) throws(StoreError) {
    try write { db in
      if let row = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") {
        let (table, parent): (String, String) = try (row.value(0), row.value(2))
        let message = "a row of \(table) refers to a row of \(parent) that is not there"
        throw StoreError(reason: .unsound, path: folder.database, message: message)
      }
      try CopyEnd.number(header, db)
      try CopyEnd.settleOriginals(db) { sha256, format in
        let path = folder.original(sha256: sha256, fileExtension: format)
        return FileSystem.size(of: path) != nil
      }
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    }
    try setReferencesChecked(true)
    takesUnfinishedCopy.withLock { $0 = false }
  }

  private func setReferencesChecked(_ areChecked: Bool) throws(StoreError) {
    let queue = try writeConnection.opened()
    try StoreError.catching(folder.database) {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA foreign_keys = \(areChecked ? "ON" : "OFF")")
      }
    }
  }
}

/// A library's rows, in one transaction.
private struct SQLiteState: LibraryState {
  let db: Database
  let library: SQLiteLibrary

  func header() throws(StoreError) -> LibraryHeader {
    try StoreError.catching(library.folder.database) {
      let sql = "SELECT uuid, epoch, change_seq, pruned_seq FROM library"
      guard let row = try Row.fetchOne(db, sql: sql) else { throw DatabaseError() }
      var lastIDs: [String: Int64] = [:]
      for table in CopiedTable.numbered {
        let last = "SELECT seq FROM sqlite_sequence WHERE name = ?"
        lastIDs[table] = try Int64.fetchOne(db, sql: last, arguments: [table]) ?? 0
      }
      return try LibraryHeader(
        library: row.value(0),
        epoch: row.value(1),
        number: row.value(2),
        prunedNumber: row.value(3),
        lastIDs: lastIDs
      )
    }
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
        limit: limit,
        sign: "?"
      )
      let arguments = StatementArguments(values.map(\.databaseValue))
      return try db.cachedStatement(sql: sql).rows(arguments) { row in
        table.columns.indices.map { CopiedValue(row[$0] as DatabaseValue) }
      }
    }
  }

  /// Where the columns of a table come from.
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
      let location = try StoreError.catching(library.folder.database) {
        try ThumbnailQueries.location(imageID: id, db)
      }
      if let location { thumbnails[id] = try library.packs.bytes(at: location) }
    }
    return thumbnails
  }
}

/// Changes rows of a table of a copy.
private struct CopyWriting {
  private let table: CopiedTable
  private let db: Database

  init(_ table: CopiedTable, _ db: Database) {
    self.table = table
    self.db = db
  }

  func remove(_ key: [CopiedValue]) throws {
    var tables: [(name: String, key: String)] = []
    switch table.name {
    case CopiedTable.image.name:
      if let id = key[0].integer { try SearchWriting.remove(id, db) }
    case CopiedTable.feed.name:
      tables = ["feed_schedule", "feed_retention", "feed_hub"].map { ($0, "feed_id") }
    case CopiedTable.original.name:
      tables = ["away_original", "put_original"].map { ($0, "original_id") }
    default: break
    }
    for table in tables { try delete(from: table.name, [table.key], key) }
    try delete(from: table.name, table.key, key)
  }

  private func delete(from table: String, _ columns: [String], _ key: [CopiedValue]) throws {
    let condition = columns.map { "\($0) = ?" }.joined(separator: " AND ")
    try db.cachedStatement(sql: "DELETE FROM \(table) WHERE \(condition)")
      .execute(with: StatementValues(key))
  }

  /// Adds a row; a thumbnail's with where its bytes are.
  func insert(_ row: CopiedRow, _ location: PackLocation?) throws {
    func value(_ column: String) -> CopiedValue { table.value(column, of: row) }
    let id = row[0].integer ?? 0
    switch table.name {
    case CopiedTable.feed.name:
      try insert(into: "feed", besides: Self.schedule + Self.retention + Self.hub, row)
      try RowSeal.feed.renew(id, db)
      try insert(Self.schedule.map(value), into: "feed_schedule", Self.schedule, of: id)
      let kept = ["images", "originals"]
      try insert(Self.retention.map(value), into: "feed_retention", kept, of: id)
      try insert(Self.hub.map(value), into: "feed_hub", Self.hub, of: id)
    case CopiedTable.image.name:
      try insert(into: "image", row)
      try RowSeal.image.renew(id, db)
      let fields = ImageFields(
        title: value("title").text,
        caption: value("caption").text,
        author: value("author").text,
        licence: nil,
        published: nil,
        pageAddress: nil,
        thumbnailAddress: nil,
        originalAddress: "",
        width: nil,
        height: nil
      )
      try SearchWriting(db).insert(id, fields, feedID: value("feed_id").integer ?? 0)
    case CopiedTable.original.name:
      try insert(into: "original", besides: ["put_at"], row)
      try RowSeal.original.renew(id, db)
      guard value("put_at") != .null else { return }
      let sql = "INSERT INTO put_original(original_id, put_at) VALUES (?, ?)"
      try db.cachedStatement(sql: sql).execute(with: StatementValues([row[0], value("put_at")]))
      try RowSeal.putOriginal.renew(id, db)
    case CopiedTable.imageOriginal.name:
      try insert(into: "image_original", row)
      try RowSeal.imageOriginal.renew(id, db)
    default:
      let place = location.map { place in
        [
          ("pack_id", place.packID), ("offset", Int64(place.offset)),
          ("checksum", place.checksum),
        ]
      }
      try insert(into: table.name, row, place ?? [])
    }
  }

  private static let schedule = [
    "given_interval", "due_at", "failures", "changes", "least_interval", "skipped_hours",
    "skipped_days",
  ]
  private static let retention = ["kept_images", "kept_originals"]
  private static let hub = ["hub", "topic"]

  /// Adds a part of a feed's row to a table of its own, unless nothing in it has been set.
  private func insert(
    _ values: [CopiedValue],
    into table: String,
    _ columns: [String],
    of feedID: Int64
  ) throws {
    let unset: Set<CopiedValue> = [.null, .integer(0), .text("")]
    if values.allSatisfy(unset.contains) { return }
    let parameters = columns.map { _ in ", ?" }.joined()
    let sql = """
      INSERT INTO \(table)(feed_id, \(columns.joined(separator: ", "))) VALUES (?\(parameters))
      """
    let row = [.integer(feedID)] + values
    try db.cachedStatement(sql: sql).execute(with: StatementValues(row))
  }

  private func insert(
    into name: String,
    besides others: [String] = [],
    _ row: CopiedRow,
    _ more: [(column: String, value: Int64)] = []
  ) throws {
    let indices = table.columns.indices.filter { !others.contains(table.columns[$0]) }
    let columns = indices.map { table.columns[$0] } + more.map(\.column)
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    let sql = "INSERT INTO \(name)(\(columns.joined(separator: ", "))) VALUES (\(parameters))"
    let values = indices.map { row[$0] } + more.map { .integer($0.value) }
    try db.cachedStatement(sql: sql).execute(with: StatementValues(values))
  }
}

/// What the end of a copy writes that no row of the other library has.
private enum CopyEnd {
  /// Goes on with the other library's ids and numbers.
  static func number(_ header: LibraryHeader, _ db: Database) throws {
    for (table, id) in header.lastIDs {
      let update = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?"
      try db.execute(sql: update, arguments: [id, table])
      if db.changesCount > 0 { continue }
      let insertion = "INSERT INTO sqlite_sequence(seq, name) VALUES (?, ?)"
      try db.execute(sql: insertion, arguments: [id, table])
    }
    let sql = """
      UPDATE library SET epoch = ?, change_seq = max(change_seq, ?), pruned_seq = ?
      """
    try db.execute(sql: sql, arguments: [header.epoch + 1, header.number, header.prunedNumber])
    let note = """
      INSERT OR REPLACE INTO setting(name, value) SELECT 'copied', change_seq FROM library
      """
    try db.execute(sql: note)
  }

  /// Notes of each original how it is used, and whether the object store alone has it.
  static func settleOriginals(
    _ db: Database,
    isHere: (_ sha256: String, _ fileExtension: String) -> Bool
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO original_use(original_id, used_at)
        SELECT original.id, coalesce(max(min(image.date, original.stored_at)), 0) FROM original
        LEFT JOIN image_original ON original_id = original.id
        LEFT JOIN image ON image.id = image_id
        WHERE original.id NOT IN (SELECT original_id FROM original_use) GROUP BY original.id
        """
    )
    // What an earlier copy noted need not hold any more.
    try db.execute(sql: "DELETE FROM away_original")
    let put = "SELECT id, sha256, format, bytes FROM original JOIN put_original ON original_id = id"
    let away = try db.cachedStatement(
      sql: "INSERT INTO away_original(original_id, bytes) VALUES (?, ?)"
    )
    let rows = try Row.fetchCursor(db, sql: put)
    while let row = try rows.next() {
      let format: String = try row.value(2)
      let fileExtension = ImageFormat(rawValue: format)?.fileExtension ?? format
      if try isHere(row.value(1), fileExtension) { continue }
      let (id, bytes): (Int64, Int64) = try (row.value(0), row.value(3))
      try away.execute(arguments: [id, bytes])
    }
  }
}

extension StatementValues {
  fileprivate init(_ row: [CopiedValue]) {
    self.init(count: row.count)
    for value in row {
      switch value {
      case .null: add(nil as Int64?)
      case .integer(let integer): add(integer)
      case .text(let text): add(text)
      case .bytes(let bytes): add(bytes)
      }
    }
  }
}

extension CopiedValue {
  /// A null character in a text is left out: not every store can keep one.
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null, .double: self = .null
    case .int64(let integer): self = .integer(integer)
    case .string(let text):
      self = .text(text.utf8.contains(0) ? text.replacing("\0", with: "") : text)
    case .blob(let data): self = .bytes(Array(data))
    }
  }

  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let integer): integer.databaseValue
    case .text(let text): text.databaseValue
    case .bytes(let bytes): Data(bytes).databaseValue
    }
  }
}
