import GRDB
import Models
import Store
import Workers

/// The facts about all feeds that a listing needs, from one state of the library.
struct FeedTitles {
  /// All feeds, by id.
  private(set) var references: [FeedReference] = []
  /// Removed feeds with images that are not hidden yet: their removal is under way, or was interrupted.
  private(set) var halfRemoved: [Int64] = []

  init(_ db: Database) throws {
    let sql = """
      SELECT id, address, coalesce(given_title, title), is_removed AND EXISTS (
        SELECT 1 FROM image INDEXED BY image_feed_newest
        WHERE feed_id = feed.id AND is_hidden = 0
      ), reach, private_host, \(MirrorQueries.gallery(ofFeed: "feed.id")) FROM feed ORDER BY id
      """
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      guard let address = try WebAddress(row.value(1)) else { continue }
      let reach = try FeedReach(column: row.value(4), host: row.value(5))
      let reference = try FeedReference(
        id: row.value(0),
        address: address,
        title: row.value(2),
        reach: reach,
        gallery: (row.value(6) as String?).flatMap(WebAddress.init)
      )
      references.append(reference)
      if try row.value(3) { halfRemoved.append(reference.id) }
    }
  }

  subscript(id: Int64) -> FeedReference? {
    var (lower, upper) = (0, references.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if references[middle].id < id { lower = middle + 1 } else { upper = middle }
    }
    return lower < references.count && references[lower].id == id ? references[lower] : nil
  }
}
