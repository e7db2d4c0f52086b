import FoundationEssentials
import LibraryFiles
import Models
import Workers

/// Applies the lines of another gallery, for one transaction.
///
/// A feed that this library follows by itself, or has from another gallery, is left to that: so galleries that mirror
/// one another come to rest.
struct MirrorWriting {
  private let mirrorID: Int64
  private let now: Date
  private let db: PostgresConnection
  private var images: MirroredImages
  /// The feeds of this library by their ids in the gallery; nil for those that are left alone.
  private var feeds: [Int64: Int64?] = [:]

  init(mirrorID: Int64, now: Date, _ db: PostgresConnection) {
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
    if known.isGone, try FeedQueries.known(id: id, db)?.isRemoved == true {
      try FeedQueries.setRemoved(false, id: id, db)
    }
    let own = try FeedQueries.known(id: id, db)
    let isFollowed = own?.isRemoved == false
    feeds[originID] = isFollowed ? .some(id) : .some(nil)
    let sql = """
      UPDATE mirror_feed SET origin_seq = $1, is_gone = false
      WHERE mirror_id = $2 AND origin_id = $3
      """
    try db.rows(sql, number, mirrorID, originID)
    if known.isGone { try list(feed.address, originID) }
    guard isFollowed, known.isGone || known.number != number, let own = own?.feed else { return }
    try update(own, to: feed)
  }

  /// The feed in this library, made when it is new; nil for one that is left alone.
  private func known(_ feed: Feed, originID: Int64, _ number: Int64) throws -> Known? {
    if let known = try known(originID: originID) { return known }
    if let id = try FeedQueries.id(at: feed.address, db) {
      // A feed that the gallery has had before, under another id.
      let sql = """
        UPDATE mirror_feed SET origin_id = $1, origin_seq = $2
        WHERE feed_id = $3 AND mirror_id = $4 AND is_gone
        """
      let isOurs = try db.rows(sql, originID, number, id, mirrorID).written > 0
      return isOurs ? Known(id: id, number: number, isGone: true) : nil
    }
    let id = try FeedQueries.insert(address: feed.address, now: now, db)
    let sql = """
      INSERT INTO mirror_feed(mirror_id, origin_id, origin_seq, feed_id, is_gone)
      VALUES ($1, $2, $3, $4, true)
      """
    try db.rows(sql, mirrorID, originID, number, id)
    return Known(id: id, number: number, isGone: true)
  }

  private func known(originID: Int64) throws -> Known? {
    let sql = """
      SELECT feed_id, origin_seq, is_gone FROM mirror_feed WHERE mirror_id = $1 AND origin_id = $2
      """
    return try db.rows(sql, mirrorID, originID).first.map { row in
      try Known(id: row.value(0), number: row.value(1), isGone: row.value(2))
    }
  }

