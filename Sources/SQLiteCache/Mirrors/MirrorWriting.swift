import FoundationEssentials
import GRDB
import Models
import Workers

/// Applies the lines of another gallery, for one transaction.
///
/// A feed that this library follows by itself, or has from another gallery, is left to that: so galleries that mirror
/// one another come to rest.
struct MirrorWriting {
  private let mirrorID: Int64
  private let now: Date
  private let db: Database
  private var images: MirroredImages
  /// The feeds of this library by their ids in the gallery; nil for those that are left alone.
  private var feeds: [Int64: Int64?] = [:]

  init(mirrorID: Int64, now: Date, _ db: Database) {
    self.mirrorID = mirrorID
    self.now = now
    self.db = db
    images = MirroredImages(mirrorID: mirrorID, db)
  }

  /// Applies lines; answers with what they did.
  mutating func apply(_ lines: [ChangeLine]) throws -> MirrorCounts {
    for line in lines { try apply(line) }
    try images.flush()
    return images.counts
  }

  private mutating func apply(_ line: ChangeLine) throws {
    let (id, number) = (line.position.id, line.position.number)
    switch (line.position.kind, line.state) {
    case (.feed, .feed(let feed)): try put(feed, originID: id, number)
    case (.feed, .removed): try remove(feedWithOriginID: id, number)
    case (.image, .image(let image)):
      try images.put(image, feedID: feedID(originID: image.feedID), originID: id, number)
    case (.image, .removed): try images.remove(originID: id)
    case (.pin, .pin(let date)): try images.pin(originID: id, date)
    case (.pin, .removed): try images.unpin(originID: id)
    default: return
    }
  }

  // MARK: Feeds

  private struct Known {
    var id: Int64
    var number: Int64
    var isGone: Bool
  }

  private mutating func put(_ feed: Feed, originID: Int64, _ number: Int64) throws {
    // A gallery that the other one mirrors is none of its feeds.
    guard !feed.isGallery, let known = try known(feed, originID: originID, number) else {
      feeds[originID] = .some(nil)
      return
    }
    let id = known.id
    if known.isGone, try FeedQueries.isRemoved(id: id, db) == true {
      try FeedQueries.setRemoved(false, id: id, db)
      let limit = Limits.imagesPerTransaction.upperBound
      while try RemovalQueries.show(feedID: id, limit: limit, db) > 0 {}
    }
    let isFollowed = try FeedQueries.isRemoved(id: id, db) == false
    feeds[originID] = isFollowed ? .some(id) : .some(nil)
    let sql = """
      UPDATE mirror_feed SET origin_seq = ?, is_gone = 0 WHERE mirror_id = ? AND origin_id = ?
      """
    try db.cachedStatement(sql: sql).execute(arguments: [number, mirrorID, originID])
    if known.isGone { try list(feed.address, originID) }
    guard isFollowed, known.isGone || known.number != number else { return }
    try update(id, to: feed)
  }

  /// The feed in this library, made when it is new; nil for one that is left alone.
  private func known(_ feed: Feed, originID: Int64, _ number: Int64) throws -> Known? {
    if let known = try known(originID: originID) { return known }
    var id = try FeedQueries.id(at: feed.address, db)
    if let id {
      // A feed that the gallery has had before, under another id.
      let sql = """
        UPDATE mirror_feed SET origin_id = ?, origin_seq = ?
        WHERE feed_id = ? AND mirror_id = ? AND is_gone = 1
        """
      try db.execute(sql: sql, arguments: [originID, number, id, mirrorID])
      return db.changesCount > 0 ? Known(id: id, number: number, isGone: true) : nil
    }
    id = try FeedQueries.insert(address: feed.address, now: now, db)
    let sql = """
      INSERT INTO mirror_feed(mirror_id, origin_id, origin_seq, feed_id, is_gone)
      VALUES (?, ?, ?, ?, 1)
      """
    try db.execute(sql: sql, arguments: [mirrorID, originID, number, id])
    return id.map { Known(id: $0, number: number, isGone: true) }
  }

  private func known(originID: Int64) throws -> Known? {
    let sql = """
      SELECT feed_id, origin_seq, is_gone FROM mirror_feed WHERE mirror_id = ? AND origin_id = ?
      """
    return try db.cachedStatement(sql: sql).rows([mirrorID, originID]) { row in
      try Known(id: row.value(0), number: row.value(1), isGone: row.value(2))
    }.first
  }

  private func update(_ id: Int64, to feed: Feed) throws {
    guard var own = try FeedQueries.feed(id: id, db) else { return }
    if own.address.identity != feed.address.identity {
      try AliasQueries.move(&own, to: feed.address, db)
    }
    own.ownTitle = feed.title
    (own.format, own.isWhole, own.isPaused) = (feed.format, feed.isWhole, feed.isPaused)
    (own.status, own.problem, own.lastSync) = (.updated, nil, now)
    own.documentImageCount = feed.imageCount
    try FeedQueries.update(own, db)
  }

  /// Has the gallery list a feed.
  private func list(_ address: WebAddress, _ originID: Int64) throws {
    let sql = """
      INSERT INTO listed_feed(list_id, identity, address, position) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET position = excluded.position
      """
    try db.execute(sql: sql, arguments: [mirrorID, address.identity, address.text, originID])
  }

  private mutating func remove(feedWithOriginID originID: Int64, _ number: Int64) throws {
    feeds[originID] = nil
    guard let known = try known(originID: originID), !known.isGone else { return }
    let sql =
      "UPDATE mirror_feed SET is_gone = 1, origin_seq = ? WHERE mirror_id = ? AND origin_id = ?"
    try db.execute(sql: sql, arguments: [number, mirrorID, originID])
    let listing = """
      DELETE FROM listed_feed WHERE list_id = ? AND identity IN (SELECT identity FROM feed WHERE id = ?)
      """
    try db.execute(sql: listing, arguments: [mirrorID, known.id])
    if try FeedQueries.isRemoved(id: known.id, db) == false {
      try FeedQueries.setRemoved(true, id: known.id, db)
    }
  }

  /// The feed that has an image; nil when it is left alone.
  private mutating func feedID(originID: Int64) throws -> Int64? {
    if let known = feeds[originID] { return known }
    let known = try known(originID: originID)
    let id = try known.flatMap { try FeedQueries.isRemoved(id: $0.id, db) == false ? $0.id : nil }
    feeds[originID] = .some(id)
    return id
  }
}
