import FoundationEssentials
import Models
import Workers

/// The changes of rows that applying a page of another gallery needs (`MirrorWriting`), within one transaction.
///
/// An `originID` is an id of the gallery, and a number is a change number of the gallery. Every method throws when the
/// library cannot be read or written.
struct MirrorRows {
  let mirrorID: Int64
  let now: Date
  let db: Connection

  // MARK: Feeds

  /// A feed of this library, and whether it is removed.
  func feed(id: Int64) throws -> (feed: Feed, isRemoved: Bool)? {
    try FeedQueries.known(id: id, db)
  }

  /// The feed with this present or former address, removed or not.
  ///
  /// If the address stands for that of a file, also the copy of the same file, whatever address that copy has.
  func feedID(at address: WebAddress) throws -> Int64? {
    if let id = try FeedQueries.id(at: address, db) { return id }
    guard let untold = GalleryAddress.untoldFeed(address) else { return nil }
    let sql = """
      SELECT mirror_feed.feed_id FROM mirror_feed JOIN mirror ON mirror.feed_id = mirror_id
      WHERE origin_id = $1 AND mirror.library = $2 ORDER BY mirror_feed.feed_id LIMIT 1
      """
    return try db.value(sql, untold.id, untold.library)
  }

  /// Whether an address stands for that of a feed of this library, in a copy of it.
  func isOwn(_ address: WebAddress) throws -> Bool {
    guard address.query?.hasPrefix("library=") == true else { return false }
    let library = try ChangeLog.version(db)?.library ?? ""
    return GalleryAddress.isUntoldFeed(address, of: library)
  }

  func addFeed(at address: WebAddress) throws -> Int64 {
    try FeedQueries.insert(address: address, now: now, db)
  }

  /// Removes a feed, or follows it again with its images.
  func setRemoved(_ isRemoved: Bool, feedID id: Int64) throws {
    try FeedQueries.setRemoved(isRemoved, id: id, db)
  }

  /// Stores the gallery's facts about a feed, including its address.
  func update(_ feed: Feed, movedTo address: WebAddress) throws {
    var feed = feed
    if feed.address.identity != address.identity {
      try AliasQueries.move(&feed, to: address, db)
    }
    try FeedQueries.update(feed, db)
  }

  // MARK: Copies of feeds

  func copy(ofFeed originID: Int64) throws -> MirroredFeed? {
    let sql = """
      SELECT feed_id, origin_seq, is_gone FROM mirror_feed WHERE mirror_id = $1 AND origin_id = $2
      """
    return try db.row(sql, mirrorID, originID) { row in
      try MirroredFeed(id: row.value(0), number: row.value(1), isGone: row.value(2))
    }
  }

  /// Records that a feed is the copy of a feed of the gallery, with its number.
  func add(_ copy: MirroredFeed, ofFeed originID: Int64) throws {
    let sql = """
      INSERT INTO mirror_feed(mirror_id, origin_id, origin_seq, feed_id, is_gone)
      VALUES ($1, $2, $3, $4, $5)
      """
    try db.run(sql, mirrorID, originID, copy.number, copy.id, copy.isGone)
  }

  func set(number: Int64, isGone: Bool, ofFeed originID: Int64) throws {
    let sql = """
      UPDATE mirror_feed SET origin_seq = $1, is_gone = $2
      WHERE mirror_id = $3 AND origin_id = $4
      """
    try db.run(sql, number, isGone, mirrorID, originID)
  }

  /// Gives the copy of a gone feed the gallery's new id for it; returns false for any other feed.
  func revive(_ copy: MirroredFeed, ofFeed originID: Int64) throws -> Bool {
    let sql = """
      UPDATE mirror_feed SET origin_id = $1, origin_seq = $2
      WHERE feed_id = $3 AND mirror_id = $4 AND is_gone
      """
    return try db.run(sql, originID, copy.number, copy.id, mirrorID) > 0
  }

  /// Adds a feed to the gallery's list of feeds.
  func list(_ address: WebAddress, ofFeed originID: Int64) throws {
    let sql = """
      INSERT INTO listed_feed(list_id, identity, address, position) VALUES ($1, $2, $3, $4)
      ON CONFLICT (list_id, identity) DO UPDATE SET position = excluded.position
      """
    try db.run(sql, mirrorID, address.identity, address.text, originID)
  }

  func unlist(feedID: Int64) throws {
    let sql = """
      DELETE FROM listed_feed
      WHERE list_id = $1 AND identity IN (SELECT identity FROM feed WHERE id = $2)
      """
    try db.run(sql, mirrorID, feedID)
  }

  // MARK: Images

  func copy(ofImage originID: Int64) throws -> (id: Int64, number: Int64)? {
    let sql = """
      SELECT image_id, origin_seq FROM mirror_image WHERE mirror_id = $1 AND origin_id = $2
      """
    return try db.row(sql, mirrorID, originID) { row in
      try (id: row.value(0), number: row.value(1))
    }
  }

  func originalAddress(ofImage id: Int64) throws -> WebAddress? {
    try db.row("SELECT original_address FROM image WHERE id = $1", id) { try $0.address(0) }
  }

  /// Marks images that are missing in their feed's documents as gone.
  func markGone(_ imageIDs: [Int64]) throws {
    if imageIDs.isEmpty { return }
    try db.run("UPDATE image SET is_gone = true WHERE id \(db.dialect.ids(1))", imageIDs)
  }

