import LibraryFiles
package import Models
package import Workers

/// The SQL about stored pictures that are damaged or missing.
package enum DamageQueries {
  /// The damaged pictures of images; most libraries have no damage.
  package static func kinds(
    ofImages ids: [Int64],
    _ db: Connection
  ) throws -> [Int64: Set<PictureKind>] {
    guard !ids.isEmpty, try db.mayHaveRows(in: "damage") else { return [:] }
    let sql = "SELECT image_id, kind FROM damage WHERE image_id \(db.dialect.ids(1))"
    let rows = try db.rows(sql, ids) { row in
      try (row.value(raw: 1) as PictureKind?).map { kind in (try row.value(0) as Int64, kind) }
    }
    return rows.reduce(into: [:]) { kinds, row in kinds[row.0, default: []].insert(row.1) }
  }

  /// The number of damaged pictures of each feed; feeds without damage are left out.
  package static func counts(_ db: Connection) throws -> [Int64: Int] {
    let rows = try db.rows(countsSQL(db.dialect)) { row in
      try (row.value(0) as Int64, row.value(1) as Int)
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Without an order, SQLite would read all images, to have them by their feeds.
  package static func countsSQL(_ dialect: Dialect) -> String {
    """
    SELECT feed_id, count(*) FROM damage \(dialect.joinInOrder) image ON image.id = image_id
    WHERE is_hidden = 0 GROUP BY feed_id
    """
  }

  /// Whether an image of an original is marked as having it damaged or missing.
  package static func isMarked(original id: Int64, _ db: Connection) throws -> Bool {
    let sql = """
      SELECT 1 FROM image_original AS held JOIN image ON image.id = held.image_id
      WHERE held.original_id = $1 AND \(isMarked) LIMIT 1
      """
    return try db.hasRow(sql, id)
  }

  /// The condition that an image's original is marked as damaged or missing.
  package static let isMarked = """
    (original_state = \(OriginalState.missing.rawValue) OR EXISTS (
      SELECT 1 FROM damage
      WHERE damage.image_id = image.id AND kind = \(PictureKind.original.rawValue)
    ))
    """

  // MARK: Marking

  /// Forgets the damage of pictures that are whole again; usually there is no damage.
  package static func forget(
    _ imageIDs: [Int64],
    _ kind: PictureKind,
    _ db: Connection
  ) throws {
    guard !imageIDs.isEmpty, try db.mayHaveRows(in: "damage") else { return }
    let sql = """
      DELETE FROM damage WHERE image_id \(db.dialect.ids(1)) AND kind = $2 RETURNING image_id
      """
    try ChangeLog.note(images: db.column(sql, imageIDs, kind.rawValue), db)
  }

  /// Marks a thumbnail as damaged, missing or whole.
  ///
  /// A damaged thumbnail is wanted again, that of a mirrored image from its gallery. Its validators are deleted, since
  /// with them the server would answer that nothing has changed.
  package static func mark(
    thumbnailOf imageID: Int64,
    as condition: StoredCondition,
    _ db: Connection
  ) throws {
    if condition == .whole { return try forget([imageID], .thumbnail, db) }
    try MirrorQueries.wantAgain(thumbnailOf: imageID, db)
    let damage = """
      INSERT INTO damage(image_id, kind) SELECT id, $1 FROM image WHERE id = $2
      ON CONFLICT DO NOTHING
      """
    let isNews = try db.run(damage, PictureKind.thumbnail.rawValue, imageID) > 0
    if isNews { try ChangeLog.note(images: [imageID], db) }
    let state = "UPDATE image SET thumbnail_state = \(FailureQueries.missingState) WHERE id = $1"
    try db.run(state, imageID)
    let validators = """
      UPDATE thumbnail SET etag = NULL, last_modified = NULL, source_sha256 = NULL
      WHERE image_id = $1
      """
    try db.run(validators, imageID)
  }

  /// Marks the original of an image, and so the originals of all images that share the file.
  package static func mark(
    originalOf imageID: Int64,
    as condition: StoredCondition,
    _ db: Connection
  ) throws {
    let sql = "SELECT original_id FROM image_original WHERE image_id = $1"
    guard let original: Int64 = try db.value(sql, imageID) else { return }
    if condition == .whole { return try markWhole(original: original, db) }
    let images = "SELECT image_id FROM image_original WHERE original_id = $1"
    let kind = PictureKind.original.rawValue
    let damage =
      condition == .damaged
      ? """
      INSERT INTO damage(image_id, kind) SELECT image_id, \(kind) FROM image_original
      WHERE original_id = $1 ON CONFLICT DO NOTHING
      """
      : "DELETE FROM damage WHERE image_id IN (\(images)) AND kind = \(kind)"
    let isNews = try db.run(damage, original) > 0
    let state: OriginalState = condition == .damaged ? .stale : .missing
    let marking = """
      UPDATE image SET original_state = $2, change_seq = CASE
          WHEN $3 OR original_state <> $2 THEN \(db.dialect.nextChange) ELSE change_seq END
      WHERE id IN (\(images))
      """
    try db.run(marking, original, state.rawValue, isNews)
    let validators = """
      UPDATE image_original SET etag = NULL, last_modified = NULL WHERE original_id = $1
      """
    try db.run(validators, original)
  }

  /// Marks a damaged or missing original as stored again, or as stale if the feed names another address now.
  private static func markWhole(original id: Int64, _ db: Connection) throws {
    let sql = """
      SELECT image.id, held.address FROM image_original AS held
      JOIN image ON image.id = held.image_id WHERE held.original_id = $1 AND \(isMarked)
      """
    let marked = try db.rows(sql, id) { row in
      try (id: row.value(0) as Int64, address: row.address(1))
    }
    let update = """
      UPDATE image SET original_state = $2, original_check_at = 0,
        change_seq = \(db.dialect.nextChange)
      WHERE id = $1
      """
    for image in marked {
      let isNamed = try image.address.map {
        try RenditionQueries.isNamed($0, forOriginalOf: image.id, db)
      }
      let state: OriginalState = isNamed == true ? .stored : .stale
      try db.run(update, image.id, state.rawValue)
    }
    try forget(marked.map(\.id), .original, db)
  }
}
