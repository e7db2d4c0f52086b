import FoundationEssentials
import LibraryFiles
package import Models
package import Workers

/// The SQL about pictures that could not be fetched or made.
package enum FailureQueries {
  /// The number of failures in a row after which a thumbnail is made from an original that is not stored.
  static let triesBeforeMaking = 3

  /// Stores failures; if a right picture is stored, its next check waits for the next try.
  ///
  /// A named thumbnail that fails is made from the original instead. If that fails as well, the named one is wanted
  /// again, and asked for at its next try.
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
      try turn(failure, kind, tries: tries, db)
    }
  }

  /// Turns from the thumbnail that a feed names to one that is made, or back.
  ///
  /// No original is fetched for this while the named thumbnail fails for a reason that may soon be over.
  private static func turn(
    _ failure: FailedPicture,
    _ kind: PictureKind,
    tries: Int,
    _ db: Connection
  ) throws {
    let (wanted, unmade) = (ThumbnailState.wanted.rawValue, ThumbnailState.unmade.rawValue)
    let turn = """
      UPDATE image SET thumbnail_state = $3
      WHERE id = $1 AND \(kind.addressColumn) = $2 AND thumbnail_state = $4
      """
    let (id, address) = (failure.imageID, failure.address.text)
    if kind == .thumbnail, failure.canBeMade {
      let isLasting =
        [.permanent, .forbidden].contains(failure.failureClass) || tries >= triesBeforeMaking
      let isHere = "AND original_state = \(OriginalState.stored.rawValue)"
      try db.run(isLasting ? turn : "\(turn) \(isHere)", id, address, unmade, wanted)
    } else if kind == .madeThumbnail {
      try db.run("\(turn) AND thumbnail_address IS NOT NULL", id, address, wanted, unmade)
    }
  }

  /// The condition that the thumbnail that a feed names has failed since it was last stored.
  static let namedHasFailed = """
    EXISTS (
      SELECT 1 FROM picture_failure AS failure WHERE failure.image_id = image.id
        AND failure.kind = \(PictureKind.thumbnail.rawValue) AND failure.address = thumbnail_address
    )
    """

  /// The `ThumbnailState` of an image without a right thumbnail.
  static let missingState = """
    CASE WHEN thumbnail_address IS NULL OR \(namedHasFailed)
      THEN \(ThumbnailState.unmade.rawValue) ELSE \(ThumbnailState.wanted.rawValue) END
    """

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

  /// Keeps the failures of an image for its new address, which differs only in its signature.
  static func renew(
    _ imageID: Int64,
    from old: String?,
    to new: String?,
    _ db: Connection
  ) throws {
    guard let old, let new, old != new else { return }
    let sql = "UPDATE picture_failure SET address = $1 WHERE image_id = $2 AND address = $3"
    try db.run(sql, new, imageID, old)
  }

  /// The condition that a failure belongs to a picture that its image still has.
  ///
  /// The failure of a named thumbnail counts until one has been made instead, and that of a made one only while the
  /// named one is not wanted.
  private static let isCurrent = """
    is_hidden = 0 AND failure.address = CASE kind
      WHEN \(PictureKind.thumbnail.rawValue)
        THEN CASE WHEN thumbnail_state <> \(ThumbnailState.made.rawValue) THEN thumbnail_address END
      WHEN \(PictureKind.original.rawValue) THEN original_address
      ELSE CASE WHEN \(PictureQueries.isMadeOrUnmade) THEN original_address END
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

  /// Forgets the failures of a feed's pictures at addresses that it may reach from now on.
  static func forgetForbidden(feedID: Int64, _ db: Connection) throws {
    guard try db.mayHaveRows(in: "picture_failure") else { return }
    let deletion = """
      DELETE FROM picture_failure WHERE class = \(FailureClass.forbidden.rawValue)
        AND image_id IN (SELECT id FROM image WHERE feed_id = $1)
      """
    guard try db.run(deletion, feedID) > 0 else { return }
    // The thumbnails that their feed names are wanted again.
    let state = """
      UPDATE image SET thumbnail_state = \(ThumbnailState.wanted.rawValue)
      WHERE feed_id = $1 AND thumbnail_state = \(ThumbnailState.unmade.rawValue)
        AND thumbnail_address IS NOT NULL AND NOT \(namedHasFailed)
      """
    try db.run(state, feedID)
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
