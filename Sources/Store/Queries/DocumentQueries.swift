import Models
package import Workers

/// The SQL that compares a document with a feed's stored images, for one transaction.
package struct DocumentQueries {
  let feedID: Int64
  let db: Connection

  package init(feedID: Int64, _ db: Connection) { (self.feedID, self.db) = (feedID, db) }

  // MARK: Candidates

  /// What entries are looked up by: the hashes in a column of images.
  package enum Key: CaseIterable, Sendable {
    case entry
    case original
    case thumbnail

    fileprivate var column: String {
      switch self {
      case .entry: "entry_hash"
      case .original: "original_hash"
      case .thumbnail: "thumbnail_hash"
      }
    }

    private static let statements = Dictionary(
      uniqueKeysWithValues: allCases.map { key in (key, EachDialect { statement(key, $0) }) }
    )

    /// The statement that finds the images of the feed `$1`: in SQLite for the hash `$2`, and in PostgreSQL for a list
    /// of hashes, with the hash of each image as the last column.
    package func sql(_ dialect: Dialect) -> String { Self.statements[self]?[dialect] ?? "" }

    private static func statement(_ key: Key, _ dialect: Dialect) -> String {
      let images = "FROM image WHERE feed_id = $1 AND \(key.column)"
      switch dialect {
      case .sqlite:
        // Of many images with the address of one thumbnail, two suffice: it identifies none of them.
        let limit = key == .thumbnail ? " LIMIT 2" : ""
        return "SELECT \(StoredImage.columns) \(images) = $2\(limit)"
      case .postgres:
        return """
          SELECT \(StoredImage.columns), \(key.column) \(images) \(dialect.ids(2))
          ORDER BY position, id
          """
      }
    }
  }

  /// Finds the images with a hash, in the order of the feed.
  private typealias Finder = (Key, _ hash: Int64) throws -> [StoredImage]

  /// Looks up the stored images that entries may be.
  package func candidates(_ lookups: [EntryLookup]) throws -> [EntryCandidates] {
    let found = try finder(for: lookups)
    return try lookups.map { lookup in try candidates(lookup, found) }
  }

  private func candidates(_ lookup: EntryLookup, _ found: Finder) throws -> EntryCandidates {
    var candidates = EntryCandidates()
    candidates.keys = lookup.keys
    if lookup.keys.contains(.entryID), let id = lookup.entryID {
      candidates.withEntryID = try images(entryID: id, found)
    }
    if lookup.keys.contains(.respelled), let id = lookup.entryID {
      candidates.withRespelledID = try id.respellings.flatMap { try images(entryID: $0, found) }
    }
    if lookup.keys.contains(.original) {
      candidates.withOriginal = try lookup.images.map { try images(originalOf: $0, found) }
    }
    if lookup.keys.contains(.thumbnail) {
      candidates.withThumbnail = try lookup.images.map { try image(thumbnailOf: $0, found) }
    }
    return candidates
  }

  /// The images with an entry's id, in their order.
  private func images(entryID: EntryID, _ found: Finder) throws -> [StoredImage] {
    try found(.entry, entryID.hash).filter { image in
      if image.entryID == entryID.text { return true }
      try check(image.id, has: entryID.hash, image.entryID.map(StableHash.of))
      return false
    }
  }

  /// The images with an original's address, in any spelling.
  private func images(originalOf image: DocumentImage, _ found: Finder) throws -> [StoredImage] {
    try found(.original, image.originalHash).filter { found in
      let address = found.fields.originalAddress
      if DocumentImage.isSame(address, image.fields.originalAddress) { return true }
      try check(found.id, has: image.originalHash, DocumentImage.hash(ofAddress: address))
      return false
    }
  }

  /// The image without an entry id that has a thumbnail's address.
  ///
  /// Nil when several images share the address, because then it identifies none of them.
  private func image(thumbnailOf image: DocumentImage, _ found: Finder) throws -> StoredImage? {
    for hash in image.thumbnailHashes {
      let images = try found(.thumbnail, hash)
      if !images.isEmpty { return images.count == 1 ? images.first : nil }
    }
    return nil
  }

  /// Finds images by one statement for each hash in SQLite, and for each key in PostgreSQL, whose server answers as many
  /// hashes in the time of one.
  private func finder(for lookups: [EntryLookup]) throws -> Finder {
    if case .sqlite = db.dialect { return { key, hash in try images(key, hash) } }
    var found: [Key: [Int64: [StoredImage]]] = [:]
    for key in Key.allCases { found[key] = try images(key, Set(lookups.flatMap(key.hashes))) }
    return { [found] key, hash in found[key]?[hash] ?? [] }
  }

  private func images(_ key: Key, _ hash: Int64) throws -> [StoredImage] {
    var images = try db.rows(key.sql(db.dialect), feedID, hash) { row in try StoredImage(row) }
    // Sorted here and not in SQL: to avoid the sort, SQLite would walk the whole feed in its order.
    if images.count > 1 { images.sort { ($0.position, $0.id) < ($1.position, $1.id) } }
    return images
  }

  private func images(_ key: Key, _ hashes: Set<Int64>) throws -> [Int64: [StoredImage]] {
    if hashes.isEmpty { return [:] }
    var images: [Int64: [StoredImage]] = [:]
    let rows = try db.rows(key.sql(db.dialect), feedID, Array(hashes)) { row in
      try (hash: row.value(StoredImage.columnCount) as Int64, image: StoredImage(row))
    }
    for row in rows { images[row.hash, default: []].append(row.image) }
    return images
  }

  // MARK: The feed's images

  /// The lowest position of an image of the feed; nil when the feed has no images.
  package func lowestPosition() throws -> Int64? {
    if let position = try position(above: .min) { return position }
    try checkHasNoImages()
    return nil
  }

  package func position(above position: Int64) throws -> Int64? {
    let sql = """
      SELECT position FROM image WHERE feed_id = $1 AND position > $2 ORDER BY position LIMIT 1
      """
    return try (db.value(sql, feedID, position) as Int64?)?.bounded
  }

  /// Whether the feed has images that only their address identifies.
  package func hasImagesWithoutEntryID() throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM image WHERE feed_id = $1 AND entry_hash IS NULL)"
    return try db.value(sql, feedID) ?? false
  }

  /// The feed's images that a document does not have and that are not marked as gone.
  package func images(missingFrom seen: IDSet) throws -> [Int64] {
    let images = "SELECT id FROM image WHERE feed_id = $1"
    switch db.dialect {
    case .sqlite:
      // The index does not contain `is_gone`, so it is looked up only for missing images.
      let ids: [Int64] = try db.column(images, feedID)
      let isListed = "SELECT 1 FROM image WHERE id = $1 AND NOT is_gone"
      return try ids.filter { try !seen.contains($0) && db.hasRow(isListed, $0) }
    case .postgres:
      let ids: [Int64] = try db.column("\(images) AND NOT is_gone", feedID)
      return ids.filter { !seen.contains($0) }
    }
  }

  package func markGone(_ ids: [Int64]) throws {
    if ids.isEmpty { return }
    let update = "UPDATE image SET is_gone = true, change_seq = \(db.dialect.nextChange)"
    switch db.dialect {
    case .sqlite:
      for id in ids { try db.run("\(update) WHERE id = $1", id) }
    case .postgres:
      try db.run("\(update) WHERE \(RemovalQueries.isOfFeed(db.dialect))", ids, feedID)
    }
  }
}

