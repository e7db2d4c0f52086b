/// The number of images that the row of each feed has.
package enum FeedImageCount {
  /// Adds to the number of a feed's images, or subtracts from it.
  package static func add(_ count: Int, toFeed id: Int64, _ db: Connection) throws {
    if count == 0 { return }
    let sql = """
      UPDATE feed SET image_count = image_count + $1, change_seq = \(db.dialect.nextChange)
      WHERE id = $2
      """
    try db.run(sql, count, id)
  }

  package static func count(ofFeed id: Int64, _ db: Connection) throws -> Int {
    try db.value("SELECT image_count FROM feed WHERE id = $1", id) ?? 0
  }
}
