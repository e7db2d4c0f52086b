import FoundationEssentials
import GRDB
import Models
import Store
import Workers

/// The rows of a mirror in SQLite (`MirrorWriting`).
struct SQLiteMirrorRows: MirrorRows {
  let mirrorID: Int64
  let now: Date
  let soundFeeds: Locked<SoundFeeds>
  let db: Database

  // MARK: Feeds

  func feed(id: Int64) throws -> (feed: Feed, isRemoved: Bool)? {
    guard let feed = try FeedQueries.feed(id: id, db),
      let isRemoved = try FeedQueries.isRemoved(id: id, db)
    else { return nil }
    return (feed, isRemoved)
  }

  func feedID(at address: WebAddress) throws -> Int64? { try FeedQueries.id(at: address, db) }

  func addFeed(at address: WebAddress) throws -> Int64 {
    try soundFeeds.withLock { sound in
      try FeedQueries.insert(address: address, now: now, checking: &sound, db)
    }
  }

  func setRemoved(_ isRemoved: Bool, feedID id: Int64) throws {
    try FeedQueries.setRemoved(isRemoved, id: id, db)
  }

  func update(_ feed: Feed, movedTo address: WebAddress) throws {
    var feed = feed
    if feed.address.identity != address.identity { try AliasQueries.move(&feed, to: address, db) }
    try FeedQueries.update(feed, db)
  }

  // MARK: Copies of feeds

  func copy(ofFeed originID: Int64) throws -> MirroredFeed? {
    let sql = """
      SELECT feed_id, origin_seq, is_gone FROM mirror_feed WHERE mirror_id = ? AND origin_id = ?
      """
    return try db.cachedStatement(sql: sql).rows([mirrorID, originID]) { row in
      try MirroredFeed(id: row.value(0), number: row.value(1), isGone: row.value(2))
    }.first
  }

  func add(_ copy: MirroredFeed, ofFeed originID: Int64) throws {
    let sql = """
      INSERT INTO mirror_feed(mirror_id, origin_id, origin_seq, feed_id, is_gone)
      VALUES (?, ?, ?, ?, ?)
      """
    try db.execute(sql: sql, arguments: [mirrorID, originID, copy.number, copy.id, copy.isGone])
  }

  func set(number: Int64, isGone: Bool, ofFeed originID: Int64) throws {
    let sql = """
      UPDATE mirror_feed SET origin_seq = ?, is_gone = ? WHERE mirror_id = ? AND origin_id = ?
      """
    try db.cachedStatement(sql: sql).execute(arguments: [number, isGone, mirrorID, originID])
  }

  func revive(_ copy: MirroredFeed, ofFeed originID: Int64) throws -> Bool {
    let sql = """
      UPDATE mirror_feed SET origin_id = ?, origin_seq = ?
      WHERE feed_id = ? AND mirror_id = ? AND is_gone = 1
      """
    try db.execute(sql: sql, arguments: [originID, copy.number, copy.id, mirrorID])
    return db.changesCount > 0
  }

  func list(_ address: WebAddress, ofFeed originID: Int64) throws {
    let sql = """
      INSERT INTO listed_feed(list_id, identity, address, position) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET position = excluded.position
      """
    try db.execute(sql: sql, arguments: [mirrorID, address.identity, address.text, originID])
  }

  func unlist(feedID: Int64) throws {
    let sql = """
      DELETE FROM listed_feed WHERE list_id = ? AND identity IN (SELECT identity FROM feed WHERE id = ?)
      """
    try db.execute(sql: sql, arguments: [mirrorID, feedID])
  }

  // MARK: Images

  func copy(ofImage originID: Int64) throws -> (id: Int64, number: Int64)? {
    let sql = "SELECT image_id, origin_seq FROM mirror_image WHERE mirror_id = ? AND origin_id = ?"
    return try db.cachedStatement(sql: sql).rows([mirrorID, originID]) { row in
      try (id: row.value(0), number: row.value(1)) as (Int64, Int64)
    }.first
  }