  /// Adds images with the date on which they were first seen, and returns their ids in order.
  func insert(
    _ images: [NewImage],
    feedID: Int64,
    firstSeen: Int64
  ) throws -> [Int64] {
    let ids = try ImageWriting(feedID: feedID, now: firstSeen, db).insert(images)
    try FeedImageCount.add(ids.count, toFeed: feedID, db)
    return ids
  }

  /// Updates an image; its stored pictures stay until new ones arrive.
  func update(_ id: Int64, to state: ImageState, feedID: Int64) throws {
    let former: Int64? = try db.value("SELECT feed_id FROM image WHERE id = $1", id)
    if let former, former != feedID {
      try FeedImageCount.add(-1, toFeed: former, db)
      try FeedImageCount.add(1, toFeed: feedID, db)
    }
    try ImageWriting(feedID: feedID, now: state.firstSeen, db).update(id, to: state)
  }

  /// Records the gallery's pictures of an image, and whether its thumbnail must be fetched.
  func note(
    _ state: ImageState,
    number: Int64,
    ofImage originID: Int64,
    id: Int64
  ) throws {
    let sql = """
      INSERT INTO mirror_image(image_id, mirror_id, origin_id, origin_seq, original_sha256)
      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (image_id) DO UPDATE
        SET origin_seq = excluded.origin_seq, original_sha256 = excluded.original_sha256
      """
    try db.run(sql, id, mirrorID, originID, number, state.original?.info.hash)
    guard let thumbnail = state.thumbnail, let hash = thumbnail.info.hash else { return }
    let isWanted = try want(hash, bytes: thumbnail.info.bytes, thumbnail.pack, of: id)
    if !isWanted { try MirrorQueries.forgetThumbnails(of: [id], db) }
  }

  /// Marks a thumbnail as to be made again that was made here from the original that the gallery has had until now.
  ///
  /// That original may have given way here. Then nothing else tells its thumbnail from one of the gallery, which stays.
  func wantMadeThumbnail(
    of id: Int64,
    unlessFrom original: SHA256Digest?
  ) throws {
    guard let original else { return }
    let (unmade, made) = (ThumbnailState.unmade.rawValue, ThumbnailState.made.rawValue)
    let sql = """
      UPDATE image SET thumbnail_state = \(unmade), thumbnail_check_at = NULL
      WHERE id = $1 AND thumbnail_state = \(made) AND EXISTS (
        SELECT 1 FROM mirror_image AS held JOIN thumbnail AS had ON had.image_id = held.image_id
        WHERE held.image_id = $1 AND held.original_sha256 <> $2
          AND had.source_sha256 = \(db.dialect.hex("held.original_sha256"))
      )
      """
    try db.run(sql, id, original)
  }

  /// Notes that the thumbnail of an image is to be fetched, and says whether it is: a stored one that is sound is not.
  private func want(
    _ hash: SHA256Digest,
    bytes: Int,
    _ pack: ImageState.PackReference?,
    of id: Int64
  ) throws -> Bool {
    let sql = """
      INSERT INTO mirror_thumbnail(image_id, mirror_id, sha256, bytes, pack_sha256, pack_offset)
      SELECT id, $2, $3, $4, $5, $6 FROM image
      WHERE id = $1 AND (thumbnail_sha256 IS DISTINCT FROM $3 AND NOT EXISTS (
        SELECT 1 FROM thumbnail WHERE image_id = $1 AND source_sha256 = \(db.dialect.hex("$3"))
      ) OR EXISTS (
        SELECT 1 FROM damage WHERE image_id = $1 AND kind = \(PictureKind.thumbnail.rawValue)
      ))
      ON CONFLICT (image_id) DO UPDATE SET sha256 = excluded.sha256, bytes = excluded.bytes,
        pack_sha256 = excluded.pack_sha256, pack_offset = excluded.pack_offset
      """
    return try db.run(sql, id, mirrorID, hash, bytes, pack?.hash, pack?.offset) > 0
  }

  func delete(imageID: Int64) throws { try RemovalQueries.delete(imageID: imageID, db) }

  /// Keeps an image that the gallery does not have any more, with its stored pictures.
  func keepGone(imageID: Int64) throws {
    try MirrorQueries.keepGone(imageID: imageID, db)
  }

  // MARK: Pins

  /// Pins an image with a date as the gallery's pin, unless it is pinned.
  func pinAsThere(_ date: Int64, imageID: Int64) throws {
    if try PinQueries.isPinned(imageID: imageID, db) { return }
    try db.run("UPDATE mirror_image SET is_pinned = true WHERE image_id = $1", imageID)
    try PinQueries.add([imageID], now: date, db)
  }

  /// Removes the gallery's pin of an image; a pin of this library stays.
  func unpinAsThere(imageID: Int64) throws {
    if try MirrorQueries.ownPins(of: [imageID], db) > 0 { try PinQueries.delete([imageID], db) }
  }

  /// Whether this library, and not only the gallery, has pinned an image.
  func isPinnedHere(imageID: Int64) throws -> Bool {
    try db.hasRow("\(Self.pinsHere) AND pin.image_id = $1", imageID)
  }

  /// Whether this library, and not only the gallery, has pinned an image of a feed.
  func hasPinsHere(feedID: Int64) throws -> Bool {
    let isOfFeed =
      "EXISTS (SELECT 1 FROM image WHERE feed_id = $1 AND image.id = pin.image_id)"
    return try db.hasRow("\(Self.pinsHere) AND \(isOfFeed) LIMIT 1", feedID)
  }

  private static var pinsHere: String {
    """
    SELECT 1 FROM pin LEFT JOIN mirror_image AS held ON held.image_id = pin.image_id
    WHERE held.is_pinned IS NOT TRUE
    """
  }
}
