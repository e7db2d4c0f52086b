import GRDB
import Models
import Workers

/// Adds new images of one feed, for one transaction.
///
/// Many rows with one statement: each statement opens all indexes of the table and closes them again,
/// which takes a quarter as long as writing a row. With `OR FAIL`, and since the feed is looked for at the
/// end of the transaction, SQLite copies no page before the statement changes it, to be able to take the
/// statement back by itself (sqlite.org/lang_conflict.html): when it fails, the transaction is.
///
/// The ids are given here, and not by SQLite, which does not promise that those of one statement follow one
/// another; they go on where it would (sqlite.org/autoinc.html), so that none is ever used again.
struct ImageInsertion {
  /// A statement for a number of rows.
  private struct Run {
    let length: Int
    let sql: String
  }

  /// The longest comes first.
  private static let runs = [64, 8, 1].map { Run(length: $0, sql: sql(rows: $0)) }

  private let db: Database
  private let feedID: Int64
  /// When they are first seen.
  private let now: Int64
  /// The highest id that any image has ever had; nil before it was looked up.
  private var lastID: Int64?
  /// The number of their change; nil before it was looked up.
  private var change: Int64?

  init(feedID: Int64, now: Int64, _ db: Database) {
    self.db = db
    self.feedID = feedID
    self.now = now
  }

  /// Adds rows; answers with their ids, in their order.
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
    // Only a damaged file has come so far.
    guard highest == highest.bounded else {
      throw DatabaseError(message: "no id is left for a new image")
    }
    lastID = highest
    return highest
  }

  /// What is noted, and what is there: a file that was damaged, or put together from its rows, may have
  /// lost the note.
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

  /// In the order of the columns above, but for the last one.
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
