import Models
import Workers

/// The SQL about originals that are kept although no image has them.
package enum ReplacedOriginals {
  /// How long a replaced original of a listed image is kept, in seconds: 90 days.
  static let keptSeconds = 90 * 86_400
  /// An original that was stored for a shorter time belongs to a picture that changes often: a week, in seconds.
  private static let shortSeconds = 7 * 86_400

  /// Records that another original has taken the place of an image's, which is kept for a time.
  ///
  /// Of a picture that changes more than weekly, only the last replaced original is kept.
  static func note(
    _ originalID: Int64,
    storedAt: Int64,
    imageID: Int64,
    at now: Int64,
    _ db: Connection
  ) throws {
    let short = """
      DELETE FROM replaced_original WHERE image_id = $1 AND replaced_at - stored_at < \(shortSeconds)
      """
    try db.run(short, imageID)
    let sql = """
      INSERT INTO replaced_original(image_id, original_id, stored_at, replaced_at)
      VALUES ($1, $2, $3, $4) ON CONFLICT (image_id, original_id)
      DO UPDATE SET stored_at = excluded.stored_at, replaced_at = excluded.replaced_at
      """
    try db.run(sql, imageID, originalID, storedAt, now)
  }

  /// Forgets that an original was replaced, since it is the image's again.
  static func forget(imageID: Int64, sha256: String, _ db: Connection) throws {
    guard try db.mayHaveRows(in: "replaced_original") else { return }
    let sql = """
      DELETE FROM replaced_original WHERE image_id = $1
        AND original_id = (SELECT id FROM original WHERE sha256 = $2)
      """
    try db.run(sql, imageID, sha256)
  }

  /// The condition that `former` has the original that the present one of `held` has replaced, and may be returned.
  ///
  /// An original of a pinned image stays, and so does one that the user has accepted (`accept`).
  static func isFormer(_ dialect: Dialect) -> String {
    """
    former.replaced_at = held.stored_at AND former.original_id <> held.original_id
      AND former.replaced_at > \(dialect.now) - \(keptSeconds)
      AND EXISTS (SELECT 1 FROM original AS kept WHERE kept.id = former.original_id)
      AND NOT EXISTS (SELECT 1 FROM pin WHERE pin.image_id = held.image_id)
    """
  }

  /// The original that the present one of an image has replaced, if it may be returned.
  static func last(
    ofImage id: Int64,
    _ db: Connection
  ) throws -> (id: Int64, sha256: String, storedAt: Int64)? {
    let sql = """
      SELECT original.id, original.sha256, former.stored_at
      FROM image_original AS held JOIN replaced_original AS former ON former.image_id = held.image_id
      JOIN original ON original.id = former.original_id
      WHERE held.image_id = $1 AND \(isFormer(db.dialect))
      ORDER BY former.stored_at DESC LIMIT 1
      """
    return try db.row(sql, id) { row in try (row.value(0), row.value(1), row.value(2)) }
  }

  /// Records that the user wants the present original of an image in the place of the former one.
  static func accept(imageID: Int64, _ db: Connection) throws {
    let sql = """
      UPDATE replaced_original SET replaced_at = replaced_at + 1 WHERE image_id = $1 AND replaced_at = (
        SELECT stored_at FROM image_original WHERE image_id = $1
      )
      """
    try db.run(sql, imageID)
  }

  /// The condition that an original is kept although no image has it: beside another one, or because it was replaced
  /// lately.
  ///
  /// - Parameters:
  ///   - original: The SQL of its id.
  ///   - dialect: The dialect.
  /// - Returns: The condition.
  package static func isKept(_ original: String, _ dialect: Dialect) -> String {
    // An index that lacks a row would lose a file.
    let table = dialect == .sqlite ? " NOT INDEXED" : ""
    return """
      (\(original) IN (
        SELECT original_id FROM successor\(table) JOIN image ON image.id = image_id
        WHERE original_id IS NOT NULL AND is_hidden = 0
      ) OR \(original) IN (
        SELECT original_id FROM replaced_original\(table) JOIN image ON image.id = image_id
        WHERE is_hidden = 0 AND replaced_at > \(dialect.now) - \(keptSeconds)
      ))
      """
  }

  /// The same condition for the statement that deletes one row of `original`: it reads no other rows of the tables.
  static func isOneKept(_ dialect: Dialect) -> String {
    """
    (EXISTS (
      SELECT 1 FROM successor JOIN image ON image.id = image_id
      WHERE successor.original_id = original.id AND is_hidden = 0
    ) OR EXISTS (
      SELECT 1 FROM replaced_original AS former JOIN image ON image.id = former.image_id
      WHERE former.original_id = original.id AND is_hidden = 0
        AND replaced_at > \(dialect.now) - \(keptSeconds)
    ))
    """
  }

  /// Forgets originals that no image has, which give way or are deleted.
  package static func forget(originals ids: [Int64], _ db: Connection) throws {
    for table in ["successor", "replaced_original"] where try db.mayHaveRows(in: table) {
      let sql = """
        DELETE FROM \(table) WHERE original_id \(db.dialect.ids(1)) AND NOT EXISTS (
          SELECT 1 FROM image_original AS held WHERE held.original_id = \(table).original_id
        )
        """
      try db.run(sql, ids)
    }
  }

  /// Forgets the originals beside those of images, and their former originals, and returns all of them.
  @discardableResult
  package static func forget(images ids: [Int64], _ db: Connection) throws -> [Int64] {
    if ids.isEmpty { return [] }
    var originals: [Int64] = []
    for table in ["successor", "replaced_original"] where try db.mayHaveRows(in: table) {
      let sql = """
        DELETE FROM \(table) WHERE image_id \(db.dialect.ids(1)) AND original_id IS NOT NULL
        RETURNING original_id
        """
      originals += try db.column(sql, ids)
    }
    return originals
  }
}
