package import Models
import Workers

/// The SQL of what is known about the pictures of a feed: the user's choice of images, the pictures that its entries
/// repeated when it was last read, and the `Referer` field that their hosts want.
///
/// A feed without a row has the default, and repeated nothing.
package enum FeedPictureQueries {
  private static let table = "feed_pictures"

  /// Whether the library has their table.
  package static func areKept(_ db: Connection) throws -> Bool { try db.hasTable(table) }

  /// Fills feeds with their choices and their repeated pictures.
  package static func read(into feeds: inout [Feed], _ db: Connection) throws {
    guard try areKept(db) else { return }
    let sql = "SELECT takes_front, repeated, referer, feed_id FROM feed_pictures"
    let rows = try db.rows(sql) { row in try (row.value(3) as Int64, Facts(row)) }
    if rows.isEmpty { return }
    let facts = Dictionary(rows) { first, _ in first }
    for index in feeds.indices { facts[feeds[index].id]?.fill(&feeds[index]) }
  }

  /// Fills one feed.
  package static func read(into feed: inout Feed, _ db: Connection) throws {
    guard try areKept(db) else { return }
    let sql = "SELECT takes_front, repeated, referer FROM feed_pictures WHERE feed_id = $1"
    try db.row(sql, feed.id) { row in try Facts(row) }?.fill(&feed)
  }

  /// The columns of a row.
  private struct Facts {
    let takesFront: Int64
    let repeated: String
    let referer: Int64?

    init(_ row: Row) throws {
      (takesFront, repeated) = try (row.value(0), row.value(1))
      referer = try row.value(2)
    }

    func fill(_ feed: inout Feed) {
      feed.imageChoice = takesFront == 1 ? .front : .all
      feed.repeatedPictures = repeated.split(separator: "\n").map(String.init)
      feed.pictureReferer = referer.flatMap(PictureReferer.init(rawValue:))
    }
  }

  /// Stores the user's choice.
  package static func set(_ choice: ImageChoice, feedID: Int64, _ db: Connection) throws {
    if choice == .all, try !db.mayHaveRows(in: table) { return }
    let sql = """
      INSERT INTO feed_pictures(feed_id, takes_front) VALUES ($1, $2)
      ON CONFLICT (feed_id) DO UPDATE SET takes_front = excluded.takes_front
        WHERE feed_pictures.takes_front <> excluded.takes_front
      """
    try db.run(sql, feedID, choice == .front ? 1 as Int64 : 0)
  }

  /// Stores the repeated pictures of the documents that have just been read.
  package static func set(repeated: [String], feedID: Int64, _ db: Connection) throws {
    if repeated.isEmpty, try !db.mayHaveRows(in: table) { return }
    let sql = """
      INSERT INTO feed_pictures(feed_id, repeated) VALUES ($1, $2)
      ON CONFLICT (feed_id) DO UPDATE SET repeated = excluded.repeated
        WHERE feed_pictures.repeated <> excluded.repeated
      """
    try db.run(sql, feedID, ImageFields.storable(repeated.joined(separator: "\n")))
  }

  /// Stores the `Referer` field that the feed's pictures need.
  package static func set(_ referer: PictureReferer, feedID: Int64, _ db: Connection) throws {
    let sql = """
      INSERT INTO feed_pictures(feed_id, referer) SELECT id, $2 FROM feed WHERE id = $1
      ON CONFLICT (feed_id) DO UPDATE SET referer = excluded.referer
      """
    try db.run(sql, feedID, referer.rawValue)
  }
}
