import FoundationEssentials
import Models
import Store
import Workers

/// The SQL of mirrors.
enum MirrorQueries {
  static func mirror(of gallery: WebAddress, _ db: Connection) throws -> MirrorState? {
    guard let feed = try FeedQueries.known(at: gallery, db)?.feed,
      let row = try db.rows(
        "SELECT library, cursor, is_static FROM mirror WHERE feed_id = $1",
        feed.id
      ).first
    else { return nil }
    let followed = """
      FROM mirror_feed JOIN feed ON feed.id = feed_id
      WHERE mirror_id = $1 AND NOT is_gone AND NOT is_removed
      """
    var feeds: [Int64: Int64] = [:]
    for (id, number) in try db.rows("SELECT origin_id, origin_seq \(followed)", feed.id).map({
      try ($0.value(0) as Int64, $0.value(1) as Int64)
    }) { feeds[id] = number }
    let pins = "SELECT origin_id FROM mirror_image WHERE mirror_id = $1 AND is_pinned"
    let images = "SELECT coalesce(sum(image_count), 0)::bigint \(followed)"
    return try MirrorState(
      feed: feed,
      library: row.value(0),
      key: key(ofMirror: feed.id, db),
      cursor: row.value(1),
      isStatic: row.value(2),
      feeds: feeds,
      pins: Set(db.rows(pins, feed.id).map { try $0.value(0) }),
      images: db.rows(images, feed.id).first?.value(0) ?? 0
    )
  }

  /// The galleries from which a library is mirrored, removed or not.
  static func galleries(ofLibrary library: String, _ db: Connection) throws -> [WebAddress] {
    let sql = "SELECT address FROM mirror JOIN feed ON feed.id = feed_id WHERE library = $1"
    return try db.rows(sql, library).compactMap { try $0.address(0) }
  }

  /// Returns the gallery that a page belongs to, which is added or followed again if necessary.
  ///
  /// - Returns: Its id, and whether it was mirrored from another address until now. In that case, its cursor is that of
  ///   the other copy.
  static func take(
    _ target: MirrorTarget,
    _ db: Connection
  ) throws -> (id: Int64, hasMoved: Bool) {
    let id: Int64
    if let (feed, isRemoved) = try FeedQueries.known(at: target.gallery.base, db) {
      id = feed.id
      if isRemoved { try FeedQueries.setRemoved(false, id: id, db) }
    } else {
      id = try FeedQueries.insert(address: target.gallery.base, now: target.now, db)
    }
    if var feed = try FeedQueries.known(id: id, db)?.feed, feed.format != .gallery {
      (feed.format, feed.isWhole) = (.gallery, true)
      try FeedQueries.update(feed, db)
    }
    if let reach = target.reach { try FeedQueries.setReach(reach, id: id, db) }
    let hasMoved = try takeOver(target, as: id, db)
    let sql = """
      INSERT INTO mirror(feed_id, library, is_static) VALUES ($1, $2, $3)
      ON CONFLICT (feed_id) DO UPDATE SET library = excluded.library, is_static = excluded.is_static
      """
    try db.rows(sql, id, target.library, target.gallery.isStatic)
    try set(target.key, ofMirror: id, db)
    return (id, hasMoved)
  }

  /// Handles a library that has a new address, and an address that has a new library.
  ///
  /// A library keeps its copy only when the target names its former address, because any gallery can state any UUID. If
  /// the address has a new library, the feeds of the old one count as gone, and its ids are forgotten. The new library
  /// uses the same ids for other images.
  private static func takeOver(
    _ target: MirrorTarget,
    as id: Int64,
    _ db: Connection
  ) throws -> Bool {
    let sameLibrary = """
      SELECT feed_id FROM mirror WHERE library = $1 AND feed_id <> $2 AND library <> ''
        AND feed_id = $3
      """
    let former = try target.former.flatMap { try FeedQueries.id(at: $0, db) }
    let others: [Int64] = try db.rows(sameLibrary, target.library, id, former).map {
      try $0.value(0)
    }
    for other in others { try merge(other, into: id, db) }
    let foreign = "SELECT 1 FROM mirror WHERE feed_id = $1 AND library <> $2"
    guard try db.rows(foreign, id, target.library).count > 0 else { return !others.isEmpty }
    for sql in [
      "UPDATE mirror SET cursor = NULL WHERE feed_id = $1",
      "UPDATE mirror_feed SET is_gone = true, origin_id = -feed_id WHERE mirror_id = $1",
      "DELETE FROM mirror_image WHERE mirror_id = $1",
      "DELETE FROM mirror_thumbnail WHERE mirror_id = $1",
    ] { try db.rows(sql, id) }
    return false
  }

