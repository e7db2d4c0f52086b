package import Models
import Workers

/// The SQL of which pictures of a feed's entries are images: the user's choice, and the pictures that its entries
/// repeated when it was last read.
///
/// A feed without a row has the default, and repeated nothing.
package enum FeedPictureQueries {
  private static let table = "feed_pictures"

  /// Whether the library has their table.
  package static func areKept(_ db: Connection) throws -> Bool { try db.hasTable(table) }

  /// Fills feeds with their choices and their repeated pictures.
  package static func read(into feeds: inout [Feed], _ db: Connection) throws {
    guard try areKept(db) else { return }
    let sql = "SELECT feed_id, takes_front, repeated FROM feed_pictures"
    let rows = try db.rows(sql) { row in
      try (id: row.value(0) as Int64, front: row.value(1) as Int64, text: row.value(2) as String)
    }
    if rows.isEmpty { return }
    let byID = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
    for index in feeds.indices {
      if let row = byID[feeds[index].id] { fill(&feeds[index], row.front, row.text) }
    }
  }

  /// Fills one feed.
  package static func read(into feed: inout Feed, _ db: Connection) throws {
    guard try areKept(db) else { return }
    let sql = "SELECT takes_front, repeated FROM feed_pictures WHERE feed_id = $1"
    let row = try db.row(sql, feed.id) { row in
      try (front: row.value(0) as Int64, text: row.value(1) as String)
    }
    if let row { fill(&feed, row.front, row.text) }
  }

  private static func fill(_ feed: inout Feed, _ takesFront: Int64, _ repeated: String) {
    feed.imageChoice = takesFront == 1 ? .front : .all
    feed.repeatedPictures = repeated.split(separator: "\n").map(String.init)
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
}
