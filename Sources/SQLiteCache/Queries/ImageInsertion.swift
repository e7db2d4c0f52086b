import GRDB
import Models
import Workers

/// Adds new images of one feed, for one transaction.
///
/// One statement adds many rows: each statement opens and closes all indexes of the table, which takes a quarter as
/// long as writing a row. SQLite usually copies a page before a statement first changes it, so that it can roll back
/// the statement alone. `OR FAIL`, with the check of the feed at the end of the transaction, avoids these copies
/// (sqlite.org/lang_conflict.html). When a statement fails, the whole transaction is rolled back.
///
/// The ids are assigned here, because SQLite does not promise consecutive ids within a statement. They continue
/// SQLite's own sequence (sqlite.org/autoinc.html), so that no id is ever used twice.
struct ImageInsertion {
  /// A statement for a number of rows.
  private struct Run {
    let length: Int
    let sql: String
  }

  /// The statements, the longest first.
  private static let runs = [64, 8, 1].map { Run(length: $0, sql: sql(rows: $0)) }

  private let db: Database
  private let feedID: Int64
  /// The date at which the images are first seen.
  private let now: Int64
  /// The highest id that any image has ever had; nil before it is looked up.
  private var lastID: Int64?
  /// The change number of the new rows; nil before it is looked up.
  private var change: Int64?

  init(feedID: Int64, now: Int64, _ db: Database) {
    self.db = db
    self.feedID = feedID
    self.now = now
  }

  /// Adds rows; returns their ids, in order.
  mutating func insert(_ rows: [NewImage]) throws -> [Int64] {
    var ids: [Int64] = []
    ids.reserveCapacity(rows.count)
    var rest = rows[...]
    while let run = Self.runs.first(where: { $0.length <= rest.count }) {
      ids += try insert(rest.prefix(run.length), run)
      rest = rest.dropFirst(run.length)
    }
    return ids
  }

  private mutating func insert(_ rows: ArraySlice<NewImage>, _ run: Run) throws -> [Int64] {
    let first = try highestID() + 1
    let ids = rows.indices.map { first + Int64($0 - rows.startIndex) }
    let change = try change ?? ChangeLog.next(db)
    self.change = change
    var values = StatementValues(count: rows.count * Self.columns.count)
    for (id, index) in zip(ids, rows.indices) {
      append(rows[index], to: &values, id: id)
      values.add(change)
    }
    try db.cachedStatement(sql: run.sql).execute(with: values)
    lastID = ids.last
    return ids
  }

  private mutating func highestID() throws -> Int64 {
    if let lastID { return lastID }
    let row = try Row.fetchOne(db.cachedStatement(sql: Self.highestIDSQL))
    let highest: Int64 = try row?.value(0) ?? 0
    // Only a damaged file has such a high id.
    guard highest == highest.bounded else {
      throw DatabaseError(message: "no id is left for a new image")
    }
    lastID = highest
    return highest
  }

  /// The highest id that was ever assigned, from SQLite's sequence and from the table.
  ///
  /// A file that was damaged, or recovered from its rows, may have lost the sequence.
  private static let highestIDSQL = """
    SELECT max(
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'image'), 0),
      coalesce((SELECT max(id) FROM image), 0)
    )
    """

  private static func sql(rows: Int) -> String {
    let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    let values = Array(repeating: row, count: rows).joined(separator: ", ")
    return "INSERT OR FAIL INTO image (\(columns.joined(separator: ", "))) VALUES \(values)"
  }

  private static let columns = [
    "id", "feed_id", "position", "date", "published_at", "first_seen_at", "width", "height",
    "shape", "thumbnail_state", "is_entry_ambiguous", "entry_hash", "original_hash",
    "thumbnail_hash", "entry_id", "original_address", "thumbnail_address", "page_address",
    "title", "title_key", "author", "licence", "caption", "row_checksum",
    "declared_bytes", "change_seq",
  ]

  /// Appends the values in the order of the columns above, except for the last one.
  private func append(_ new: NewImage, to values: inout StatementValues, id: Int64) {
    let (image, fields) = (new.image, new.image.fields)
    let state: ThumbnailState = fields.thumbnailAddress == nil ? .unmade : .wanted
    let thumbnailHash = new.entryID == nil ? image.thumbnailHash : nil
    values.add(id)
    values.add(feedID)
    values.add(new.position)
    values.add(fields.date(firstSeen: now))
    values.add(fields.published)
    values.add(now)
    values.add(fields.width)
    values.add(fields.height)
    values.add(fields.shape)
    values.add(state.rawValue)
    values.add(new.isAmbiguous)
    values.add(new.entryID?.hash)
    values.add(image.originalHash)
    values.add(thumbnailHash)
    values.add(new.entryID?.text)
    values.add(textsOf: fields)
    values.add(
      RowChecksum.ofImage(
        id: id,
        feedID: feedID,
        entry: new.entryID,
        image,
        thumbnailHash: thumbnailHash
      )
    )
    values.add(fields.bytes)
  }
}
