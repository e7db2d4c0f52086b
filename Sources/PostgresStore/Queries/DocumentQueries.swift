import Models
import Store
import Workers

/// The SQL that compares a document with a feed's stored images.
struct DocumentQueries {
  let feedID: Int64
  let db: Connection

  private static let columns = """
    id, position, first_seen_at, is_gone, is_entry_ambiguous, thumbnail_state, original_state,
    entry_id, original_hash, title, caption, author, licence, published_at,
    page_address, thumbnail_address, original_address, width, height,
    thumbnail_check_at, original_check_at, entry_hash, thumbnail_hash, declared_bytes
    """

  /// A stored image, and the hashes that lookups find it by.
  private struct Found {
    var image: StoredImage
    var entryHash: Int64?
    var thumbnailHash: Int64?
  }

  /// Looks up the stored images that entries may be, with one query for each kind of key.
  func candidates(_ lookups: [EntryLookup]) throws -> [EntryCandidates] {
    func images(_ keys: EntryLookup.Keys) -> [DocumentImage] {
      lookups.lazy.filter { $0.keys.contains(keys) }.flatMap(\.images)
    }
    let respellings = lookups.map {
      $0.keys.contains(.respelled) ? $0.entryID?.respellings ?? [] : []
    }
    let entryHashes =
      lookups.lazy.filter { $0.keys.contains(.entryID) }.compactMap { $0.entryID?.hash }
      + respellings.joined().map(\.hash)
    let byEntry = try found("entry_hash", Array(entryHashes)) { $0.entryHash }
    func images(entryID id: EntryID) -> [StoredImage] {
      (byEntry[id.hash] ?? []).filter { $0.entryID == id.text }
    }
    let byOriginal = try found("original_hash", images(.original).map(\.originalHash)) {
      $0.image.originalHash
    }
    let byThumbnail = try found("thumbnail_hash", images(.thumbnail).flatMap(\.thumbnailHashes)) {
      $0.thumbnailHash
    }
    return zip(lookups, respellings).map { lookup, respellings in
      var candidates = EntryCandidates()
      candidates.keys = lookup.keys
      if lookup.keys.contains(.entryID), let id = lookup.entryID {
        candidates.withEntryID = images(entryID: id)
      }
      candidates.withRespelledID = respellings.flatMap(images(entryID:))
      if lookup.keys.contains(.original) {
        candidates.withOriginal = lookup.images.map { image in
          (byOriginal[image.originalHash] ?? []).filter {
            DocumentImage.isSame($0.fields.originalAddress, image.fields.originalAddress)
          }
        }
      }
      if lookup.keys.contains(.thumbnail) {
        candidates.withThumbnail = lookup.images.map { image in
          let same = image.thumbnailHashes.lazy.compactMap { byThumbnail[$0] }.first ?? []
          return same.count == 1 ? same.first : nil
        }
      }
      return candidates
    }
  }

  /// The images with given hashes in a column, grouped by hash and in the order of the feed.
  private func found(
    _ column: String,
    _ hashes: [Int64],
    _ key: (Found) -> Int64?
  ) throws -> [Int64: [StoredImage]] {
    if hashes.isEmpty { return [:] }
    let sql = """
      SELECT \(Self.columns) FROM image WHERE feed_id = $1 AND \(column) = ANY($2::bigint[])
      ORDER BY position, id
      """
    var images: [Int64: [StoredImage]] = [:]
    for found in try db.rows(sql, feedID, Array(Set(hashes))).map(Self.found) {
      if let key = key(found) { images[key, default: []].append(found.image) }
    }
    return images
  }

  private static func found(_ row: Row) throws -> Found {
    let thumbnail: ThumbnailState = try row.value(raw: 5) ?? .wanted
    let original = try OriginalState(rawValue: row.value(6)) ?? .missing
    let (thumbnailCheck, originalCheck): (Int64?, Int64?) = try (row.value(19), row.value(20))
    var image = try StoredImage(
      id: row.value(0),
      position: row.value(1),
      firstSeen: row.value(2),
      isGone: row.value(3),
      isAmbiguous: row.value(4),
      isUnasked: thumbnail.isRight && thumbnailCheck == nil
        || original.isStored && originalCheck == nil,
      hasThumbnail: thumbnail.isRight,
      hasOriginal: original == .stored,
      entryID: row.value(7),
      originalHash: row.value(8),
      fields: row.fields(9)
    )
    image.fields.bytes = try row.value(23)
    return try Found(image: image, entryHash: row.value(21), thumbnailHash: row.value(22))
  }

  /// The lowest position; nil when the feed has no images.
  func lowestPosition() throws -> Int64? {
    let sql = "SELECT position FROM image WHERE feed_id = $1 ORDER BY position LIMIT 1"
    return try db.value(sql, feedID)
  }

  func position(above position: Int64) throws -> Int64? {
    let sql = """
      SELECT position FROM image WHERE feed_id = $1 AND position > $2 ORDER BY position LIMIT 1
      """
    return try db.value(sql, feedID, position)
  }

  /// Whether the feed has images that only their address identifies.
  func hasImagesWithoutEntryID() throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM image WHERE feed_id = $1 AND entry_hash IS NULL)"
    return try db.value(sql, feedID) ?? false
  }

  /// The feed's images that a document lacks, and that are not marked as gone yet.
  func images(missingFrom seen: IDSet) throws -> [Int64] {
    let sql = "SELECT id FROM image WHERE feed_id = $1 AND NOT is_gone"
    return try db.rows(sql, feedID).compactMap { row in
      let id: Int64 = try row.value(0)
      return seen.contains(id) ? nil : id
    }
  }

  func markGone(_ ids: [Int64]) throws {
    if ids.isEmpty { return }
    let sql = """
      UPDATE image SET is_gone = true, change_seq = (SELECT next_change())
      WHERE feed_id = $1 AND id = ANY($2::bigint[])
      """
    try db.rows(sql, feedID, ids)
  }

  /// Stops asking servers about the pictures of images that the documents lack.
  func endChecks(except seen: IDSet) throws {
    let asked = """
      SELECT id FROM image WHERE feed_id = $1
        AND (thumbnail_check_at IS NOT NULL OR original_check_at IS NOT NULL)
      """
    let ids = try db.rows(asked, feedID).compactMap { row -> Int64? in
      let id: Int64 = try row.value(0)
      return seen.contains(id) ? nil : id
    }
    if ids.isEmpty { return }
    let sql = """
      UPDATE image SET thumbnail_check_at = NULL, original_check_at = NULL
      WHERE feed_id = $1 AND id = ANY($2::bigint[])
      """
    try db.rows(sql, feedID, ids)
  }
}
