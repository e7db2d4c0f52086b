import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Workers

/// The SQL about pictures that could not be fetched or made.
enum FailureQueries {
  /// Stores failures; if a right picture is stored, its next check waits for the next try.
  static func note(_ failures: [FailedPicture], _ kind: PictureKind, _ db: Database) throws {
    let putOff = try db.cachedStatement(
      sql: """
        UPDATE image SET \(kind.checkColumn) = ?
        WHERE id = ? AND \(kind.isStored) AND \(kind.checkColumn) IS NOT NULL
        """
    )
    for failure in failures {
      let tries = try triesBefore(failure, kind, db) + 1
      let retry = failure.retryDate(tries: tries).storedSeconds
      try note(failure, kind, tries: tries, retry: retry, db)
      try putOff.execute(arguments: [retry, failure.imageID])
    }
  }

  /// How often a picture has failed in a row in the same way and under the same address.
  private static func triesBefore(
    _ failure: FailedPicture,
    _ kind: PictureKind,
    _ db: Database
  ) throws -> Int {
    let statement = try db.cachedStatement(
      sql: """
        SELECT tries FROM picture_failure
        WHERE image_id = ? AND kind = ? AND address = ? AND class = ?
        """
    )
    let arguments: StatementArguments = [
      failure.imageID, kind.rawValue, failure.address.text, failure.failureClass.rawValue,
    ]
    return try Int.fetchOne(statement, arguments: arguments)?.bounded ?? 0
  }

  /// Stores a failure, unless its image has been deleted.
  private static func note(
    _ failure: FailedPicture,
    _ kind: PictureKind,
    tries: Int,
    retry: Int64,
    _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO picture_failure
          (image_id, kind, address, class, reason, tries, failed_at, retry_at)
        SELECT id, ?, ?, ?, ?, ?, ?, ? FROM image WHERE id = ?
        """
    )
    try statement.execute(arguments: [
      kind.rawValue, failure.address.text, failure.failureClass.rawValue, failure.reason, tries,
      failure.failed.storedSeconds, retry, failure.imageID,
    ])
  }

  /// The condition that a failure belongs to a picture that its image still has.
  ///
  /// The failure of a made thumbnail counts only while the feed does not name a thumbnail.
  private static let isCurrent = """
    is_hidden = 0 AND address = CASE kind
      WHEN \(PictureKind.thumbnail.rawValue) THEN thumbnail_address
      WHEN \(PictureKind.original.rawValue) THEN original_address
      ELSE CASE WHEN thumbnail_address IS NULL THEN original_address END
    END
    """

  /// The stored failures of all feeds, by the feeds' ids, the most frequent reason first.
  static func groups(_ db: Database) throws -> [Int64: [FailureGroup]] {
    // The cross join goes from the failures to their images, and never the other way: usually there are few failures.
    let statement = try db.cachedStatement(
      sql: """
        SELECT feed_id, kind, count(*), reason, min(retry_at)
        FROM picture_failure CROSS JOIN image ON image.id = image_id
        WHERE \(isCurrent)
        GROUP BY feed_id, kind, reason ORDER BY feed_id, count(*) DESC, reason, kind
        """
    )
    var groups: [Int64: [FailureGroup]] = [:]
    let rows = try Row.fetchCursor(statement)
    while let row = try rows.next() {
      guard let group = try FailureGroup(row, at: 1) else { continue }
      try groups[row.value(0), default: []].append(group)
    }
    return groups
  }

  /// Adds the stored failures to images; usually there are no failures.
  static func fill(_ images: inout [WebImage], _ db: Database) throws {
    guard !images.isEmpty, try isAny(db) else { return }
    let statement = try db.cachedStatement(
      sql: """
        SELECT image_id, kind, reason, tries, failed_at, retry_at
        FROM picture_failure JOIN image ON image.id = image_id
        WHERE image_id IN (SELECT value FROM json_each(?)) AND \(isCurrent)
        ORDER BY image_id, kind
        """
    )
    var failures: [Int64: [PictureFailure]] = [:]
    let rows = try Row.fetchCursor(statement, arguments: [list(images.map(\.id))])
    while let row = try rows.next() {
      guard let failure = try PictureFailure(row, at: 1) else { continue }
      try failures[row.value(0), default: []].append(failure)
    }
    guard !failures.isEmpty else { return }
    for index in images.indices { images[index].failures = failures[images[index].id] ?? [] }
  }

  private static func isAny(_ db: Database) throws -> Bool {
    let any = try db.cachedStatement(sql: "SELECT 1 FROM picture_failure LIMIT 1")
    return try Row.fetchOne(any) != nil
  }

  private static func list(_ ids: [Int64]) -> String {
    "[\(ids.map(String.init).joined(separator: ","))]"
  }

  /// Forgets the failures of pictures that have been fetched or made; usually there are no failures.
  static func forget(_ imageIDs: [Int64], _ kind: PictureKind, _ db: Database) throws {
    guard !imageIDs.isEmpty, try isAny(db) else { return }
    try db.cachedStatement(sql: forgetSQL(kind)).execute(arguments: [list(imageIDs)])
  }

  static func forgetSQL(_ kind: PictureKind) -> String {
    """
    DELETE FROM picture_failure
    WHERE image_id IN (SELECT value FROM json_each(?)) AND kind = \(kind.rawValue)
    """
  }
}

extension FailureGroup {
  /// Reads kind, number, reason and the date of the next try, from a column on.
  ///
  /// Nil for an unknown kind: this program did not write such a row.
  init?(_ row: Row, at column: Int) throws {
    guard let kind = try PictureKind(rawValue: row.value(column)) else { return nil }
    try self.init(
      kind: kind,
      count: row.bounded(column + 1),
      reason: row.value(column + 2),
      retry: Date(storedSeconds: row.value(column + 3))
    )
  }
}

extension PictureFailure {
  /// Reads kind, reason, tries, and the dates of the last and the next try, from a column on.
  fileprivate init?(_ row: Row, at column: Int) throws {
    guard let kind = try PictureKind(rawValue: row.value(column)) else { return nil }
    try self.init(
      kind: kind,
      reason: row.value(column + 1),
      tries: row.bounded(column + 2),
      failed: Date(storedSeconds: row.value(column + 3)),
      retry: Date(storedSeconds: row.value(column + 4))
    )
  }
}
