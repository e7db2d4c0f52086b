import GRDB
import Models
import Workers

/// The SQL of what is to be fetched for a feed, newest first.
struct OrderQuery {
  /// The column of the address that is to be asked for.
  var column: String
  var condition: String
  var feedID: Int64

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
    SELECT id, date, place, \(column) FROM image
    WHERE feed_id = ? AND is_hidden = 0 AND \(condition) \(range)
    ORDER BY date DESC, place, id LIMIT ?
    """
  }

  private func fetch(
    _ range: String,
    _ bounds: StatementArguments,
    limit: Int,
    _ db: Database
  ) throws -> [PictureOrder] {
    let statement = try db.cachedStatement(sql: sql(range))
    let rows = try Row.fetchCursor(statement, arguments: [feedID] + bounds + [max(limit, 0)])
    return try Array(rows.compactMap(Self.order))
  }

  /// Nil for an address that is none: such a row was not written by this program.
  private static func order(_ row: Row) -> PictureOrder? {
    guard let address = WebAddress(row[3]) else { return nil }
    return PictureOrder(
      imageID: row[0],
      address: address,
      rank: PictureOrder.Rank(date: row[1], place: row[2])
    )
  }
}
