import Models
import Store
import Workers

/// The statements that compare a document with a feed's stored images, for one transaction.
struct DocumentQueries {
  private let db: Database
  private let feedID: Int64
  private let byEntry: Statement
  private let byOriginal: Statement
  private let byThumbnail: Statement
  private let nextPosition: Statement
  private let following: Statement

  init(feedID: Int64, _ db: Database) throws {
    self.db = db
    self.feedID = feedID
    let select = "SELECT \(StoredImage.columns) FROM image WHERE feed_id = ?"
    byEntry = try db.cachedStatement(sql: "\(select) AND entry_hash = ?")
    byOriginal = try db.cachedStatement(sql: "\(select) AND original_hash = ?")
    byThumbnail = try db.cachedStatement(sql: "\(select) AND thumbnail_hash = ? LIMIT 2")
    nextPosition = try db.cachedStatement(
      sql: """
        SELECT position FROM image WHERE feed_id = ? AND position > ? ORDER BY position LIMIT 1
        """
    )
    following = try db.cachedStatement(
      sql: """
        SELECT id, entry_id, original_hash FROM image INDEXED BY image_feed
        WHERE feed_id = ? AND position > ? ORDER BY position LIMIT ?
        """
    )
  }

  /// Looks up the stored images that an entry may be.
  func candidates(_ lookup: EntryLookup) throws -> EntryCandidates {
    var found = EntryCandidates()
    found.keys = lookup.keys
    if lookup.keys.contains(.entryID), let id = lookup.entryID {
      found.withEntryID = try images(entryID: id)
    }
    if lookup.keys.contains(.respelled), let id = lookup.entryID {
      found.withRespelledID = try id.respellings.flatMap(images(entryID:))
    }
    if lookup.keys.contains(.original) {
      found.withOriginal = try lookup.images.map(images)
    }
    if lookup.keys.contains(.thumbnail) {
      found.withThumbnail = try lookup.images.map(image)
    }
    return found
  }

  /// The images with an entry's id, in their order.
  private func images(entryID: EntryID) throws -> [StoredImage] {
    try images(byEntry, hash: entryID.hash).filter { image in
      if image.entryID == entryID.text { return true }
      try Self.check(image.id, has: entryID.hash, image.entryID.map(StableHash.of))
      return false
    }
  }

  /// The images with an original's address, in any spelling.
  private func images(originalOf image: DocumentImage) throws -> [StoredImage] {
    try images(byOriginal, hash: image.originalHash).filter { found in
      let address = found.fields.originalAddress
      if DocumentImage.isSame(address, image.fields.originalAddress) { return true }
      try Self.check(found.id, has: image.originalHash, DocumentImage.hash(ofAddress: address))
      return false
    }
  }

  /// The image without an entry id that has a thumbnail's address.
  ///
  /// Nil when several images share the address, because then it identifies none of them.
  private func image(thumbnailOf image: DocumentImage) throws -> StoredImage? {
    for hash in image.thumbnailHashes {
      let found = try images(byThumbnail, hash: hash)
      if !found.isEmpty { return found.count == 1 ? found.first : nil }
    }
    return nil
  }

  /// Throws when an index has a row under a wrong hash: the look-up would miss the image, and it would be added again.
  private static func check(_ id: Int64, has hash: Int64, _ real: Int64?) throws {
    if hash != real { throw UnsoundRow(message: "row \(id) of image is not as it was written") }
  }

  /// Throws when an image that is about to be added is stored already, but no index has found it.
  ///
  /// For each run of new images, this compares the stored images after the image before the run.
  func checkAreNew(_ added: [NewImage]) throws {
    var start = 0
    for end in 1...max(added.count, 1)
    where end >= added.count || !added[end].follows(added[end - 1]) {
      guard start < added.count else { return }
      try checkAreNew(added[start..<end], after: added[start].positionBefore)
      start = end
    }
  }

  private func checkAreNew(_ added: ArraySlice<NewImage>, after position: Int64?) throws {
    let hashes = Set(added.map(\.image.originalHash))
    let limit = added.count + Limits.neighboursLookedAt
    let rows = try Row.fetchCursor(following, arguments: [feedID, position ?? .min, limit])
    while let row = try rows.next() {
      let (entryID, hash): (String?, Int64) = try (row.value(1), row.value(2))
      guard hashes.contains(hash) else { continue }
      let id: Int64 = try row.value(0)
      for new in added where new.image.originalHash == hash && new.entryID?.text == entryID {
        throw UnsoundRow(message: "no index finds row \(id) of image by what it is looked up by")
      }
    }
  }

