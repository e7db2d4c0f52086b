import FoundationEssentials
import Models
import Store
import Workers

/// The SQL about feeds.
enum FeedQueries {
  private static let selection = """
    SELECT id, address, title, format, image_count, document_image_count, synced_at, status, problem,
      etag, last_modified, is_whole, moved_to, is_paused, next_sync_at, reach, private_host,
      given_title, list_depth, (SELECT count(*) FROM listed_feed WHERE list_id = feed.id),
      array_to_string(ARRAY(
        SELECT alias.address FROM feed_alias AS alias WHERE feed_id = feed.id ORDER BY alias.address
      ), ' '),
      given_interval, due_at, failures, changes, least_interval, skipped_hours, skipped_days,
      kept_images, kept_originals, hub, topic, (
        SELECT max(lease_until) FROM subscription AS own
        WHERE own.feed_id = feed.id AND own.hub = feed.hub AND own.topic = feed.topic
          AND NOT own.is_ending AND own.lease_until > now_seconds()
      ), is_removed, (
        SELECT gallery.address FROM mirror_feed AS mirrored
        JOIN feed AS gallery ON gallery.id = mirror_id WHERE mirrored.feed_id = feed.id
      )
    FROM feed
    """

  /// The id of the feed that has or had the address whose identity is the first parameter.
  private static let idAtAddress = """
    coalesce(
      (SELECT id FROM feed WHERE identity = $1),
      (SELECT feed_id FROM feed_alias WHERE identity = $1)
    )
    """

  static func followed(_ db: Connection) throws -> [Feed] {
    let counts = """
      SELECT feed_id, count(*) FROM damage JOIN image ON image.id = image_id
      WHERE is_hidden = 0 GROUP BY feed_id
      """
    var damaged: [Int64: Int] = [:]
    for row in try db.rows(counts) { damaged[try row.value(0)] = try row.value(1) }
    var feeds = try db.rows("\(selection) WHERE NOT is_removed ORDER BY id").compactMap { row in
      var feed = try feed(row)
      if let id = feed?.id { feed?.damagedCount = damaged[id] ?? 0 }
      return feed
    }
    try FeedPictureQueries.read(into: &feeds, db)
    return feeds
  }

  static func followed(at address: WebAddress, _ db: Connection) throws -> Feed? {
    guard var found = try known(at: address, db), !found.isRemoved else { return nil }
    try FeedPictureQueries.read(into: &found.feed, db)
    return found.feed
  }

  /// The feed that has or had an address, even if it is removed; without the facts of `FeedPictureQueries`.
  static func known(
    at address: WebAddress,
    _ db: Connection
  ) throws -> (feed: Feed, isRemoved: Bool)? {
    let rows = try db.rows("\(selection) WHERE id = \(idAtAddress)", address.identity)
    return try known(rows)
  }

  /// The same for the feed with an id.
  static func known(
    id: Int64,
    _ db: Connection
  ) throws -> (feed: Feed, isRemoved: Bool)? {
    try known(db.rows("\(selection) WHERE id = $1", id))
  }

  private static func known(_ rows: PostgresRows) throws -> (feed: Feed, isRemoved: Bool)? {
    guard let row = rows.first, let feed = try feed(row) else { return nil }
    return (feed, try row.value(33))
  }

  static func id(at address: WebAddress, _ db: Connection) throws -> Int64? {
    try db.value("SELECT \(idAtAddress)", address.identity)
  }

  /// Adds a feed.
  ///
  /// If another process has added it at the same time, the insertion fails and the transaction is repeated.
  static func insert(address: WebAddress, now: Date, _ db: Connection) throws -> Int64 {
    let sql = """
      INSERT INTO feed(address, identity, added_at, change_seq) VALUES ($1, $2, $3, next_change())
      RETURNING id
      """
    let inserted: Int64? = try db.value(sql, address.text, address.identity, now.storedSeconds)
    guard let id = inserted else { throw PostgresError("a new feed has no row") }
    try ListQueries.setDeclined(false, feedID: id, db)
    return id
  }

  /// Adds a feed that has failed, if a list names it and it was never followed.
  static func addFailed(
    _ note: FeedNote,
    at address: WebAddress,
    now: Date,
    _ db: Connection
  ) throws -> Feed? {
    guard note.status == .failed, try id(at: address, db) == nil,
      try ListQueries.lists(address, db)
    else { return nil }
    return try known(id: insert(address: address, now: now, db), db)?.feed
  }

  /// Removes a feed with its images, or follows it again.
  ///
  /// The validators are deleted in either case: a 304 must never confirm images that are only half stored, or hidden.
  static func setRemoved(_ isRemoved: Bool, id: Int64, _ db: Connection) throws {
    let sql = """
      UPDATE feed SET is_removed = $1, etag = NULL, last_modified = NULL, moved_to = NULL,
        is_paused = false, next_sync_at = NULL, reach = NULL, private_host = NULL,
        due_at = NULL, failures = 0, change_seq = next_change()
      WHERE id = $2
      """
    try db.rows(sql, isRemoved, id)
    try ListQueries.setDeclined(isRemoved, feedID: id, db)
    if isRemoved {
      try ListQueries.deleteAll(ofList: id, db)
      try ChangeLog.bury(.feed, id, db)
      try RemovalQueries.hide(feedID: id, db)
    } else {
      try ChangeLog.raise(.feed, id, db)
      try RemovalQueries.show(feedID: id, db)
    }
  }

  /// Deletes the validators before a document is written.
  ///
  /// Until the document's end is stored, a 304 would confirm only half of it.
  static func forgetAnswer(id: Int64, _ db: Connection) throws {
    let sql = "UPDATE feed SET etag = NULL, last_modified = NULL, next_sync_at = NULL WHERE id = $1"
    try db.rows(sql, id)
  }

