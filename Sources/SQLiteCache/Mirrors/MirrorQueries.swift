import FoundationEssentials
import GRDB
import Models
import Store
import Workers

/// The SQL of mirrors.
enum MirrorQueries {
  /// The column of a query about feeds with the gallery that a feed is mirrored from; takes the SQL of the feed's id.
  static func gallery(ofFeed id: String) -> String {
    """
    (SELECT gallery.address FROM mirror_feed JOIN feed AS gallery ON gallery.id = mirror_id
      WHERE mirror_feed.feed_id = \(id))
    """
  }

  static func mirror(of gallery: WebAddress, _ db: Database) throws -> MirrorState? {
    let sql = """
      SELECT mirror.feed_id, library, cursor, is_static, public_key
      FROM mirror LEFT JOIN mirror_key ON mirror_key.feed_id = mirror.feed_id
      WHERE mirror.feed_id = ?
      """
    guard let id = try FeedQueries.id(at: gallery, db), let feed = try FeedQueries.feed(id: id, db),
      let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id])
    else { return nil }
    var feeds: [Int64: Int64] = [:]
    let followed = """
      FROM mirror_feed JOIN feed ON feed.id = feed_id
      WHERE mirror_id = ? AND is_gone = 0 AND is_removed = 0
      """
    let numbers = "SELECT origin_id, origin_seq \(followed)"
    try db.cachedStatement(sql: numbers).forEachPair([id]) { feeds[$0] = $1 }
    let pins = "SELECT origin_id FROM mirror_image WHERE mirror_id = ? AND is_pinned = 1"
    let images = "SELECT coalesce(sum(image_count), 0) \(followed)"
    return try MirrorState(
      feed: feed,
      library: row.value(1),
      key: (row.value(4) as String?).flatMap(LibraryKey.init),
      cursor: row.value(2),
      isStatic: row.value(3),
      feeds: feeds,
      pins: Int64.fetchSet(db.cachedStatement(sql: pins), arguments: [id]),
      images: Int.fetchOne(db.cachedStatement(sql: images), arguments: [id]) ?? 0
    )
  }

  /// The galleries from which a library is mirrored, removed or not.
  static func galleries(ofLibrary library: String, _ db: Database) throws -> [WebAddress] {
    let sql = "SELECT address FROM mirror JOIN feed ON feed.id = feed_id WHERE library = ?"
    return try String.fetchAll(db, sql: sql, arguments: [library]).compactMap(WebAddress.init)
  }

  /// Adds the gallery that a page of changes belongs to, or follows it again.
  ///
  /// - Returns: Its id, and whether the library was mirrored from another address until now, so that the cursor comes
  ///   from that copy.
  static func take(_ target: MirrorTarget, _ db: Database) throws -> (id: Int64, hasMoved: Bool) {
    let id: Int64
    if let known = try FeedQueries.id(at: target.gallery.base, db) {
      id = known
      if try FeedQueries.isRemoved(id: id, db) == true {
        try FeedQueries.setRemoved(false, id: id, db)
      }
    } else {
      id = try FeedQueries.insert(address: target.gallery.base, now: target.now, db)
    }
    if var feed = try FeedQueries.feed(id: id, db), feed.format != .gallery {
      (feed.format, feed.isWhole) = (.gallery, true)
      try FeedQueries.update(feed, db)
    }
    if let reach = target.reach { try FeedQueries.setReach(reach, id: id, db) }
    let hasMoved = try takeOver(target, as: id, db)
    let sql = """
      INSERT INTO mirror(feed_id, library, is_static) VALUES (?1, ?2, ?3)
      ON CONFLICT(feed_id) DO UPDATE SET library = ?2, is_static = ?3
      """
    let isStatic = target.gallery.isStatic
    try db.cachedStatement(sql: sql).execute(arguments: [id, target.library, isStatic])
    try set(target.key, ofMirror: id, db)
    return (id, hasMoved)
  }

  private static func set(_ key: LibraryKey?, ofMirror id: Int64, _ db: Database) throws {
    let deletion = "DELETE FROM mirror_key WHERE feed_id = ? AND public_key IS NOT ?"
    try db.cachedStatement(sql: deletion).execute(arguments: [id, key?.text])
    guard let key else { return }
    let sql = "INSERT OR IGNORE INTO mirror_key(feed_id, public_key) VALUES (?, ?)"
    try db.cachedStatement(sql: sql).execute(arguments: [id, key.text])
  }

  static func note(cursor: String, ofMirror id: Int64, _ db: Database) throws {
    let sql = "UPDATE mirror SET cursor = ? WHERE feed_id = ?"
    try db.cachedStatement(sql: sql).execute(arguments: [cursor, id])
  }

  /// Prepares the removal of a gallery: its feeds are removed and come back together with it.
  ///
  /// - Returns: The feeds that are followed; empty for a feed that is not a gallery.
  static func leave(_ id: Int64, _ db: Database) throws -> [Int64] {
    let sql = """
      SELECT feed_id FROM mirror_feed JOIN feed ON feed.id = feed_id
      WHERE mirror_id = ? AND is_removed = 0
      """
    let feeds = try Int64.fetchAll(db, sql: sql, arguments: [id])
    try db.execute(sql: "UPDATE mirror SET cursor = NULL WHERE feed_id = ?", arguments: [id])
    for feed in feeds {
      try db.execute(sql: "UPDATE mirror_feed SET is_gone = 1 WHERE feed_id = ?", arguments: [feed])
    }
    return feeds
  }

  /// The copies of feeds that the gallery had lost, or that were removed with it, and that it names again.
  static func returning(
    _ feeds: [Feed],
    to target: MirrorTarget,
    _ db: Database
  ) throws -> [Int64] {
    let place = target.former ?? target.gallery.base
    guard let mirror = try FeedQueries.id(at: place, db) else { return [] }
    let sql = """
      SELECT feed_id FROM mirror_feed
      WHERE mirror_id = ?1 AND is_gone = 1 AND (origin_id = ?2 OR feed_id = ?3)
      """
    let copies = try db.cachedStatement(sql: sql)
    return try feeds.filter { !$0.isGallery }.flatMap { feed in
      let known = try FeedQueries.id(at: feed.address, db)
      return try Int64.fetchAll(copies, arguments: [mirror, feed.id, known])
    }
  }

  /// Makes a mirrored feed and its images this library's own: the user now follows the feed at its own address.
  static func release(feedID: Int64, _ db: Database) throws {
    let sql = "SELECT EXISTS (SELECT 1 FROM mirror_feed WHERE feed_id = ?)"
    guard try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [feedID]) == true else {
      return
    }
    for table in ["mirror_image", "mirror_thumbnail"] {
      try db.execute(
        sql:
          "DELETE FROM \(table) WHERE image_id IN (SELECT id FROM image WHERE feed_id = ?)",
        arguments: [feedID]
      )
    }
    try db.execute(sql: "DELETE FROM mirror_feed WHERE feed_id = ?", arguments: [feedID])
  }

  /// Makes the pin of an image this library's own, so that it stays when the gallery removes its pin.
  static func ownPin(of imageID: Int64, _ db: Database) throws {
    let sql = "UPDATE mirror_image SET is_pinned = 0 WHERE image_id = ? AND is_pinned = 1"
    try db.cachedStatement(sql: sql).execute(arguments: [imageID])
  }

  /// Keeps an image that the gallery has lost: it counts as gone, and the gallery's pictures of it are forgotten.
  static func keepGone(imageID id: Int64, _ db: Database) throws {
    let lost = "UPDATE mirror_image SET origin_seq = -1, original_sha256 = NULL WHERE image_id = ?"
    try db.cachedStatement(sql: lost).execute(arguments: [id])
    try db.execute(sql: "DELETE FROM mirror_thumbnail WHERE image_id = ?", arguments: [id])
    let gone = """
      UPDATE image SET is_gone = 1, change_seq = \(ChangeLog.next) WHERE id = ? AND is_gone = 0
      """
    try db.execute(sql: gone, arguments: [id])
  }

  /// Deletes an image with everything that belongs to it.
  static func delete(imageID id: Int64, _ db: Database) throws {
    let sql = "SELECT feed_id FROM image WHERE id = ?"
    guard let feedID = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [id]) else {
      return
    }
    try SearchWriting(db.store).remove(id)
    try db.cachedStatement(sql: "DELETE FROM image WHERE id = ?").execute(arguments: [id])
    try ChangeLog.bury(.image, id, db.store)
    try ChangeLog.raise(.pin, id, db.store)
    try FeedQueries.addImages(-1, id: feedID, db)
  }

  static func images(ofFeed originID: Int64, ofMirror id: Int64, _ db: Database) throws
    -> [MirroredImage]
  {
    let sql = """
      SELECT mirror_image.origin_id, mirror_image.origin_seq, date
      FROM mirror_feed JOIN image ON image.feed_id = mirror_feed.feed_id
      JOIN mirror_image ON image_id = image.id
      WHERE mirror_feed.mirror_id = ? AND mirror_feed.origin_id = ? AND mirror_image.origin_seq >= 0
      """
    var images = try db.cachedStatement(sql: sql).rows([id, originID]) { row in
      try MirroredImage(
        id: row.value(0),
        number: row.value(1),
        month: Timeline.month(ofSecond: row.value(2))
      )
    }
    images.sort { $0.id < $1.id }
    return images
  }

  // MARK: Pictures

  static func wantedThumbnails(
    ofMirror id: Int64,
    limit: Int,
    _ db: Database
  ) throws -> [MirroredThumbnail] {
    let sql = """
      SELECT image_id, sha256, bytes, pack_sha256, pack_offset, thumbnail_address, original_address
      FROM mirror_thumbnail INDEXED BY mirror_thumbnail_pack JOIN image ON image.id = image_id
      WHERE mirror_id = ? AND is_hidden = 0 ORDER BY pack_sha256, pack_offset LIMIT ?
      """
    return try db.cachedStatement(sql: sql).rows([id, limit]) { row in
      let named = (try row.value(5) as String?).flatMap(WebAddress.init)
      guard let hash = try SHA256Digest(row, at: 1),
        let address = try named ?? WebAddress(row.value(6))
      else { return nil }
      let pack = try SHA256Digest(row, at: 3).map { pack in
        ImageState.PackReference(hash: pack, offset: try row.bounded(4))
      }
      return MirroredThumbnail(
        imageID: try row.value(0),
        hash: hash,
        bytes: try row.bounded(2),
        pack: pack,
        address: address,
        isMade: named == nil
      )
    }
  }

  /// Deletes the rows of wanted thumbnails that have been stored by now, as they came or made smaller.
  static func forgetThumbnails(of imageIDs: [Int64], _ db: Database) throws {
    let list = "[\(imageIDs.map(String.init).joined(separator: ","))]"
    let sql = """
      DELETE FROM mirror_thumbnail WHERE image_id IN (SELECT value FROM json_each(?))
        AND (sha256 IS (SELECT thumbnail_sha256 FROM image WHERE id = image_id)
          OR lower(hex(sha256)) IS (
            SELECT source_sha256 FROM thumbnail AS had
            WHERE had.image_id = mirror_thumbnail.image_id
          ))
      """
    try db.cachedStatement(sql: sql).execute(arguments: [list])
  }

  static func wantedOriginals(
    ofMirror id: Int64,
    before imageID: Int64,
    limit: Int,
    _ db: Database
  ) throws -> [MirroredOriginal] {
    let sql = """
      \(originals) WHERE mirror_id = ?1 AND mirror_image.image_id < ?2
        AND original_sha256 IS NOT NULL AND is_hidden = 0 AND NOT EXISTS (
          SELECT 1 FROM image_original JOIN original ON original.id = original_id
          WHERE image_original.image_id = mirror_image.image_id
            AND sha256 = lower(hex(original_sha256))
        ) ORDER BY mirror_image.image_id DESC LIMIT ?3
      """
    return try db.cachedStatement(sql: sql).rows([id, imageID, limit], original)
  }

  static func original(imageID: Int64, _ db: Database) throws -> MirroredOriginal? {
    let sql = """
      \(originals) WHERE mirror_image.image_id = ? AND original_sha256 IS NOT NULL
        AND gallery.is_removed = 0
      """
    return try db.cachedStatement(sql: sql).rows([imageID], original).first
  }

  private static let originals = """
    SELECT mirror_image.image_id, original_sha256, image.original_address, gallery.address,
      gallery.reach, gallery.private_host
    FROM mirror_image JOIN image ON image.id = mirror_image.image_id
    JOIN feed AS gallery ON gallery.id = mirror_id
    """

  private static func original(_ row: Row) throws -> MirroredOriginal? {
    guard let hash = try SHA256Digest(row, at: 1), let address = try WebAddress(row.value(2)),
      let gallery = try WebAddress(row.value(3))
    else { return nil }
    return try MirroredOriginal(
      imageID: row.value(0),
      hash: hash,
      address: address,
      gallery: gallery,
      reach: FeedReach(column: row.value(4), host: row.value(5))
    )
  }
}