  func insert(_ images: [NewImage], feedID: Int64, firstSeen: Int64) throws -> [Int64] {
    let ids = try ImageWriting(feedID: feedID, now: firstSeen, db.store).insert(images)
    try FeedQueries.addImages(ids.count, id: feedID, db)
    return ids
  }

  func markGone(_ imageIDs: [Int64]) throws {
    for id in imageIDs {
      try db.execute(sql: "UPDATE image SET is_gone = 1 WHERE id = ?", arguments: [id])
    }
  }

  func update(_ id: Int64, to state: ImageState, feedID: Int64) throws {
    try moveCount(of: id, to: feedID)
    try ImageWriting(feedID: feedID, now: state.firstSeen, db.store).update(id, to: state)
  }

  private func moveCount(of id: Int64, to feedID: Int64) throws {
    let sql = "SELECT feed_id FROM image WHERE id = ?"
    guard let former = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [id]),
      former != feedID
    else { return }
    try FeedQueries.addImages(-1, id: former, db)
    try FeedQueries.addImages(1, id: feedID, db)
  }

  func note(_ state: ImageState, number: Int64, ofImage originID: Int64, id: Int64) throws {
    let sql = """
      INSERT INTO mirror_image(image_id, mirror_id, origin_id, origin_seq, original_sha256)
      VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT(image_id) DO UPDATE SET origin_seq = ?4, original_sha256 = ?5
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      id, mirrorID, originID, number, state.original?.info.hash?.data,
    ])
    guard let thumbnail = state.thumbnail, let hash = thumbnail.info.hash else { return }
    let wanting = """
      INSERT INTO mirror_thumbnail(image_id, mirror_id, sha256, bytes, pack_sha256, pack_offset)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6
      WHERE (SELECT thumbnail_sha256 FROM image WHERE id = ?1) IS NOT ?3
        AND (SELECT source_sha256 FROM thumbnail WHERE image_id = ?1) IS NOT lower(hex(?3))
      ON CONFLICT(image_id) DO UPDATE SET sha256 = ?3, bytes = ?4, pack_sha256 = ?5, pack_offset = ?6
      """
    try db.cachedStatement(sql: wanting).execute(arguments: [
      id, mirrorID, hash.data, thumbnail.info.bytes, thumbnail.pack?.hash.data,
      thumbnail.pack?.offset,
    ])
    if db.changesCount == 0 { try MirrorQueries.forgetThumbnails(of: [id], db) }
  }

  func delete(imageID: Int64) throws { try MirrorQueries.delete(imageID: imageID, db) }

  func keepGone(imageID: Int64) throws { try MirrorQueries.keepGone(imageID: imageID, db) }

  func pinAsThere(_ date: Int64, imageID: Int64) throws {
    if try PinQueries.isPinned(imageID: imageID, db.store) { return }
    let sql = "UPDATE mirror_image SET is_pinned = 1 WHERE image_id = ?"
    try db.cachedStatement(sql: sql).execute(arguments: [imageID])
    try PinQueries.add([imageID], now: date, db.store)
  }

  func unpinAsThere(imageID: Int64) throws {
    try MirrorQueries.ownPin(of: imageID, db)
    if db.changesCount > 0 { try PinQueries.delete([imageID], db.store) }
  }

  func isPinnedHere(imageID: Int64) throws -> Bool {
    let sql = "SELECT EXISTS (\(Self.pinsHere) WHERE pin.image_id = ? AND \(Self.isHere))"
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [imageID]) ?? false
  }

  func hasPinsHere(feedID: Int64) throws -> Bool {
    let sql = """
      SELECT EXISTS (
        \(Self.pinsHere) JOIN image ON image.id = pin.image_id WHERE feed_id = ? AND \(Self.isHere)
      )
      """
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [feedID]) ?? false
  }

  private static let pinsHere =
    "SELECT 1 FROM pin LEFT JOIN mirror_image ON mirror_image.image_id = pin.image_id"
  private static let isHere = "coalesce(is_pinned, 0) = 0"
}
