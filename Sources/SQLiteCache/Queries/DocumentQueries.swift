import GRDB
import Models

/// The statements that compare a document with a feed's stored images, for one transaction.
struct DocumentQueries {
  private let db: Database
  private let feedID: Int64
  private let byEntry: Statement
  private let byOriginal: Statement
  private let byThumbnail: Statement
  private let nextPlace: Statement

  init(feedID: Int64, _ db: Database) throws {
    self.db = db
    self.feedID = feedID
    let select = "SELECT \(StoredImage.columns) FROM image WHERE feed_id = ?"
    byEntry = try db.cachedStatement(sql: "\(select) AND entry_hash = ?")
    byOriginal = try db.cachedStatement(sql: "\(select) AND original_hash = ?")
    byThumbnail = try db.cachedStatement(sql: "\(select) AND thumbnail_hash = ? LIMIT 2")
    nextPlace = try db.cachedStatement(
      sql: """
        SELECT place FROM image WHERE feed_id = ? AND place > ? ORDER BY place LIMIT 1
        """
    )
  }

  /// The images with an entry's id, in their order.
  func images(entryID: EntryID) throws -> [StoredImage] {
    try images(byEntry, hash: entryID.hash).filter { $0.entryID == entryID.text }
  }

  /// The images with an original's address, in whatever spelling.
  func images(originalOf image: DocumentImage) throws -> [StoredImage] {
    try images(byOriginal, hash: image.originalHash).filter {
      DocumentImage.isSame($0.fields.originalAddress, image.fields.originalAddress)
    }
  }

  /// The one image without an entry id that has a thumbnail's address; nil when several share it,
  /// since such a thumbnail tells none apart.
  func image(thumbnailOf image: DocumentImage) throws -> StoredImage? {
    guard let hash = image.thumbnailHash else { return nil }
    let found = try images(byThumbnail, hash: hash)
    return found.count == 1 ? found.first : nil
  }

  func lowestPlace() throws -> Int64? { try place(above: .min) }

  func place(above place: Int64) throws -> Int64? {
    try Int64.fetchOne(nextPlace, arguments: [feedID, place])?.bounded
  }

  /// Whether the feed has images that only their address identifies.
  func hasImagesWithoutEntryID() throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM image WHERE feed_id = ? AND entry_hash IS NULL)"
    return try Bool.fetchOne(db, sql: sql, arguments: [feedID]) ?? false
  }

  /// The feed's images that a document does not have.
  func images(notIn seen: IDSet) throws -> [Int64] {
    let sql = "SELECT id FROM image WHERE feed_id = ?"
    return try Array(
      Int64.fetchCursor(db, sql: sql, arguments: [feedID]).filter { !seen.contains($0) }
    )
  }

  private func images(_ statement: Statement, hash: Int64) throws -> [StoredImage] {
    let rows = try Row.fetchCursor(statement, arguments: [feedID, hash])
    var images: [StoredImage] = []
    while let row = try rows.next() { images.append(try StoredImage(row)) }
    // Not in SQL: to save the sort, SQLite would walk the whole feed in its order.
    if images.count > 1 { images.sort { ($0.place, $0.id) < ($1.place, $1.id) } }
    return images
  }
}
