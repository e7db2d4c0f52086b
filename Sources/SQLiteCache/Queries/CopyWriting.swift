import FoundationEssentials
import LibraryFiles
import Models
import Store
import Workers

/// Changes the rows of one table of a copy of another library.
struct CopyWriting {
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
      if let id = key[0].integer { try SearchWriting(db.store).remove(id) }
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

  /// Adds a row; the row of a thumbnail gets the location of its bytes.
  func insert(_ row: CopiedRow, _ location: PackLocation?) throws {
    let id = row[0].integer ?? 0
    switch table.name {
    case CopiedTable.feed.name: try insertFeed(row, id)
    case CopiedTable.image.name: try insertImage(row, id)
    case CopiedTable.original.name:
      try insert(into: "original", besides: ["put_at"], row)
      try RowSeal.original.renew(id, db.store)
      let date = table.value("put_at", of: row)
      guard date != .null else { return }
      let sql = "INSERT INTO put_original(original_id, put_at) VALUES (?, ?)"
      try db.cachedStatement(sql: sql).execute(with: StatementValues([row[0], date]))
      try RowSeal.putOriginal.renew(id, db.store)
    case CopiedTable.imageOriginal.name:
      try insert(into: "image_original", row)
      try RowSeal.imageOriginal.renew(id, db.store)
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

  private func insertFeed(_ row: CopiedRow, _ id: Int64) throws {
    func values(_ columns: [String]) -> [CopiedValue] { columns.map { table.value($0, of: row) } }
    try insert(into: "feed", besides: Self.schedule + Self.retention + Self.hub, row)
    try RowSeal.feed.renew(id, db.store)
    try insert(values(Self.schedule), into: "feed_schedule", Self.schedule, of: id)
    try insert(values(Self.retention), into: "feed_retention", ["images", "originals"], of: id)
    try insert(values(Self.hub), into: "feed_hub", Self.hub, of: id)
  }

  /// Adds an image with its words; only these fields are in the search index.
  private func insertImage(_ row: CopiedRow, _ id: Int64) throws {
    try insert(into: "image", row)
    try RowSeal.image.renew(id, db.store)
    let fields = ImageFields(
      title: table.value("title", of: row).text,
      caption: table.value("caption", of: row).text,
      author: table.value("author", of: row).text,
      licence: nil,
      published: nil,
      pageAddress: nil,
      thumbnailAddress: nil,
      originalAddress: "",
      width: nil,
      height: nil
    )
    let feedID = table.value("feed_id", of: row).integer ?? 0
    try SearchWriting(db.store).insert(id, fields, feedID: feedID)
  }

  private static let schedule = [
    "given_interval", "due_at", "failures", "changes", "least_interval", "skipped_hours",
    "skipped_days",
  ]
  private static let retention = ["kept_images", "kept_originals"]
  private static let hub = ["hub", "topic"]

  /// Adds a part of a feed's row to a separate table, unless none of its values has been set.
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

/// The values that the end of a copy writes and that no row of the other library has.
enum CopyEnd {
  /// Continues the ids and change numbers of the other library.
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
    try db.execute(
      sql: sql,
      arguments: [header.epoch.adding(1), header.number, header.prunedNumber]
    )
    let note = """
      INSERT OR REPLACE INTO setting(name, value) SELECT 'copied', change_seq FROM library
      """
    try db.execute(sql: note)
  }

  /// Makes the thumbnails wanted again that were damaged in the other library: the copy does not have them.
  static func wantMissingThumbnails(_ db: Database) throws {
    let (unmade, wanted) = (ThumbnailState.unmade.rawValue, ThumbnailState.wanted.rawValue)
    let (stored, made) = (ThumbnailState.stored.rawValue, ThumbnailState.made.rawValue)
    try db.execute(
      sql: """
        UPDATE image SET thumbnail_state = iif(thumbnail_address IS NULL, \(unmade), \(wanted))
        WHERE thumbnail_state IN (\(stored), \(made))
          AND NOT EXISTS (SELECT 1 FROM thumbnail WHERE image_id = image.id)
        """
    )
  }

  /// Records when each original was used, and which originals only the object store has.
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
    // The rows that an earlier copy wrote may be out of date.
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
