import FoundationEssentials
import GRDB
import Models
import Workers

/// The SQL of what is to be fetched for a feed, newest first.
struct OrderQuery {
  /// Which picture of an image is to be asked for.
  var kind: PictureKind
  /// What makes it wanted.
  var condition: String
  var feedID: Int64
  var wish: PictureWish
  /// The date from which on the stored picture is what it is, where one may be stored.
  var heldSince = "NULL"

  /// How many are wanted.
  func count(_ db: Database) throws -> PictureCount {
    let statement = try db.cachedStatement(sql: countSQL)
    guard let row = try Row.fetchOne(statement, arguments: [feedID, heldBackAfter]) else {
      return PictureCount(offered: 0, heldBack: 0)
    }
    let (wanted, heldBack): (Int, Int) = try (row.value(0), row.value(1))
    return PictureCount(
      offered: wanted - heldBack,
      heldBack: heldBack,
      failures: heldBack > 0 ? try failures(db) : []
    )
  }

  /// Why some are held back, the most frequent reason first.
  private func failures(_ db: Database) throws -> [FailureGroup] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT kind, count(*), reason, min(retry_at)
        FROM image JOIN picture_failure ON image_id = image.id AND kind = \(kind.rawValue)
        WHERE feed_id = ?1 AND is_hidden = 0 AND \(condition)
          AND retry_at > ?2 AND address = \(kind.addressColumn)
        GROUP BY reason ORDER BY count(*) DESC, reason
        """
    )
    return try statement.rows([feedID, heldBackAfter]) { try FailureGroup($0, at: 0) }
  }

  /// The rows behind `last`: first what is left of its own date, then what is older.
  ///
  /// Two questions,
  /// because each is then one range of an index, even where all images have one date.
  func rows(
    after last: PictureOrder?,
    limit: Int,
    _ db: Database
  ) throws -> [PictureOrder] {
    guard let last else { return try fetch("", [], limit: limit, db) }
    let same = try fetch(
      "AND date = ? AND (place, id) > (?, ?)",
      [last.rank.date, last.rank.place, last.imageID],
      limit: limit,
      db
    )
    guard same.count < limit else { return same }
    return try same + fetch("AND date < ?", [last.rank.date], limit: limit - same.count, db)
  }

  func sql(_ range: String) -> String {
    """
    SELECT id, date, place, \(kind.addressColumn), date, \(heldSince), NULL, NULL FROM image
    WHERE feed_id = ?1 AND is_hidden = 0 AND \(condition) AND NOT \(isHeldBack) \(range)
    ORDER BY date DESC, place, id LIMIT ?
    """
  }

  /// Mostly nothing has failed at all, which is found out once and not for each image.
  var countSQL: String {
    let wanted = "FROM image WHERE feed_id = ?1 AND is_hidden = 0 AND \(condition)"
    return """
      SELECT (SELECT count(*) \(wanted)), CASE WHEN EXISTS (SELECT 1 FROM picture_failure)
        THEN (SELECT count(*) \(wanted) AND \(isHeldBack)) ELSE 0 END
      """
  }

  /// Whether it has failed, under the address that it has still, and is not to be tried again yet.
  private var isHeldBack: String {
    """
    EXISTS (
      SELECT 1 FROM picture_failure WHERE image_id = image.id AND kind = \(kind.rawValue)
        AND retry_at > ?2 AND address = \(kind.addressColumn)
    )
    """
  }

  /// Failures hold a picture back whose date for the next try is later.
  private var heldBackAfter: Int64 {
    wish.all || wish.retriesFailed ? .max : wish.now.storedSeconds
  }

  private func fetch(
    _ range: String,
    _ bounds: StatementArguments,
    limit: Int,
    _ db: Database
  ) throws -> [PictureOrder] {
    let statement = try db.cachedStatement(sql: sql(range))
    let arguments = [feedID, heldBackAfter] + bounds + [max(limit, 0)]
    return try statement.rows(arguments, PictureOrder.init)
  }
}