  private static func merge(_ other: Int64, into id: Int64, _ db: Connection) throws {
    let mirror = """
      INSERT INTO mirror(feed_id, library, cursor, is_static)
      SELECT $1, library, cursor, is_static FROM mirror WHERE feed_id = $2 ON CONFLICT DO NOTHING
      """
    try db.rows(mirror, id, other)
    // Where both mirrors have a row, the row of `other` stays.
    for (table, column, key) in [
      ("mirror_feed", "mirror_id", "origin_id"), ("mirror_image", "mirror_id", "origin_id"),
      ("listed_feed", "list_id", "identity"),
    ] {
      let deletion = """
        DELETE FROM \(table) WHERE \(column) = $1
          AND \(key) IN (SELECT \(key) FROM \(table) WHERE \(column) = $2)
        """
      try db.rows(deletion, id, other)
      try db.rows("UPDATE \(table) SET \(column) = $1 WHERE \(column) = $2", id, other)
    }
    try db.rows("UPDATE mirror_thumbnail SET mirror_id = $1 WHERE mirror_id = $2", id, other)
    // The address of `other` may contain a token that is no longer valid.
    try FeedQueries.setRemoved(true, id: other, db)
    try RemovalQueries.deleteFeed(id: other, db)
  }

  static func note(cursor: String, ofMirror id: Int64, _ db: Connection) throws {
    try db.rows("UPDATE mirror SET cursor = $1 WHERE feed_id = $2", cursor, id)
  }

  /// Prepares the removal of a gallery: its feeds are removed with it, and come back with it.
  ///
  /// - Returns: The followed feeds of the gallery; empty for a feed that is not a gallery.
  static func leave(_ id: Int64, _ db: Connection) throws -> [Int64] {
    try db.rows("UPDATE mirror SET cursor = NULL WHERE feed_id = $1", id)
    let sql = """
      UPDATE mirror_feed SET is_gone = true WHERE mirror_id = $1
        AND feed_id IN (SELECT feed.id FROM feed WHERE NOT is_removed) RETURNING feed_id
      """
    return try db.rows(sql, id).map { try $0.value(0) }
  }

  /// Makes a mirrored feed, with its images, this library's own.
  ///
  /// The user now follows it at its own address.
  static func release(feedID: Int64, _ db: Connection) throws {
    let mirrored = "SELECT 1 FROM mirror_feed WHERE feed_id = $1"
    guard try db.rows(mirrored, feedID).count > 0 else { return }
    for table in ["mirror_image", "mirror_thumbnail"] {
      let sql =
        "DELETE FROM \(table) WHERE image_id IN (SELECT id FROM image WHERE feed_id = $1)"
      try db.rows(sql, feedID)
    }
    try db.rows("DELETE FROM mirror_feed WHERE feed_id = $1", feedID)
  }

  /// Makes the pins of images this library's own, and returns how many were the gallery's.
  @discardableResult
  static func ownPins(of imageIDs: [Int64], _ db: Connection) throws -> Int {
    let sql = """
      UPDATE mirror_image SET is_pinned = false WHERE image_id = ANY($1::bigint[]) AND is_pinned
      """
    return try db.rows(sql, imageIDs).written
  }

  /// Keeps an image that the gallery has lost: it counts as gone, and the gallery's pictures of it are forgotten.
  static func keepGone(imageID id: Int64, _ db: Connection) throws {
    let lost = "UPDATE mirror_image SET origin_seq = -1, original_sha256 = NULL WHERE image_id = $1"
    try db.rows(lost, id)
    try db.rows("DELETE FROM mirror_thumbnail WHERE image_id = $1", id)
    let gone = """
      UPDATE image SET is_gone = true, change_seq = next_change() WHERE id = $1 AND NOT is_gone
      """
    try db.rows(gone, id)
  }

