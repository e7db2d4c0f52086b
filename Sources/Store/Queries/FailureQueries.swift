import FoundationEssentials
import LibraryFiles
package import Models
package import Workers

/// The SQL about pictures that could not be fetched or made.
package enum FailureQueries {
  /// Stores failures; if a right picture is stored, its next check waits for the next try.
  package static func note(
    _ failures: [FailedPicture],
    _ kind: PictureKind,
    _ db: Connection
  ) throws {
    let putOff = """
      UPDATE image SET \(kind.checkColumn) = $2
      WHERE id = $1 AND \(kind.isStored) AND \(kind.checkColumn) IS NOT NULL
      """
    for failure in failures {
      let tries = try triesBefore(failure, kind, db) + 1
      let retry = failure.retryDate(tries: tries).storedSeconds
      try note(failure, kind, tries: tries, retry: retry, db)
      try db.run(putOff, failure.imageID, retry)
    }
  }

  /// How often a picture has failed in a row in the same way and under the same address.
  private static func triesBefore(
    _ failure: FailedPicture,
    _ kind: PictureKind,
    _ db: Connection
  ) throws -> Int {
    let sql = """
      SELECT tries FROM picture_failure
      WHERE image_id = $1 AND kind = $2 AND address = $3 AND class = $4
      """
    let tries: Int? = try db.value(
      sql,
      failure.imageID,
      kind.rawValue,
      failure.address.text,
      failure.failureClass.rawValue
    )
    return tries ?? 0
  }

  /// Stores a failure, unless its image has been deleted.
  private static func note(
    _ failure: FailedPicture,
    _ kind: PictureKind,
    tries: Int,
    retry: Int64,
    _ db: Connection
  ) throws {
    let sql = """
      INSERT INTO picture_failure(image_id, kind, address, class, reason, tries, failed_at, retry_at)
      SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM image WHERE id = $1
      ON CONFLICT (image_id, kind) DO UPDATE SET address = excluded.address,
        class = excluded.class, reason = excluded.reason, tries = excluded.tries,
        failed_at = excluded.failed_at, retry_at = excluded.retry_at
      """
    try db.run(
      sql,
      failure.imageID,
      kind.rawValue,
      failure.address.text,
      failure.failureClass.rawValue,
      failure.reason,
      tries,
      failure.failed.storedSeconds,
      retry
    )
  }

  /// The condition that a failure belongs to a picture that its image still has.
  ///
  /// The failure of a made thumbnail counts only while the feed does not name a thumbnail.
  private static let isCurrent = """
    is_hidden = 0 AND failure.address = CASE kind
      WHEN \(PictureKind.thumbnail.rawValue) THEN thumbnail_address
      WHEN \(PictureKind.original.rawValue) THEN original_address
      ELSE CASE WHEN thumbnail_address IS NULL THEN original_address END
    END
    """

  /// The stored failures of all feeds, by the feeds' ids, the most frequent reason first.
  package static func groups(_ db: Connection) throws -> [Int64: [FailureGroup]] {
    // The join goes from the failures to their images, and never the other way: usually there are few failures.
    let sql = """
      SELECT feed_id, kind, count(*), reason, min(retry_at)
      FROM picture_failure AS failure \(db.dialect.joinInOrder) image ON image.id = image_id
      WHERE \(isCurrent)
      GROUP BY feed_id, kind, reason
      ORDER BY feed_id, count(*) DESC, reason\(db.dialect.bytewise), kind
      """
    return try groups(db.rows(sql) { row in try (row.value(0), FailureGroup(row, at: 1)) })
  }

  /// Adds the stored failures to images.
  package static func fill(_ images: inout [WebImage], _ db: Connection) throws {
    guard !images.isEmpty, try db.mayHaveRows(in: "picture_failure") else { return }
    let sql = """
      SELECT image_id, kind, reason, tries, failed_at, retry_at
      FROM picture_failure AS failure JOIN image ON image.id = image_id
      WHERE image_id \(db.dialect.ids(1)) AND \(isCurrent) ORDER BY image_id, kind
      """
    let failures = try groups(
      db.rows(sql, images.map(\.id)) { row in try (row.value(0), PictureFailure(row, at: 1)) }
    )
    if failures.isEmpty { return }
    for index in images.indices { images[index].failures = failures[images[index].id] ?? [] }
  }

  /// Groups elements by their ids, in order; an element of an unknown kind is left out.
  private static func groups<Element>(_ rows: [(Int64, Element?)]) -> [Int64: [Element]] {
    var groups: [Int64: [Element]] = [:]
    for case (let id, let element?) in rows { groups[id, default: []].append(element) }
    return groups
  }

  /// Forgets the failures of pictures that have been fetched or made.
  package static func forget(
    _ imageIDs: [Int64],
    _ kind: PictureKind,
    _ db: Connection
  ) throws {
    guard !imageIDs.isEmpty, try db.mayHaveRows(in: "picture_failure") else { return }
    try db.run(forgetSQL(kind, db.dialect), imageIDs)
  }

  package static func forgetSQL(_ kind: PictureKind, _ dialect: Dialect) -> String {
    "DELETE FROM picture_failure WHERE image_id \(dialect.ids(1)) AND kind = \(kind.rawValue)"
  }
}

extension FailureGroup {
  /// Reads kind, number, reason and the date of the next try, from a column on.
  ///
  /// Nil for an unknown kind: this program did not write such a row.
  package init?(_ row: Row, at column: Int) throws {
    guard let kind: PictureKind = try row.value(raw: column) else { return nil }
    try self.init(
      kind: kind,
      count: row.value(column + 1),
      reason: row.value(column + 2),
      retry: Date(storedSeconds: row.value(column + 3))
    )
  }
}

extension PictureFailure {
  /// Reads kind, reason, tries, and the dates of the last and the next try, from a column on.
  fileprivate init?(_ row: Row, at column: Int) throws {
    guard let kind: PictureKind = try row.value(raw: column) else { return nil }
    try self.init(
      kind: kind,
      reason: row.value(column + 1),
      tries: row.value(column + 2),
      failed: Date(storedSeconds: row.value(column + 3)),
      retry: Date(storedSeconds: row.value(column + 4))
    )
  }
}