  private func update(_ known: Feed, to feed: Feed) throws {
    var own = known
    if own.address.identity != feed.address.identity {
      let other = try FeedQueries.id(at: feed.address, db)
      if other == nil || other == own.id {
        try FeedQueries.setAddress(feed.address, ofFeed: own.id, db)
      }
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
      INSERT INTO listed_feed(list_id, identity, address, position) VALUES ($1, $2, $3, $4)
      ON CONFLICT (list_id, identity) DO UPDATE SET position = excluded.position
      """
    try db.rows(sql, mirrorID, address.identity, address.text, originID)
  }

  private mutating func remove(feedWithOriginID originID: Int64, _ number: Int64) throws {
    feeds[originID] = nil
    guard let known = try known(originID: originID), !known.isGone else { return }
    let sql = """
      UPDATE mirror_feed SET is_gone = true, origin_seq = $1
      WHERE mirror_id = $2 AND origin_id = $3
      """
    try db.rows(sql, number, mirrorID, originID)
    let listing = """
      DELETE FROM listed_feed
      WHERE list_id = $1 AND identity IN (SELECT identity FROM feed WHERE id = $2)
      """
    try db.rows(listing, mirrorID, known.id)
    if try FeedQueries.known(id: known.id, db)?.isRemoved == false {
      try FeedQueries.setRemoved(true, id: known.id, db)
    }
  }

  /// The feed that has an image; nil when it is left alone.
  private mutating func feedID(originID: Int64) throws -> Int64? {
    if let known = feeds[originID] { return known }
    let known = try known(originID: originID)
    let id = try known.flatMap { known in
      try FeedQueries.known(id: known.id, db)?.isRemoved == false ? known.id : nil
    }
    feeds[originID] = .some(id)
    return id
  }
}

/// Writes the images of another gallery, for one transaction.
///
/// New ones wait for one another.
struct MirroredImages {
  private struct New {
    var state: ImageState
    var originID: Int64
    var number: Int64
  }

  private let mirrorID: Int64
  private let db: PostgresConnection
  private(set) var counts = MirrorCounts()
  /// Images of one feed that were first seen at one time.
  private var waiting: [New] = []
  private var waitingFeedID: Int64 = 0
  private var waitingIDs: Set<Int64> = []

  init(mirrorID: Int64, _ db: PostgresConnection) {
    self.mirrorID = mirrorID
    self.db = db
  }

  /// Takes the state of an image; a feed without id is left alone.
  mutating func put(
    _ state: ImageState,
    feedID: Int64?,
    originID: Int64,
    _ number: Int64
  ) throws {
    guard let feedID else {
      counts.left += 1
      return
    }
    if waitingIDs.contains(originID) { try flush() }
    let new = New(state: state, originID: originID, number: number)
    if let known = try known(originID: originID) {
      guard known.number != number else { return }
      try update(known.id, to: state, feedID: feedID)
      counts.changed += 1
      return try note(new, of: known.id)
    }
    if let first = waiting.first,
      feedID != waitingFeedID || first.state.firstSeen != state.firstSeen
    {
      try flush()
    }
    waitingFeedID = feedID
    waiting.append(new)
    waitingIDs.insert(originID)
  }

  /// Writes the images that wait.
  mutating func flush() throws {
    guard let first = waiting.first else { return }
    let images = waiting.map { new in
      NewImage(
        image: DocumentImage(new.state.fields),
        entryID: new.state.entryID.map(EntryID.init),
        isAmbiguous: new.state.isEntryAmbiguous,
        position: new.state.position,
        positionBefore: nil
      )
    }
    let writing = ImageWriting(feedID: waitingFeedID, now: first.state.firstSeen, db: db)
    let ids = try writing.insert(images)
    let gone = zip(ids, waiting).filter { $0.1.state.isGone }.map(\.0)
    if !gone.isEmpty {
      try db.rows("UPDATE image SET is_gone = true WHERE id = ANY($1::bigint[])", gone)
    }
    for (id, new) in zip(ids, waiting) { try note(new, of: id) }
    try FeedQueries.addImages(ids.count, id: waitingFeedID, db)
    counts.new += ids.count
    // Other transactions take numbers of the same sequence.
    for id in ids { counts.addNew(id...id) }
    (waiting, waitingIDs) = ([], [])
  }

  /// Writes the row again; the pictures that are stored stay until others have come.
  ///
  /// The states of the pictures follow from what is stored and what the feed names now.
  private func update(_ id: Int64, to state: ImageState, feedID: Int64) throws {
    let (fields, image) = (state.fields, DocumentImage(state.fields))
    let entry = state.entryID.map(EntryID.init)
    let row = try db.rows("SELECT feed_id FROM image WHERE id = $1", id).first
    if let former: Int64 = try row?.value(0), former != feedID {
      try FeedQueries.addImages(-1, id: former, db)
      try FeedQueries.addImages(1, id: feedID, db)
    }
    let sql = """
      UPDATE image SET feed_id = $2, position = $3, date = $4, published_at = $5,
        first_seen_at = $6, width = $7, height = $8,
        shape = coalesce($9::bigint, \(ImageWriting.shape)), is_gone = $10,
        is_entry_ambiguous = $11, entry_hash = $12,
        original_state = CASE WHEN original_state = 1 AND original_hash <> $13 THEN 2
          ELSE original_state END,
        thumbnail_state = CASE WHEN thumbnail_sha256 IS NULL
          THEN CASE WHEN $18::text IS NULL THEN 0 ELSE 2 END
          ELSE CASE WHEN $18::text IS NULL THEN 3 ELSE 1 END END,
        original_hash = $13, thumbnail_hash = $14, entry_id = $15, declared_bytes = $16,
        original_address = $17, thumbnail_address = $18, page_address = $19, title = $20,
        title_key = $21, author = $22, licence = $23, caption = $24, words = $25::text::tsvector,
        change_seq = next_change()
      WHERE id = $1
      """
    try db.rows(
      sql,
      id,
      feedID,
      state.position,
      fields.date(firstSeen: state.firstSeen),
      fields.published,
      state.firstSeen,
      fields.width,
      fields.height,
      fields.shape,
      state.isGone,
      state.isEntryAmbiguous,
      entry?.hash,
      image.originalHash,
      entry == nil ? image.thumbnailHash : nil,
      entry?.text,
      fields.bytes,
      fields.originalAddress,
      fields.thumbnailAddress,
      fields.pageAddress,
      fields.title,
      TitleKey.of(fields.title),
      fields.author,
      fields.licence,
      fields.caption,
      fields.words
    )
  }

  // MARK: What the gallery has of it

  private func known(originID: Int64) throws -> (id: Int64, number: Int64)? {
    let sql = """
      SELECT image_id, origin_seq FROM mirror_image WHERE mirror_id = $1 AND origin_id = $2
      """
    return try db.rows(sql, mirrorID, originID).first.map { row in
      try (id: row.value(0), number: row.value(1))
    }
  }

  private func note(_ new: New, of id: Int64) throws {
    let sql = """
      INSERT INTO mirror_image(image_id, mirror_id, origin_id, origin_seq, original_sha256)
      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (image_id) DO UPDATE
        SET origin_seq = excluded.origin_seq, original_sha256 = excluded.original_sha256
      """
    let original = new.state.original?.info.hash.map { Bytes($0.bytes) }
    try db.rows(sql, id, mirrorID, new.originID, new.number, original)
    guard let thumbnail = new.state.thumbnail, let hash = thumbnail.info.hash else { return }
    let wanting = """
      INSERT INTO mirror_thumbnail(image_id, mirror_id, sha256, bytes, pack_sha256, pack_offset)
      SELECT id, $2, $3, $4, $5, $6 FROM image
      WHERE id = $1 AND thumbnail_sha256 IS DISTINCT FROM $3
      ON CONFLICT (image_id) DO UPDATE SET sha256 = excluded.sha256, bytes = excluded.bytes,
        pack_sha256 = excluded.pack_sha256, pack_offset = excluded.pack_offset
      """
    let isWanted =
      try db.rows(
        wanting,
        id,
        mirrorID,
        Bytes(hash.bytes),
        thumbnail.info.bytes,
        thumbnail.pack.map { Bytes($0.hash.bytes) },
        thumbnail.pack?.offset
      ).written > 0
    if !isWanted { try MirrorQueries.forgetThumbnails(of: [id], db) }
  }

  mutating func remove(originID: Int64) throws {
    if waitingIDs.contains(originID) { try flush() }
    guard let known = try known(originID: originID) else { return }
    try RemovalQueries.delete(imageID: known.id, db)
    counts.removed += 1
  }

  /// Pins an image as it is there; a pin that was made here stays as it is.
  mutating func pin(originID: Int64, _ date: Date) throws {
    if waitingIDs.contains(originID) { try flush() }
    guard let known = try known(originID: originID) else { return }
    try setPinned(true, known.id)
    try PinQueries.add([known.id], now: date.storedSeconds, db)
  }

  /// Takes a pin away that came from there.
  mutating func unpin(originID: Int64) throws {
    guard let known = try known(originID: originID), try setPinned(false, known.id) else { return }
    try PinQueries.delete([known.id], db)
  }

  /// Says whether it was otherwise.
  @discardableResult
  private func setPinned(_ isPinned: Bool, _ id: Int64) throws -> Bool {
    let sql = "UPDATE mirror_image SET is_pinned = $1 WHERE image_id = $2 AND is_pinned <> $1"
    return try db.rows(sql, isPinned, id).written > 0
  }
}
