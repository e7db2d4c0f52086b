import LibraryFiles
import Models
import Store
import Workers

/// The SQL about asking servers whether stored pictures have changed under their addresses.
///
/// A picture whose server is to be asked has a date in `thumbnail_check_at` or `original_check_at`. Only images that
/// the feed's documents still list have such dates, so the queries take only as long as the documents are.
enum CheckQueries {
  /// Stops the checks of pictures whose images a feed's documents do not have.
  ///
  /// - Returns: Whether there may be more such images than the limit.
  static func end(
    feedID: Int64,
    except listed: IDSet,
    limit: Int,
    _ db: Connection
  ) throws -> Bool {
    var left = limit
    for kind in [PictureKind.thumbnail, .original] {
      let ids: [Int64] = try db.column(askedSQL(kind), feedID)
      let update = "UPDATE image SET \(kind.checkColumn) = NULL WHERE id = $1"
      for id in ids.lazy.filter({ !listed.contains($0) }).prefix(left) {
        try db.run(update, id)
        left -= 1
      }
    }
    return left == 0
  }

  static func askedSQL(_ kind: PictureKind) -> String {
    "SELECT id FROM image WHERE feed_id = $1 AND \(kind.checkColumn) IS NOT NULL"
  }
}
