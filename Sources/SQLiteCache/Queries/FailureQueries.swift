import FoundationEssentials
import GRDB
import Models
import Workers

/// The SQL about pictures that could not be had.
enum FailureQueries {
  /// Remembers failures; where a right picture is stored, its server is asked again with the next try.
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

  /// How often it has failed in a row in the same way and under the same address.
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

  /// Not of an image that has been deleted meanwhile.
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

  /// Forgets the failures of pictures that were had; mostly there are none at all.
  static func forget(_ imageIDs: [Int64], _ kind: PictureKind, _ db: Database) throws {
    let any = try db.cachedStatement(sql: "SELECT 1 FROM picture_failure LIMIT 1")
    guard !imageIDs.isEmpty, try Row.fetchOne(any) != nil else { return }
    let ids = "[\(imageIDs.map(String.init).joined(separator: ","))]"
    try db.cachedStatement(sql: forgetSQL(kind)).execute(arguments: [ids])
  }

  static func forgetSQL(_ kind: PictureKind) -> String {
    """
    DELETE FROM picture_failure
    WHERE image_id IN (SELECT value FROM json_each(?)) AND kind = \(kind.rawValue)
    """
  }
}