  static func setReach(_ reach: FeedReach, id: Int64, _ db: Connection) throws {
    let sql = "UPDATE feed SET reach = $1, private_host = $2 WHERE id = $3"
    try db.rows(sql, reach.column, reach.hostColumn, id)
  }

  /// Gives a feed another address, maybe one that it had before.
  ///
  /// The present address becomes an alias, unless both addresses have the same identity.
  static func setAddress(
    _ address: WebAddress,
    ofFeed id: Int64,
    _ db: Connection
  ) throws {
    try db.rows("DELETE FROM feed_alias WHERE identity = $1", address.identity)
    let alias = """
      INSERT INTO feed_alias(identity, address, feed_id)
      SELECT identity, address, id FROM feed WHERE id = $1 AND identity <> $2
      """
    try db.rows(alias, id, address.identity)
    let sql = """
      UPDATE feed SET address = $1, identity = $2, change_seq = next_change() WHERE id = $3
      """
    try db.rows(sql, address.text, address.identity, id)
  }

  /// Applies the address that a feed's sync has found, in the transaction that ends the sync.
  static func move(
    _ feed: inout Feed,
    askedAt asked: WebAddress,
    to target: WebAddress?,
    _ db: Connection
  ) throws -> FeedMove? {
    let id = feed.id
    return try feed.move(
      askedAt: asked,
      to: target,
      owner: { try FeedQueries.id(at: $0, db) },
      store: { try setAddress($0, ofFeed: id, db) }
    )
  }

  /// Stores the facts of a feed that a sync or the user may change.
  ///
  /// These do not include its address, its reach or its images. Only some of them are a change that followers see: not
  /// the dates of syncs, nor failures.
  static func update(_ feed: Feed, _ db: Connection) throws {
    let schedule = feed.schedule
    try db.rows(
      updating,
      with: [
        feed.ownTitle, feed.givenTitle.map(ImageFields.storable), feed.format?.rawValue,
        feed.documentImageCount, feed.lastSync?.storedSeconds, feed.status?.rawValue, feed.problem,
        feed.validators.entityTag, feed.validators.lastModified, feed.isWhole, feed.movedTo?.text,
        feed.isPaused, feed.nextSync?.storedSeconds, feed.listDepth, feed.push.hub?.text,
        feed.push.topic?.text, schedule.givenInterval, schedule.due?.storedSeconds,
        schedule.failures, schedule.changesText, schedule.hints.leastInterval,
        schedule.hints.skippedHours, schedule.hints.skippedDays, feed.retention.images,
        feed.retention.originals, feed.id,
      ]
    )
  }

  private static let updating = """
    UPDATE feed SET title = $1, given_title = $2, format = $3, document_image_count = $4,
      synced_at = $5, status = $6, problem = $7, etag = $8, last_modified = $9, is_whole = $10,
      moved_to = $11, is_paused = $12, next_sync_at = $13, list_depth = $14, hub = $15,
      topic = $16, given_interval = $17, due_at = $18, failures = $19, changes = $20,
      least_interval = $21, skipped_hours = $22, skipped_days = $23, kept_images = $24,
      kept_originals = $25,
      change_seq = CASE WHEN
        (title, given_title, format, document_image_count, is_whole, is_paused, list_depth)
          IS DISTINCT FROM ($1, $2, $3, $4, $10, $12, $14)
        THEN next_change() ELSE change_seq END
    WHERE id = $26
    """

  /// Counts the syncs in which a feed has brought more than it may, and returns the number with this one.
  static func noteExcess(feedID: Int64, _ db: Connection) throws -> Int {
    let sql = "UPDATE feed SET excess_count = excess_count + 1 WHERE id = $1 RETURNING excess_count"
    return try db.value(sql, feedID) ?? 1
  }

  /// Resets the count of excesses, because the feed's documents were read to their end.
  static func forgetExcess(feedID: Int64, _ db: Connection) throws {
    try db.rows("UPDATE feed SET excess_count = 0 WHERE id = $1 AND excess_count > 0", feedID)
  }

  /// Nil for an invalid address, which this program never writes.
  private static func feed(_ row: Row) throws -> Feed? {
    guard let address = try row.address(1) else { return nil }
    let aliases: String = try row.value(20)
    var feed = try Feed(
      id: row.value(0),
      address: address,
      aliases: aliases.split(separator: " ").compactMap { WebAddress(String($0)) },
      title: row.value(2),
      givenTitle: row.value(17),
      format: row.value(raw: 3),
      imageCount: row.value(4),
      documentImageCount: row.value(5),
      listedFeedCount: row.value(19),
      listDepth: row.value(18),
      isWhole: row.value(11),
      lastSync: row.date(6),
      status: row.value(raw: 7),
      problem: row.value(8),
      validators: Validators(entityTag: row.value(9), lastModified: row.value(10)),
      movedTo: row.address(12),
      isPaused: row.value(13),
      nextSync: row.date(14),
      reach: FeedReach(column: row.value(15), host: row.value(16)),
      gallery: row.address(34)
    )
    feed.schedule = try schedule(row)
    feed.retention = try FeedRetention(images: row.value(28), originals: row.value(29))
    feed.push = try PushLinks(
      hubs: [row.address(30)].compactMap(\.self),
      topic: row.address(31)
    )
    feed.leaseEnd = try row.date(32)
    return feed
  }

  private static func schedule(_ row: Row) throws -> FeedSchedule {
    try FeedSchedule(
      givenInterval: row.value(21),
      hints: UpdateHints(
        leastInterval: row.value(25),
        skippedHours: row.value(26),
        skippedDays: row.value(27)
      ),
      due: row.date(22),
      failures: row.value(23),
      changes: FeedSchedule.changes(row.value(24))
    )
  }
}
