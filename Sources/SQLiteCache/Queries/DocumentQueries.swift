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
  private let following: Statement

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
    following = try db.cachedStatement(
      sql: """
        SELECT id, entry_id, original_hash FROM image INDEXED BY image_feed
        WHERE feed_id = ? AND place > ? ORDER BY place LIMIT ?
        """
    )
  }

  /// The images with an entry's id, in their order.
  func images(entryID: EntryID) throws -> [StoredImage] {
    try images(byEntry, hash: entryID.hash).filter { image in
      if image.entryID == entryID.text { return true }
      try Self.check(image.id, has: entryID.hash, image.entryID.map(StableHash.of))
      return false
    }
  }

  /// The images with an original's address, in whatever spelling.
  func images(originalOf image: DocumentImage) throws -> [StoredImage] {
    try images(byOriginal, hash: image.originalHash).filter { found in
      let address = found.fields.originalAddress
      if DocumentImage.isSame(address, image.fields.originalAddress) { return true }
      try Self.check(found.id, has: image.originalHash, DocumentImage.hash(ofAddress: address))
      return false
    }
  }

  /// The one image without an entry id that has a thumbnail's address; nil when several share it,
  /// since such a thumbnail tells none apart.
  func image(thumbnailOf image: DocumentImage) throws -> StoredImage? {
    guard let hash = image.thumbnailHash else { return nil }
    let found = try images(byThumbnail, hash: hash)
    return found.count == 1 ? found.first : nil
  }

  /// Throws when an index has a row under a hash that is not its text's: what looked for it would be
  /// added again.
  private static func check(_ id: Int64, has hash: Int64, _ real: Int64?) throws {
    if hash != real { throw UnsoundRow(message: "row \(id) of image is not as it was written") }
  }

  /// Throws when a stored image is one that is about to be added: no index has found it.
  ///
  /// - Parameters:
  ///   - fresh: Images that follow one another in a document.
  ///   - place: That of the image before them.
  ///   - seen: The images that were found.
  /// - Throws: when the feed is stored with one of them between its neighbours.
  func checkAreNew(
    _ fresh: ArraySlice<RunItem>,
    after place: Int64?,
    seen: IDSet
  ) throws {
    let hashes = Set(fresh.map(\.image.originalHash))
    let limit = fresh.count + Limits.neighboursLookedAt
    let rows = try Row.fetchCursor(following, arguments: [feedID, place ?? .min, limit])
    while let row = try rows.next() {
      let id: Int64 = try row.value(0)
      if seen.contains(id) { return }
      let (entryID, hash): (String?, Int64) = try (row.value(1), row.value(2))
      guard hashes.contains(hash) else { continue }
      for item in fresh where item.image.originalHash == hash && item.entryID?.text == entryID {
        throw UnsoundRow(message: "no index finds row \(id) of image by what it is looked up by")
      }
    }
  }

  /// Nil when the feed has no images.
  func lowestPlace() throws -> Int64? {
    if let place = try place(above: .min) { return place }
    let sql = "SELECT image_count FROM feed WHERE id = ?"
    guard try Int64.fetchOne(db, sql: sql, arguments: [feedID]) ?? 0 == 0 else {
      throw UnsoundRow(message: "no index finds the images of feed \(feedID)")
    }
    return nil
  }

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
