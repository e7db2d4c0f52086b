import Models
import Workers

/// The SQL about stored pictures that are damaged or missing.
enum DamageQueries {
  /// The condition that an image's original is marked as damaged or missing.
  static let isMarked = """
    (original_state = 0 OR EXISTS (
      SELECT 1 FROM damage
      WHERE damage.image_id = image.id AND kind = \(PictureKind.original.rawValue)
    ))
    """

  private static let forgetting = """
    WITH whole AS (
      DELETE FROM damage WHERE image_id = ANY($1::bigint[]) AND kind = $2 RETURNING image_id
    )
    UPDATE image SET change_seq = (SELECT next_change()) WHERE id IN (SELECT image_id FROM whole)
    """

  /// Forgets the damage of pictures that are whole again.
  static func forget(
    _ imageIDs: [Int64],
    _ kind: PictureKind,
    _ db: PostgresConnection
  ) throws {
    if imageIDs.isEmpty { return }
    try db.rows(forgetting, imageIDs, kind.rawValue)
  }

  /// Marks the thumbnail of an image.
  ///
  /// A damaged thumbnail is wanted again. Its validators are deleted, because with them the server could answer that
  /// nothing has changed.
  static func mark(
    thumbnailOf imageID: Int64,
    as condition: StoredCondition,
    _ db: PostgresConnection
  ) throws {
    if condition == .whole { return try forget([imageID], .thumbnail, db) }
    let damage = """
      INSERT INTO damage(image_id, kind) SELECT id, $1 FROM image WHERE id = $2
      ON CONFLICT DO NOTHING
      """
    let isNews = try db.rows(damage, PictureKind.thumbnail.rawValue, imageID).written > 0
    let sql = """
      UPDATE image SET thumbnail_state = CASE WHEN thumbnail_address IS NULL THEN 0 ELSE 2 END,
        change_seq = CASE WHEN $2::boolean THEN next_change() ELSE change_seq END
      WHERE id = $1
      """
    try db.rows(sql, imageID, isNews)
    let validators = """
      UPDATE thumbnail SET etag = NULL, last_modified = NULL, source_sha256 = NULL
      WHERE image_id = $1
      """
    try db.rows(validators, imageID)
  }

  /// Marks the original of an image, and with it that of all images that have the same file.
  static func mark(
    originalOf imageID: Int64,
    as condition: StoredCondition,
    _ db: PostgresConnection
  ) throws {
    guard let original = try OriginalQueries.originalID(of: imageID, db) else { return }
    if condition == .whole { return try markWhole(original: original, db) }
    let images = "SELECT image_id FROM image_original WHERE original_id = $1"
    let kind = PictureKind.original.rawValue
    let damage =
      condition == .damaged
      ? """
      INSERT INTO damage(image_id, kind) SELECT image_id, \(kind) FROM (\(images)) AS held
      ON CONFLICT DO NOTHING
      """
      : "DELETE FROM damage WHERE image_id IN (\(images)) AND kind = \(kind)"
    let isNews = try db.rows(damage, original).written > 0
    let state: OriginalState = condition == .damaged ? .stale : .missing
    let sql = """
      UPDATE image SET original_state = $2, change_seq = CASE
          WHEN $3::boolean OR original_state <> $2 THEN next_change() ELSE change_seq END
      WHERE id IN (\(images))
      """
    try db.rows(sql, original, state.rawValue, isNews)
    let validators = """
      UPDATE image_original SET etag = NULL, last_modified = NULL WHERE original_id = $1
      """
    try db.rows(validators, original)
  }

  /// Marks a damaged or missing original as right again, or as stale where the feed names another address now.
  private static func markWhole(original id: Int64, _ db: PostgresConnection) throws {
    let sql = """
      SELECT image.id, held.address, original_address FROM image_original AS held
      JOIN image ON image.id = held.image_id WHERE held.original_id = $1 AND \(isMarked)
      """
    let marked = try db.rows(sql, id).map { row in
      try (
        id: row.value(0) as Int64, address: row.value(1) as String, named: row.value(2) as String
      )
    }
    let update = """
      UPDATE image SET original_state = $2, original_check_at = 0, change_seq = next_change()
      WHERE id = $1
      """
    for image in marked {
      let state: OriginalState =
        DocumentImage.isSame(image.address, image.named) ? .stored : .stale
      try db.rows(update, image.id, state.rawValue)
    }
    try forget(marked.map(\.id), .original, db)
  }
}
