import FoundationEssentials
import LibraryFiles
import Models
package import Workers

/// Reads the rows that a library's tree of hashes consists of, in one transaction; of images it reads only indexes.
package enum TreeQueries {
  package static func tree(_ db: Connection) throws -> LibraryTree? {
    guard let version = try ChangeLog.version(db) else { return nil }
    let hashing = try TreeHashing(images(db))
    return try hashing.tree(version: version, feeds: feeds(hashing, db), pins: pins(db))
  }

  /// All listed images, by id.
  private static func images(_ db: Connection) throws -> [TreeHashing.NumberedImage] {
    let listed = "FROM image \(db.dialect.hint("image_change")) WHERE is_hidden = 0"
    var images: [TreeHashing.NumberedImage] = []
    // An array that grows could end with twice the memory that it needs.
    images.reserveCapacity(try db.value("SELECT count(*) \(listed)") ?? 0)
    try db.forEachRow("SELECT id, change_seq \(listed)", with: Values()) { row in
      images.append(try (row.value(0), row.value(1)))
      return true
    }
    images.sort { $0.id < $1.id }
    return images
  }

  private static func feeds(
    _ hashing: TreeHashing,
    _ db: Connection
  ) throws -> [LibraryTree.Feed] {
    let sql = "SELECT id, change_seq FROM feed WHERE NOT is_removed ORDER BY id"
    let listed = """
      SELECT id, date FROM image \(db.dialect.hint("image_feed_newest"))
      WHERE is_hidden = 0 AND feed_id = $1
      """
    return try db.rows(sql) { row in
      let id: Int64 = try row.value(0)
      let images = try db.rows(listed, id) { image in
        try (id: image.value(0) as Int64, date: image.value(1) as Int64)
      }
      return try hashing.feed(id, number: row.value(1), images)
    }
  }

  private static func pins(_ db: Connection) throws -> [LibraryTree.Pin] {
    let sql = """
      SELECT image_id, pin.change_seq, pinned_at FROM pin JOIN image ON image.id = image_id
      WHERE is_hidden = 0 ORDER BY image_id
      """
    return try db.rows(sql) { row in
      try LibraryTree.Pin(
        imageID: row.value(0),
        number: row.value(1),
        date: Date(storedSeconds: row.value(2))
      )
    }
  }

  // MARK: A leaf

  /// The images of a feed and a month in a range of ids, by id.
  package static func images(
    ofFeed feedID: Int64,
    month: Int,
    ids: ClosedRange<Int64>,
    _ db: Connection
  ) throws -> [ImageState] {
    let dates = Timeline.seconds(ofMonth: month)
    let sql = """
      SELECT id FROM image \(db.dialect.hint("image_feed_newest"))
      WHERE is_hidden = 0 AND feed_id = $1 AND date >= $2 AND date < $3 AND id BETWEEN $4 AND $5
      LIMIT $6
      """
    let found: [Int64] = try db.column(
      sql,
      feedID,
      dates.lowerBound,
      dates.upperBound,
      ids.lowerBound,
      ids.upperBound,
      LibraryTree.imagesPerLeaf
    )
    let states = try ImageStates.states(found, db)
    return found.sorted().compactMap { states[$0] }
  }
}