extension DocumentQueries.Key {
  /// The hashes that an entry is looked up by.
  fileprivate func hashes(_ lookup: EntryLookup) -> [Int64] {
    switch self {
    case .entry:
      let own = lookup.keys.contains(.entryID) ? lookup.entryID : nil
      let others = lookup.keys.contains(.respelled) ? lookup.entryID?.respellings : nil
      return ([own].compactMap(\.self) + (others ?? [])).map(\.hash)
    case .original: return lookup.keys.contains(.original) ? lookup.images.map(\.originalHash) : []
    case .thumbnail:
      return lookup.keys.contains(.thumbnail) ? lookup.images.flatMap(\.thumbnailHashes) : []
    }
  }
}

extension StoredImage {
  fileprivate static let columns = """
    id, position, first_seen_at, is_gone, is_entry_ambiguous, thumbnail_state, original_state,
    entry_id, original_hash, title, caption, author, licence, published_at,
    page_address, thumbnail_address, original_address, width, height,
    thumbnail_check_at, original_check_at, declared_bytes
    """
  fileprivate static let columnCount = 22

  fileprivate init(_ row: Row) throws {
    let thumbnail: ThumbnailState = try row.value(raw: 5) ?? .wanted
    let original = try OriginalState(rawValue: row.value(6)) ?? .missing
    self.init(
      id: try row.value(0),
      position: (try row.value(1) as Int64).bounded,
      firstSeen: try row.value(2),
      isGone: try row.value(3),
      isAmbiguous: try row.value(4),
      isUnasked: thumbnail.isRight && row.isNull(19) || original.isStored && row.isNull(20),
      hasThumbnail: thumbnail.isRight,
      hasOriginal: original == .stored,
      entryID: try row.value(7),
      originalHash: try row.value(8),
      fields: try row.fields(9)
    )
    fields.bytes = try row.value(21)
  }
}
