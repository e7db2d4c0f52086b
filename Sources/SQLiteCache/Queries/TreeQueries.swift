import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// Reads the rows that a library's tree of hashes consists of, in one transaction; of images it reads only indexes.
enum TreeQueries {
  static func tree(_ db: Database) throws -> LibraryTree? {
    guard let version = try ChangeLog.version(db) else { return nil }
    let hashing = try TreeHashing(images(db))
    return try hashing.tree(version: version, feeds: feeds(hashing, db), pins: pins(db))
  }

  /// All listed images, by id.
  private static func images(_ db: Database) throws -> [TreeHashing.NumberedImage] {
    let listed = "FROM image INDEXED BY image_change WHERE is_hidden = 0"
    let sql = "SELECT id, change_seq \(listed)"
    let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) \(listed)")) ?? 0
    var images: [TreeHashing.NumberedImage] = []
    // An array that grows could end with twice the memory that it needs.
    images.reserveCapacity(count)
    try db.cachedStatement(sql: sql).forEachPair([]) { id, number in images.append((id, number)) }
    images.sort { $0.id < $1.id }
    return images
  }

  private static func feeds(
    _ hashing: TreeHashing,
    _ db: Database
  ) throws -> [LibraryTree.Feed] {
    let sql = "SELECT id, change_seq FROM feed WHERE is_removed = 0 ORDER BY id"
    let listed = """
      SELECT id, date FROM image INDEXED BY image_feed_newest
      WHERE is_hidden = 0 AND feed_id = ?
      """
    return try db.cachedStatement(sql: sql).rows { row in
      let id: Int64 = try row.value(0)
      var images: [(id: Int64, date: Int64)] = []
      try db.cachedStatement(sql: listed).forEachPair([id]) { images.append(($0, $1)) }
      return try hashing.feed(id, number: row.value(1), images)
    }
  }

  private static func pins(_ db: Database) throws -> [LibraryTree.Pin] {
    let sql = """
      SELECT image_id, pin.change_seq, pinned_at FROM pin JOIN image ON image.id = image_id
      WHERE is_hidden = 0 ORDER BY image_id
      """
    return try db.cachedStatement(sql: sql).rows { row in
      try LibraryTree.Pin(
        imageID: row.value(0),
        number: row.value(1),
        date: Date(storedSeconds: row.value(2))
      )
    }
  }

  // MARK: A leaf

  /// The images of a feed and a month in a range of ids, by id.
  static func images(
    ofFeed feedID: Int64,
    month: Int,
    ids: ClosedRange<Int64>,
    _ db: Database
  ) throws -> [ImageState] {
    let dates = Timeline.seconds(ofMonth: month)
    let sql = """
      SELECT id FROM image INDEXED BY image_feed_newest
      WHERE is_hidden = 0 AND feed_id = ? AND date >= ? AND date < ? AND id BETWEEN ? AND ?
      LIMIT ?
      """
    let found = try Int64.fetchAll(
      db.cachedStatement(sql: sql),
      arguments: [
        feedID, dates.lowerBound, dates.upperBound, ids.lowerBound, ids.upperBound,
        LibraryTree.imagesPerLeaf,
      ]
    )
    let states = try ImageStates.states(found, db.store)
    return found.sorted().compactMap { states[$0] }
  }
}
