import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Workers

/// The SQL about asking servers whether stored pictures have changed under their addresses.
///
/// A picture whose server is to be asked has a date in `thumbnail_check_at` or `original_check_at`. Only images that
/// the feed's documents still list have such dates, so the queries take only as long as the documents are.
enum CheckQueries {
  /// The images of a feed whose pictures are due, the longest due first.
  static func due(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter,
    _ db: Database
  ) throws -> [Int64] {
    let statement = try db.cachedStatement(sql: dueSQL(kind, retriesFailed: filter.retriesFailed))
    return try statement.rows([feedID, filter.now.storedSeconds]) { row in try row.value(0) }
  }

  static func dueSQL(_ kind: PictureKind, retriesFailed: Bool) -> String {
    let date = kind.checkColumn
    // A picture that has failed is due at its next try, or at once with `retriesFailed`.
    let isDue =
      retriesFailed
      ? """
      \(date) IS NOT NULL AND (\(date) <= ?2 OR EXISTS (
        SELECT 1 FROM picture_failure WHERE image_id = image.id AND kind = \(kind.rawValue)
      ))
      """
      : "\(date) <= ?2"
    return """
      SELECT id FROM image WHERE feed_id = ?1 AND \(isDue) AND \(kind.isStored) ORDER BY \(date)
      """
  }

  /// The stored pictures of images, with the addresses and validators for asking their servers.
  static func checks(
    _ kind: PictureKind,
    imageIDs: [Int64],
    _ db: Database
  ) throws -> [WantedPicture] {
    let statement = try db.cachedStatement(sql: checkSQL(kind))
    return try imageIDs.compactMap { id in
      try Row.fetchOne(statement, arguments: [id]).flatMap(WantedPicture.init)
    }
  }

  static func checkSQL(_ kind: PictureKind) -> String {
    """
    SELECT image.id, date, position, \(kind.addressColumn), date, held.\(kind.arrivalColumn),
      held.etag, held.last_modified
    FROM image JOIN \(kind.table) AS held ON held.image_id = image.id
    WHERE image.id = ? AND is_hidden = 0 AND \(kind.isStored)
    """
  }

  /// Stops the checks of pictures whose images a feed's documents do not have.
  ///
  /// - Returns: Whether there may be more such images than the limit.
  static func end(
    feedID: Int64,
    except listed: IDSet,
    limit: Int,
    _ db: Database
  ) throws -> Bool {
    var left = limit
    for kind in [PictureKind.thumbnail, .original] {
      let ids = try Int64.fetchAll(db, sql: askedSQL(kind), arguments: [feedID])
      let update = try db.cachedStatement(
        sql: "UPDATE image SET \(kind.checkColumn) = NULL WHERE id = ?"
      )
      for id in ids.lazy.filter({ !listed.contains($0) }).prefix(left) {
        try update.execute(arguments: [id])
        left -= 1
      }
    }
    return left == 0
  }

  static func askedSQL(_ kind: PictureKind) -> String {
    "SELECT id FROM image WHERE feed_id = ? AND \(kind.checkColumn) IS NOT NULL"
  }
}