  static func images(
    ofFeed originID: Int64,
    ofMirror id: Int64,
    _ db: Connection
  ) throws -> [MirroredImage] {
    let sql = """
      SELECT held.origin_id, held.origin_seq, date
      FROM mirror_feed AS mirrored JOIN image ON image.feed_id = mirrored.feed_id
      JOIN mirror_image AS held ON image_id = image.id
      WHERE mirrored.mirror_id = $1 AND mirrored.origin_id = $2 AND held.origin_seq >= 0
      ORDER BY held.origin_id
      """
    return try db.rows(sql, id, originID).map { row in
      try MirroredImage(
        id: row.value(0),
        number: row.value(1),
        month: Timeline.month(ofSecond: row.value(2))
      )
    }
  }

  // MARK: Pictures

  static func wantedThumbnails(
    ofMirror id: Int64,
    limit: Int,
    _ db: Connection
  ) throws -> [MirroredThumbnail] {
    let sql = """
      SELECT image_id, sha256, bytes, pack_sha256, pack_offset, thumbnail_address, original_address
      FROM mirror_thumbnail JOIN image ON image.id = image_id
      WHERE mirror_id = $1 AND is_hidden = 0
      ORDER BY pack_sha256 NULLS FIRST, pack_offset NULLS FIRST, image_id LIMIT $2
      """
    return try db.rows(sql, id, limit).compactMap { row in
      let named = try row.address(5)
      guard let hash = row.hash(1), let address = try named ?? row.address(6) else { return nil }
      let offset: Int? = try row.value(4)
      return MirroredThumbnail(
        imageID: try row.value(0),
        hash: hash,
        bytes: try row.value(2),
        pack: row.hash(3).map { ImageState.PackReference(hash: $0, offset: offset ?? 0) },
        address: address,
        isMade: named == nil
      )
    }
  }

  /// Forgets wanted thumbnails that have been stored since, as they came or made smaller.
  static func forgetThumbnails(of imageIDs: [Int64], _ db: Connection) throws {
    if imageIDs.isEmpty { return }
    let sql = """
      DELETE FROM mirror_thumbnail AS wanted
      USING image LEFT JOIN thumbnail AS had ON had.image_id = image.id
      WHERE wanted.image_id = ANY($1::bigint[]) AND image.id = wanted.image_id
        AND (wanted.sha256 = thumbnail_sha256 OR encode(wanted.sha256, 'hex') = source_sha256)
      """
    try db.rows(sql, imageIDs)
  }

  static func wantedOriginals(
    ofMirror id: Int64,
    before imageID: Int64,
    limit: Int,
    _ db: Connection
  ) throws -> [MirroredOriginal] {
    let sql = """
      \(originals) WHERE mirror_id = $1 AND held.image_id < $2
        AND original_sha256 IS NOT NULL AND is_hidden = 0 AND NOT EXISTS (
          SELECT 1 FROM image_original AS own JOIN original ON original.id = own.original_id
          WHERE own.image_id = held.image_id AND sha256 = encode(original_sha256, 'hex')
        ) ORDER BY held.image_id DESC LIMIT $3
      """
    return try db.rows(sql, id, imageID, limit).compactMap(original)
  }

  static func original(imageID: Int64, _ db: Connection) throws -> MirroredOriginal? {
    let sql = """
      \(originals) WHERE held.image_id = $1 AND original_sha256 IS NOT NULL
        AND NOT gallery.is_removed
      """
    return try db.rows(sql, imageID).compactMap(original).first
  }

  private static let originals = """
    SELECT held.image_id, original_sha256, image.original_address, gallery.address, gallery.reach,
      gallery.private_host
    FROM mirror_image AS held JOIN image ON image.id = held.image_id
    JOIN feed AS gallery ON gallery.id = mirror_id
    """

  private static func original(_ row: Row) throws -> MirroredOriginal? {
    guard let hash = row.hash(1), let address = try row.address(2),
      let gallery = try row.address(3)
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
