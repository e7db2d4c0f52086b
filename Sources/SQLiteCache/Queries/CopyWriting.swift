import LibraryFiles
import Models
import Store
import Workers

/// Changes the rows of one table of a copy of another library.
struct CopyWriting {
  private let table: CopiedTable
  private let db: Connection

  init(_ table: CopiedTable, _ db: Connection) {
    self.table = table
    self.db = db
  }

  func remove(_ key: [CopiedValue]) throws {
    var tables: [(name: String, key: String)] = []
    switch table.name {
    case CopiedTable.image.name:
      if let id = key[0].integer { try SearchWriting(db).remove(id) }
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
    try db.forEachRow("DELETE FROM \(table) WHERE \(condition)", with: Values(key)) { _ in true }
  }

  /// Adds a row; the row of a thumbnail gets the location of its bytes.
  func insert(_ row: CopiedRow, _ location: PackLocation?) throws {
    let id = row[0].integer ?? 0
    switch table.name {
    case CopiedTable.feed.name: try insertFeed(row, id)
    case CopiedTable.image.name: try insertImage(row, id)
    case CopiedTable.original.name:
      try insert(into: "original", besides: ["put_at"], row)
      try RowSeal.original.renew(id, db)
      let date = table.value("put_at", of: row)
      guard date != .null else { return }
      let sql = "INSERT INTO put_original(original_id, put_at) VALUES ($1, $2)"
      try db.run(sql, row[0], date)
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

  private func insertFeed(_ row: CopiedRow, _ id: Int64) throws {
    func values(_ columns: [String]) -> [CopiedValue] { columns.map { table.value($0, of: row) } }
    try insert(into: "feed", besides: Self.schedule + Self.retention + Self.hub, row)
    try RowSeal.feed.renew(id, db)
    try insert(values(Self.schedule), into: "feed_schedule", Self.schedule, of: id)
    try insert(values(Self.retention), into: "feed_retention", ["images", "originals"], of: id)
    try insert(values(Self.hub), into: "feed_hub", Self.hub, of: id)
  }

  /// Adds an image with its words; only these fields are in the search index.
  private func insertImage(_ row: CopiedRow, _ id: Int64) throws {
    try insert(into: "image", row)
    try RowSeal.image.renew(id, db)
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
    try SearchWriting(db).insert(id, fields, feedID: feedID)
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
    let row: [CopiedValue] = [.integer(feedID)] + values
    try db.forEachRow(sql, with: Values(row)) { _ in true }
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
    try db.forEachRow(sql, with: Values(values)) { _ in true }
  }
}

/// The values that the end of a copy writes and that no row of the other library has.
enum CopyEnd {
  /// Continues the ids and change numbers of the other library.
  static func number(_ header: LibraryHeader, _ db: Connection) throws {
    for (table, id) in header.lastIDs {
      let update = "UPDATE sqlite_sequence SET seq = max(seq, $1) WHERE name = $2"
      if try db.run(update, id, table) > 0 { continue }
      try db.run("INSERT INTO sqlite_sequence(seq, name) VALUES ($1, $2)", id, table)
    }
    let sql = """
      UPDATE library SET epoch = $1, change_seq = max(change_seq, $2), pruned_seq = $3
      """
    try db.run(sql, header.epoch.adding(1), header.number, header.prunedNumber)
  }

  /// Records when each original was used, and which originals only the object store has.
  static func settleOriginals(
    _ db: Connection,
    isHere: (_ sha256: String, _ fileExtension: String) -> Bool
  ) throws {
    try db.run(
      """
      INSERT INTO original_use(original_id, used_at)
      SELECT original.id, coalesce(max(min(image.date, original.stored_at)), 0) FROM original
      LEFT JOIN image_original ON original_id = original.id
      LEFT JOIN image ON image.id = image_id
      WHERE original.id NOT IN (SELECT original_id FROM original_use) GROUP BY original.id
      """
    )
    // The rows that an earlier copy wrote may be out of date.
    try db.run("DELETE FROM away_original")
    let put = "SELECT id, sha256, format, bytes FROM original JOIN put_original ON original_id = id"
    try db.forEachRow(put, with: Values()) { row in
      let format: String = try row.value(2)
      let fileExtension = ImageFormat(rawValue: format)?.fileExtension ?? format
      if try isHere(row.value(1), fileExtension) { return true }
      let (id, bytes): (Int64, Int64) = try (row.value(0), row.value(3))
      try db.run("INSERT INTO away_original(original_id, bytes) VALUES ($1, $2)", id, bytes)
      return true
    }
  }
}
