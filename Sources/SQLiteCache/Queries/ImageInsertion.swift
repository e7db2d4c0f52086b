import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// Adds new images of one feed, for one transaction.
///
/// Statements of many rows add them (`Connection.insert`). When one fails, the whole transaction is rolled back; the
/// check of the feed is at the end of the transaction.
///
/// The ids are assigned here, because SQLite does not promise consecutive ids within a statement. They continue
/// SQLite's own sequence (sqlite.org/autoinc.html), so that no id is ever used twice.
struct ImageInsertion {
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
  mutating func insert(_ images: [NewImage]) throws -> [Int64] {
    if images.isEmpty { return [] }
    let first = try highestID() + 1
    let ids = images.indices.map { first + Int64($0) }
    let change = try change ?? ChangeLog.next(db)
    self.change = change
    var rows = NewRows(into: "image", Self.columns, count: images.count)
    for (id, image) in zip(ids, images) {
      append(image, to: &rows.values, id: id)
      rows.values.add(change)
    }
    try db.store.insert(rows)
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

  private static let columns = [
    "id", "feed_id", "position", "date", "published_at", "first_seen_at", "width", "height",
    "shape", "thumbnail_state", "is_entry_ambiguous", "entry_hash", "original_hash",
    "thumbnail_hash", "entry_id", "original_address", "thumbnail_address", "page_address",
    "title", "title_key", "author", "licence", "caption", "row_checksum",
    "declared_bytes", "change_seq",
  ]

  /// Appends the values in the order of the columns above, except for the last one.
  private func append(_ new: NewImage, to values: inout Values, id: Int64) {
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
    for text in [
      new.entryID?.text, fields.originalAddress, fields.thumbnailAddress, fields.pageAddress,
      fields.title, TitleKey.of(fields.title), fields.author, fields.licence, fields.caption,
    ] { values.add(text) }
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
