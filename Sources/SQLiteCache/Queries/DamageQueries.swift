import GRDB
import Models
import Workers

/// The SQL about stored pictures that are damaged or missing.
enum DamageQueries {
  /// The damaged pictures of the images whose ids a JSON array lists; most libraries have no damage.
  static func kinds(ofImages list: String, _ db: Database) throws -> [Int64: Set<PictureKind>] {
    var kinds: [Int64: Set<PictureKind>] = [:]
    let statement = try db.cachedStatement(
      sql: """
        SELECT image_id, kind FROM damage WHERE image_id IN (SELECT value FROM json_each(?))
        """
    )
    let rows = try Row.fetchCursor(statement, arguments: [list])
    while let row = try rows.next() {
      guard let kind = try PictureKind(rawValue: row.value(1)) else { continue }
      try kinds[row.value(0), default: []].insert(kind)
    }
    return kinds
  }

  /// The number of damaged pictures of each feed; feeds without damage are left out.
  static func counts(_ db: Database) throws -> [Int64: Int] {
    let sql = """
      SELECT feed_id, count(*) FROM damage JOIN image ON image.id = image_id
      WHERE is_hidden = 0 GROUP BY feed_id
      """
    let rows = try db.cachedStatement(sql: sql).rows { row in
      try (row.value(0) as Int64, row.bounded(1) as Int)
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Whether an image of an original is marked as having it damaged or missing.
  static func isMarked(original id: Int64, _ db: Database) throws -> Bool {
    let sql = """
      SELECT EXISTS (
        SELECT 1 FROM image_original AS held JOIN image ON image.id = held.image_id
        WHERE held.original_id = ? AND \(isMarked)
      )
      """
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [id]) ?? false
  }

  private static let isMarked = """
    (original_state = \(OriginalState.missing.rawValue) OR EXISTS (
      SELECT 1 FROM damage
      WHERE damage.image_id = image.id AND kind = \(PictureKind.original.rawValue)
    ))
    """

  // MARK: Marking

  /// Forgets the damage of pictures that were fetched again; usually there is no damage.
  static func forget(_ imageIDs: [Int64], _ kind: PictureKind, _ db: Database) throws {
    let any = try db.cachedStatement(sql: "SELECT 1 FROM damage LIMIT 1")
    guard !imageIDs.isEmpty, try Row.fetchOne(any) != nil else { return }
    let sql = "DELETE FROM damage WHERE image_id = ? AND kind = ?"
    let statement = try db.cachedStatement(sql: sql)
    for id in imageIDs {
      try statement.execute(arguments: [id, kind.rawValue])
      if db.changesCount > 0 { try ChangeLog.note(image: id, db) }
    }
  }

  /// Marks a thumbnail as damaged, missing or whole.
  ///
  /// A damaged thumbnail is wanted again. Its validators are deleted, since with them the server would answer that
  /// nothing has changed.
  static func mark(
    thumbnailOf imageID: Int64,
    as condition: StoredCondition,
    _ db: Database
  ) throws {
    if condition == .whole { return try forget([imageID], .thumbnail, db) }
    try db.execute(
      sql: "INSERT OR IGNORE INTO damage(image_id, kind) SELECT id, ? FROM image WHERE id = ?",
      arguments: [PictureKind.thumbnail.rawValue, imageID]
    )
    if db.changesCount > 0 { try ChangeLog.note(image: imageID, db) }
    let (wanted, unmade) = (ThumbnailState.wanted.rawValue, ThumbnailState.unmade.rawValue)
    let state = "iif(thumbnail_address IS NULL, \(unmade), \(wanted))"
    try db.execute(
      sql: "UPDATE image SET thumbnail_state = \(state) WHERE id = ?",
      arguments: [imageID]
    )
    try db.execute(
      sql: """
        UPDATE thumbnail SET etag = NULL, last_modified = NULL, source_sha256 = NULL
        WHERE image_id = ?
        """,
      arguments: [imageID]
    )
  }

  /// Marks the original of an image, and so the originals of all images that share the file.
  static func mark(
    originalOf imageID: Int64,
    as condition: StoredCondition,
    _ db: Database
  ) throws {
    let sql = "SELECT original_id FROM image_original WHERE image_id = ?"
    let original = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [imageID])
    guard let original else { return }
    if condition == .whole { return try markWhole(original: original, db) }
    let images = "(SELECT image_id FROM image_original WHERE original_id = ?)"
    let kind = PictureKind.original.rawValue
    try db.execute(
      sql: condition == .damaged
        ? "INSERT OR IGNORE INTO damage(image_id, kind) SELECT image_id, \(kind) FROM \(images)"
        : "DELETE FROM damage WHERE image_id IN \(images) AND kind = \(kind)",
      arguments: [original]
    )
    let isNews = db.changesCount > 0
    let state: OriginalState = condition == .damaged ? .stale : .missing
    try db.execute(
      sql: """
        UPDATE image SET original_state = ?2,
          change_seq = iif(?3 OR original_state <> ?2, \(ChangeLog.next), change_seq)
        WHERE id IN (SELECT image_id FROM image_original WHERE original_id = ?1)
        """,
      arguments: [original, state.rawValue, isNews]
    )
    let forgetting = "UPDATE image_original SET etag = NULL, last_modified = NULL"
    try db.execute(sql: "\(forgetting) WHERE original_id = ?", arguments: [original])
  }

  /// Marks a damaged or missing original as stored again, or as stale if the feed names another address now.
  private static func markWhole(original id: Int64, _ db: Database) throws {
    let sql = """
      SELECT image.id, held.address, original_address FROM image_original AS held
      JOIN image ON image.id = held.image_id WHERE held.original_id = ? AND \(isMarked)
      """
    let marked = try db.cachedStatement(sql: sql).rows([id]) { row in
      try (row.value(0) as Int64, row.value(1) as String, row.value(2) as String)
    }
    let update = try db.cachedStatement(
      sql: """
        UPDATE image SET original_state = ?, original_check_at = 0, change_seq = \(ChangeLog.next)
        WHERE id = ?
        """
    )
    for (imageID, address, named) in marked {
      let state: OriginalState = DocumentImage.isSame(address, named) ? .stored : .stale
      try update.execute(arguments: [state.rawValue, imageID])
    }
    try forget(marked.map(\.0), .original, db)
  }
}
