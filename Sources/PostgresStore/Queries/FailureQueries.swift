import FoundationEssentials
import LibraryFiles
import Models
import Workers

/// The SQL about pictures that could not be fetched or made.
enum FailureQueries {
  /// Remembers failures.
  ///
  /// If a right picture is stored, its server is asked again at the date of the next try.
  static func note(
    _ failures: [FailedPicture],
    _ kind: PictureKind,
    _ db: PostgresConnection
  ) throws {
    for failure in failures {
      let (id, address) = (failure.imageID, failure.address.text)
      let failureClass = failure.failureClass.rawValue
      let known = """
        SELECT tries FROM picture_failure
        WHERE image_id = $1 AND kind = $2 AND address = $3 AND class = $4
        """
      let tries: Int = try (db.value(known, id, kind.rawValue, address, failureClass) ?? 0) + 1
      let retry = failure.retryDate(tries: tries).storedSeconds
      // The SELECT adds no row for an image that has been deleted since.
      let insertion = """
        INSERT INTO picture_failure(image_id, kind, address, class, reason, tries, failed_at, retry_at)
        SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM image WHERE id = $1
        ON CONFLICT (image_id, kind) DO UPDATE SET address = excluded.address,
          class = excluded.class, reason = excluded.reason, tries = excluded.tries,
          failed_at = excluded.failed_at, retry_at = excluded.retry_at
        """
      try db.rows(
        insertion,
        with: [
          id, kind.rawValue, address, failureClass, failure.reason, tries,
          failure.failed.storedSeconds, retry,
        ]
      )
      let putOff = """
        UPDATE image SET \(kind.checkColumn) = $2
        WHERE id = $1 AND \(kind.isStored) AND \(kind.checkColumn) IS NOT NULL
        """
      try db.rows(putOff, id, retry)
    }
  }

  /// Forgets the failures of pictures that have arrived.
  static func forget(
    _ imageIDs: [Int64],
    _ kind: PictureKind,
    _ db: PostgresConnection
  ) throws {
    if imageIDs.isEmpty { return }
    let sql = "DELETE FROM picture_failure WHERE image_id = ANY($1::bigint[]) AND kind = $2"
    try db.rows(sql, imageIDs, kind.rawValue)
  }

  /// The condition that a failure is of a picture that its image still has.
  ///
  /// A failure of a made thumbnail counts only while the feed names no thumbnail.
  private static let isCurrent = """
    is_hidden = 0 AND failure.address = CASE kind
      WHEN \(PictureKind.thumbnail.rawValue) THEN thumbnail_address
      WHEN \(PictureKind.original.rawValue) THEN original_address
      ELSE CASE WHEN thumbnail_address IS NULL THEN original_address END
    END
    """

  /// The failures of all feeds, by the feeds' ids, the most frequent reason first.
  static func groups(_ db: PostgresConnection) throws -> [Int64: [FailureGroup]] {
    let sql = """
      SELECT feed_id, kind, count(*), reason, min(retry_at)
      FROM picture_failure AS failure JOIN image ON image.id = image_id WHERE \(isCurrent)
      GROUP BY feed_id, kind, reason ORDER BY feed_id, count(*) DESC, reason COLLATE "C", kind
      """
    var groups: [Int64: [FailureGroup]] = [:]
    for row in try db.rows(sql) {
      if let group = try FailureGroup(row, at: 1) {
        try groups[row.value(0), default: []].append(group)
      }
    }
    return groups
  }

  /// Adds their failures to images.
  static func fill(_ images: inout [WebImage], _ db: PostgresConnection) throws {
    if images.isEmpty { return }
    let sql = """
      SELECT image_id, kind, reason, tries, failed_at, retry_at
      FROM picture_failure AS failure JOIN image ON image.id = image_id
      WHERE image_id = ANY($1::bigint[]) AND \(isCurrent) ORDER BY image_id, kind
      """
    var failures: [Int64: [PictureFailure]] = [:]
    for row in try db.rows(sql, images.map(\.id)) {
      if let failure = try PictureFailure(row) {
        try failures[row.value(0), default: []].append(failure)
      }
    }
    if failures.isEmpty { return }
    for index in images.indices { images[index].failures = failures[images[index].id] ?? [] }
  }
}

extension FailureGroup {
  /// Reads kind, count, reason and the date of the next try, from a column on; nil for an unknown kind.
  init?(_ row: PostgresRow, at column: Int) throws {
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
  /// Reads kind, reason, tries, and the dates of the last and the next try, from the second column on; nil for an
  /// unknown kind.
  fileprivate init?(_ row: PostgresRow) throws {
    guard let kind: PictureKind = try row.value(raw: 1) else { return nil }
    try self.init(
      kind: kind,
      reason: row.value(2),
      tries: row.value(3),
      failed: Date(storedSeconds: row.value(4)),
      retry: Date(storedSeconds: row.value(5))
    )
  }
}