  /// The lowest position of an image of the feed; nil when the feed has no images.
  func lowestPosition() throws -> Int64? {
    if let position = try position(above: .min) { return position }
    let sql = "SELECT image_count FROM feed WHERE id = ?"
    guard try Int64.fetchOne(db, sql: sql, arguments: [feedID]) ?? 0 == 0 else {
      throw UnsoundRow(message: "no index finds the images of feed \(feedID)")
    }
    return nil
  }

  func position(above position: Int64) throws -> Int64? {
    try Int64.fetchOne(nextPosition, arguments: [feedID, position])?.bounded
  }

  /// Whether the feed has images that only their address identifies.
  func hasImagesWithoutEntryID() throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM image WHERE feed_id = ? AND entry_hash IS NULL)"
    return try Bool.fetchOne(db, sql: sql, arguments: [feedID]) ?? false
  }

  /// The feed's images that a document does not have and that are not marked as gone.
  func images(missingFrom seen: IDSet) throws -> [Int64] {
    let isListed = try db.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM image WHERE id = ? AND is_gone = 0)"
    )
    // The index does not contain `is_gone`, so it is looked up only for missing images.
    let ids = try Int64.fetchCursor(
      db,
      sql: "SELECT id FROM image WHERE feed_id = ?",
      arguments: [feedID]
    )
    return try Array(ids.filter { !seen.contains($0) })
      .filter { try Bool.fetchOne(isListed, arguments: [$0]) == true }
  }

  static func markGone(_ id: Int64, _ db: Database) throws {
    let sql = "UPDATE image SET is_gone = 1, change_seq = \(ChangeLog.next) WHERE id = ?"
    try db.cachedStatement(sql: sql).execute(arguments: [id])
  }

  private func images(_ statement: Statement, hash: Int64) throws -> [StoredImage] {
    let rows = try Row.fetchCursor(statement, arguments: [feedID, hash])
    var images: [StoredImage] = []
    while let row = try rows.next() { images.append(try StoredImage(row)) }
    // Sorted here and not in SQL: to avoid the sort, SQLite would walk the whole feed in its order.
    if images.count > 1 { images.sort { ($0.position, $0.id) < ($1.position, $1.id) } }
    return images
  }
}

extension NewImage {
  /// Whether it comes right after another new image.
  fileprivate func follows(_ other: NewImage) -> Bool { positionBefore == other.position }
}

extension StoredImage {
  static let columns = """
    id, position, first_seen_at, is_gone, is_entry_ambiguous, thumbnail_state, original_state,
    entry_id, original_hash, title, caption, author, licence, published_at,
    page_address, thumbnail_address, original_address, width, height,
    thumbnail_check_at, original_check_at, declared_bytes
    """

  init(_ row: Row) throws {
    let thumbnail = try ThumbnailState(rawValue: row.value(5)) ?? .wanted
    let original = try OriginalState(rawValue: row.value(6)) ?? .missing
    let (thumbnailCheck, originalCheck): (Int64?, Int64?) = try (row.value(19), row.value(20))
    self.init(
      id: try row.value(0),
      position: try row.bounded(1),
      firstSeen: try row.value(2),
      isGone: try row.value(3),
      isAmbiguous: try row.value(4),
      isUnasked: thumbnail.isRight && thumbnailCheck == nil
        || original.isStored && originalCheck == nil,
      hasThumbnail: thumbnail.isRight,
      hasOriginal: original == .stored,
      entryID: try row.value(7),
      originalHash: try row.value(8),
      fields: try ImageFields(row)
    )
  }
}

extension ImageFields {
  /// Reads the fields, from the tenth column of `StoredImage.columns` on.
  fileprivate init(_ row: Row) throws {
    self.init(
      title: try row.value(9),
      caption: try row.value(10),
      author: try row.value(11),
      licence: try row.value(12),
      published: try row.value(13),
      pageAddress: try row.value(14),
      thumbnailAddress: try row.value(15),
      originalAddress: try row.value(16),
      width: try row.value(17),
      height: try row.value(18)
    )
    bytes = try row.value(21)
  }
}
