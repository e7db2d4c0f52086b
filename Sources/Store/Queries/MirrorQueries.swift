package import Models
package import Workers

/// The SQL of mirrors.
package enum MirrorQueries {
  /// The column of a query about feeds with the gallery that a feed is mirrored from; takes the SQL of the feed's id.
  package static func gallery(ofFeed id: String) -> String {
    """
    (SELECT gallery.address FROM mirror_feed JOIN feed AS gallery ON gallery.id = mirror_id
      WHERE mirror_feed.feed_id = \(id))
    """
  }

  /// The same for the id that a feed has in that gallery, and the UUID of the gallery's library, separated by a space.
  static func origin(ofFeed id: String) -> String {
    """
    (SELECT CAST(origin_id AS text) || ' ' || mirror.library
      FROM mirror_feed JOIN mirror ON mirror.feed_id = mirror_id WHERE mirror_feed.feed_id = \(id))
    """
  }

  /// The address that stands for that of a file of a gallery's machine; takes the column `origin(ofFeed:)`.
  static func standIn(_ gallery: WebAddress, _ origin: String) -> WebAddress? {
    let parts = origin.split(separator: " ", maxSplits: 1)
    // The id is negative if the gallery has been replaced.
    guard parts.count == 2, let id = Int64(parts[0]), id > 0 else { return nil }
    return GalleryAddress(base: gallery, isStatic: false).feed(id, of: String(parts[1]))
  }

  /// The copy of a gallery; nil for a feed that is not a mirrored gallery.
  static func mirror(of gallery: Feed, _ db: Connection) throws -> MirrorState? {
    let id = gallery.id
    let followed = """
      FROM mirror_feed JOIN feed ON feed.id = feed_id
      WHERE mirror_id = $1 AND NOT is_gone AND NOT is_removed
      """
    let numbers = "SELECT origin_id, origin_seq \(followed)"
    let pins = """
      SELECT origin_id FROM mirror_image
      WHERE mirror_id = $1 AND \(db.dialect.isTrue("is_pinned"))
      """
    let images = "SELECT CAST(coalesce(sum(image_count), 0) AS bigint) \(followed)"
    let sql = "SELECT library, cursor, is_static FROM mirror WHERE feed_id = $1"
    return try db.row(sql, id) { row in
      try MirrorState(
        feed: gallery,
        library: row.value(0),
        key: key(ofMirror: id, db),
        cursor: row.value(1),
        isStatic: row.value(2),
        feeds: Dictionary(
          db.rows(numbers, id) { try ($0.value(0) as Int64, $0.value(1) as Int64) }
        ) { first, _ in first },
        pins: Set(db.column(pins, id)),
        images: db.value(images, id) ?? 0
      )
    }
  }

  /// The galleries from which a library is mirrored, removed or not.
  package static func galleries(ofLibrary library: String, _ db: Connection) throws -> [WebAddress]
  {
    let sql = "SELECT address FROM mirror JOIN feed ON feed.id = feed_id WHERE library = $1"
    return try db.rows(sql, library) { row in try row.address(0) }
  }

  /// Notes that a feed is the gallery of a target.
  static func store(
    _ target: MirrorTarget,
    ofMirror id: Int64,
    _ db: Connection
  ) throws {
    let sql = """
      INSERT INTO mirror(feed_id, library, is_static) VALUES ($1, $2, $3)
      ON CONFLICT (feed_id) DO UPDATE SET library = excluded.library, is_static = excluded.is_static
      """
    try db.run(sql, id, target.library, target.gallery.isStatic)
    try set(target.key, ofMirror: id, db)
  }

  /// Prepares the removal of a gallery: its feeds are removed and come back together with it.
  ///
  /// - Returns: The feeds that are followed; empty for a feed that is not a gallery.
  package static func leave(_ id: Int64, _ db: Connection) throws -> [Int64] {
    try db.run("UPDATE mirror SET cursor = NULL WHERE feed_id = $1", id)
    let sql = """
      UPDATE mirror_feed SET is_gone = true
      WHERE mirror_id = $1 AND NOT (SELECT is_removed FROM feed WHERE feed.id = feed_id)
      RETURNING feed_id
      """
    return try db.column(sql, id)
  }

  /// The copies of a feed that the gallery had lost, or that were removed with it.
  ///
  /// - Parameters:
  ///   - originID: The id of the feed in the gallery.
  ///   - feedID: The feed of this library that has the same address; nil without one.
  ///   - id: The gallery.
  ///   - db: A connection.
  /// - Returns: The ids of the copies.
  /// - Throws: when the library cannot be read.
  static func gone(
    originID: Int64,
    feedID: Int64?,
    ofMirror id: Int64,
    _ db: Connection
  ) throws -> [Int64] {
    let sql = """
      SELECT feed_id FROM mirror_feed
      WHERE mirror_id = $1 AND is_gone AND (origin_id = $2 OR feed_id = $3)
      """
    return try db.column(sql, id, originID, feedID)
  }

  /// Makes a mirrored feed and its images this library's own: the user now follows the feed at its own address.
  package static func release(feedID: Int64, _ db: Connection) throws {
    guard try db.hasRow("SELECT 1 FROM mirror_feed WHERE feed_id = $1", feedID) else { return }
    for table in ["mirror_image", "mirror_thumbnail"] {
      let sql =
        "DELETE FROM \(table) WHERE image_id IN (SELECT id FROM image WHERE feed_id = $1)"
      try db.run(sql, feedID)
    }
    try db.run("DELETE FROM mirror_feed WHERE feed_id = $1", feedID)
  }

  /// Makes the pins of images this library's own, so that they stay when the gallery removes its pins.
  ///
  /// - Returns: The number of the gallery's pins among them.
  @discardableResult
  package static func ownPins(of imageIDs: [Int64], _ db: Connection) throws -> Int {
    let sql = """
      UPDATE mirror_image SET is_pinned = false WHERE image_id \(db.dialect.ids(1)) AND is_pinned
      """
    return try db.run(sql, imageIDs)
  }

  /// Keeps an image that the gallery has lost: it counts as gone, and the gallery's pictures of it are forgotten.
  package static func keepGone(imageID id: Int64, _ db: Connection) throws {
    let lost = "UPDATE mirror_image SET origin_seq = -1, original_sha256 = NULL WHERE image_id = $1"
    try db.run(lost, id)
    try db.run("DELETE FROM mirror_thumbnail WHERE image_id = $1", id)
    let gone = """
      UPDATE image SET is_gone = true, change_seq = \(db.dialect.nextChange)
      WHERE id = $1 AND NOT is_gone
      """
    try db.run(gone, id)
  }

  /// The images of a feed of the gallery, by their ids there.
  package static func images(
    ofFeed originID: Int64,
    ofMirror id: Int64,
    _ db: Connection
  ) throws -> [MirroredImage] {
    let sql = """
      SELECT held.origin_id, held.origin_seq, date
      FROM mirror_feed JOIN image ON image.feed_id = mirror_feed.feed_id
      JOIN mirror_image AS held ON image_id = image.id
      WHERE mirror_feed.mirror_id = $1 AND mirror_feed.origin_id = $2 AND held.origin_seq >= 0
      """
    var images = try db.rows(sql, id, originID) { row in
      try MirroredImage(
        id: row.value(0),
        number: row.value(1),
        month: Timeline.month(ofSecond: row.value(2))
      )
    }
    images.sort { $0.id < $1.id }
    return images
  }

  // MARK: Another address, another library

  /// Whether a gallery has the copy of a library.
  static func hasCopy(of library: String, _ id: Int64, _ db: Connection) throws -> Bool {
    let sql = "SELECT 1 FROM mirror WHERE feed_id = $1 AND library = $2 AND library <> ''"
    return try db.hasRow(sql, id, library)
  }

  /// Whether a feed has images, hidden ones included.
  static func hasImages(feedID: Int64, _ db: Connection) throws -> Bool {
    try db.hasRow("SELECT 1 FROM image WHERE feed_id = $1 LIMIT 1", feedID)
  }

  /// Makes the copy of one gallery that of another.
  static func hand(_ other: Int64, to id: Int64, _ db: Connection) throws {
    let mirror = """
      INSERT INTO mirror(feed_id, library, cursor, is_static)
      SELECT $1, library, cursor, is_static FROM mirror WHERE feed_id = $2 ON CONFLICT DO NOTHING
      """
    try db.run(mirror, id, other)
    // Where both have a row, the row of `other` stays.
    for (table, column, key) in [
      ("mirror_feed", "mirror_id", "origin_id"), ("mirror_image", "mirror_id", "origin_id"),
      ("listed_feed", "list_id", "identity"),
    ] {
      let deletion = """
        DELETE FROM \(table) WHERE \(column) = $1
          AND \(key) IN (SELECT \(key) FROM \(table) WHERE \(column) = $2)
        """
      try db.run(deletion, id, other)
      try db.run("UPDATE \(table) SET \(column) = $1 WHERE \(column) = $2", id, other)
    }
    try db.run("UPDATE mirror_thumbnail SET mirror_id = $1 WHERE mirror_id = $2", id, other)
    try db.run("DELETE FROM mirror WHERE feed_id = $1", other)
  }

  /// Lets the copy of another library than the one that a gallery has now count as gone.
  ///
  /// In the new library the same ids mean other images, so they must not find the old ones.
  static func forgetOtherLibrary(
    than library: String,
    ofMirror id: Int64,
    _ db: Connection
  ) throws {
    let foreign = "SELECT 1 FROM mirror WHERE feed_id = $1 AND library <> $2"
    guard try db.hasRow(foreign, id, library) else { return }
    for sql in [
      "UPDATE mirror SET cursor = NULL WHERE feed_id = $1",
      "UPDATE mirror_feed SET is_gone = true, origin_id = -feed_id WHERE mirror_id = $1",
      "DELETE FROM mirror_image WHERE mirror_id = $1",
      "DELETE FROM mirror_thumbnail WHERE mirror_id = $1",
    ] { try db.run(sql, id) }
  }

  // MARK: Keys

  /// Whether the library has the table of the keys with which mirrored galleries sign.
  ///
  /// A library of PostgreSQL that was made before them has it after its next write.
  package static func hasKeys(_ db: Connection) throws -> Bool {
    try db.hasTable("mirror_key")
  }

  private static func key(ofMirror id: Int64, _ db: Connection) throws -> LibraryKey? {
    guard try hasKeys(db) else { return nil }
    let text: String? = try db.value("SELECT public_key FROM mirror_key WHERE feed_id = $1", id)
    return text.flatMap(LibraryKey.init)
  }

  private static func set(_ key: LibraryKey?, ofMirror id: Int64, _ db: Connection) throws {
    let deletion = "DELETE FROM mirror_key WHERE feed_id = $1 AND public_key IS DISTINCT FROM $2"
    try db.run(deletion, id, key?.text)
    guard let key else { return }
    let sql = "INSERT INTO mirror_key(feed_id, public_key) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    try db.run(sql, id, key.text)
  }
}
