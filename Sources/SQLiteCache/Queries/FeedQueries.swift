import FoundationEssentials
import Models
import Store
import Workers

/// The SQL about feeds.
enum FeedQueries {
  private static let columns = """
    id, address, title, format, image_count, document_image_count, synced_at, status, problem,
    etag, last_modified, is_whole, moved_to, is_paused, next_sync_at,
    reach, private_host, given_title, list_depth,
    (SELECT count(*) FROM listed_feed WHERE list_id = feed.id),
    \(MirrorQueries.gallery(ofFeed: "feed.id")), \(ScheduleQueries.columns),
    retention.images, retention.originals, \(HubQueries.feedColumns)
    """
  private static let table = """
    feed LEFT JOIN feed_schedule AS schedule ON schedule.feed_id = feed.id
    LEFT JOIN feed_retention AS retention ON retention.feed_id = feed.id
    \(HubQueries.feedJoin)
    """

  static func followed(_ db: Database) throws -> [Feed] {
    let aliases = try AliasQueries.all(db)
    let damaged = try DamageQueries.counts(db)
    let sql = "SELECT \(columns) FROM \(table) WHERE is_removed = 0 ORDER BY id"
    var feeds = try db.cachedStatement(sql: sql).rows { row in
      var feed = try feed(row, aliases[row.value(0)] ?? [])
      if let id = feed?.id { feed?.damagedCount = damaged[id] ?? 0 }
      return feed
    }
    try FeedPictureQueries.read(into: &feeds, db)
    return feeds
  }

  static func followed(at address: WebAddress, _ db: Database) throws -> Feed? {
    let sql = "SELECT \(columns) FROM \(table) WHERE id = \(idAtAddress) AND is_removed = 0"
    let statement = try db.cachedStatement(sql: sql)
    let row = try Row.fetchOne(statement, arguments: [address.identity])
    let found = try row.flatMap { row in
      try feed(row, AliasQueries.aliases(feedID: row.value(0), db))
    }
    guard var feed = found else { return nil }
    try FeedPictureQueries.read(into: &feed, db)
    return feed
  }

  static func feed(id: Int64, _ db: Database) throws -> Feed? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM \(table) WHERE id = ?")
    let aliases = try AliasQueries.aliases(feedID: id, db)
    let found = try Row.fetchOne(statement, arguments: [id]).flatMap { try feed($0, aliases) }
    guard var feed = found else { return nil }
    try FeedPictureQueries.read(into: &feed, db)
    return feed
  }

  /// The id of the feed that has or had an address, removed or not.
  static func id(at address: WebAddress, _ db: Database) throws -> Int64? {
    let statement = try db.cachedStatement(sql: "SELECT \(idAtAddress)")
    return try Int64.fetchOne(statement, arguments: [address.identity])
  }

  /// The id of the feed that has or had the address whose identity is the first argument.
  static let idAtAddress = """
    coalesce(
      (SELECT id FROM feed WHERE identity = ?1),
      (SELECT feed_id FROM feed_alias WHERE identity = ?1)
    )
    """

  static func isRemoved(id: Int64, _ db: Database) throws -> Bool? {
    let statement = try db.cachedStatement(sql: "SELECT is_removed FROM feed WHERE id = ?")
    return try Bool.fetchOne(statement, arguments: [id])
  }

  static func insert(address: WebAddress, now: Date, _ db: Database) throws -> Int64 {
    var sound = SoundFeeds()
    return try insert(address: address, now: now, checking: &sound, db)
  }

  static func insert(
    address: WebAddress,
    now: Date,
    checking sound: inout SoundFeeds,
    _ db: Database
  ) throws -> Int64 {
    try sound.check(db)
    let sql = """
      INSERT INTO feed(address, identity, added_at, change_seq) VALUES (?, ?, ?, \(ChangeLog.next))
      """
    try db.execute(sql: sql, arguments: [address.text, address.identity, now.storedSeconds])
    let id = db.lastInsertedRowID
    try RowSeal.feed.renew(id, db)
    try ListQueries.setDeclined(false, feedID: id, db)
    return id
  }

  /// Removes a feed, or follows it again.
  ///
  /// Both delete the validators, the redirect, the pause and the reach of the feed. A 304 must never confirm images
  /// that are only half stored or half hidden, and a feed that is followed again is requested again.
  static func setRemoved(_ isRemoved: Bool, id: Int64, _ db: Database) throws {
    try RowSeal.feed.change(id, db) {
      try db.execute(
        sql: """
          UPDATE feed SET is_removed = ?, etag = NULL, last_modified = NULL,
            moved_to = NULL, is_paused = 0, next_sync_at = NULL, reach = NULL, private_host = NULL,
            change_seq = \(ChangeLog.next)
          WHERE id = ?
          """,
        arguments: [isRemoved, id]
      )
    }
    try ScheduleQueries.forget(feedID: id, db)
    try ListQueries.setDeclined(isRemoved, feedID: id, db)
    if isRemoved {
      try ListQueries.deleteAll(ofList: id, db)
      try ChangeLog.bury(.feed, id, db)
    } else {
      try ChangeLog.raise(.feed, id, db)
    }
  }

  /// Deletes the validators and the date of the next sync before a document is written.
  ///
  /// Until the end of the document is stored, a 304 would confirm only half of it. After an interruption, the next sync
  /// requests it again.
  static func forgetAnswer(id: Int64, _ db: Database) throws {
    let sql = "UPDATE feed SET etag = NULL, last_modified = NULL, next_sync_at = NULL WHERE id = ?"
    try db.execute(sql: sql, arguments: [id])
  }

  static func setReach(_ reach: FeedReach, id: Int64, _ db: Database) throws {
    let sql = "UPDATE feed SET reach = ?, private_host = ? WHERE id = ?"
    try db.cachedStatement(sql: sql).execute(arguments: [reach.column, reach.hostColumn, id])
  }

  /// Stores the settings of a feed that the user can change.
  static func set(_ feed: Feed, _ db: Database) throws {
    let title = """
      UPDATE feed SET given_title = ?1,
        change_seq = iif(given_title IS ?1, change_seq, \(ChangeLog.next))
      WHERE id = ?2
      """
    try db.execute(
      sql: title,
      arguments: [feed.givenTitle.map(ImageFields.storable), feed.id]
    )
    try ScheduleQueries.write(feed.schedule, ofFeed: feed.id, db)
    try RetentionQueries.set(feed.retention, feedID: feed.id, db)
    try FeedPictureQueries.set(feed.imageChoice, feedID: feed.id, db)
  }

  /// Stores the columns of a feed that a sync may change, except for its address (`AliasQueries`) and reach
  /// (`setReach`).
  ///
  /// The dates of syncs and the problems get no change number, so clients of the change log do not see them.
  static func update(_ feed: Feed, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE feed SET title = ?1, format = ?2, document_image_count = ?3, synced_at = ?4,
          status = ?5, problem = ?6, etag = ?7, last_modified = ?8, is_whole = ?9,
          moved_to = ?10, is_paused = ?11, next_sync_at = ?12, list_depth = ?13,
          change_seq = iif(
            (title, format, document_image_count, is_whole, is_paused, list_depth)
              IS (?1, ?2, ?3, ?9, ?11, ?13), change_seq, \(ChangeLog.next)
          )
        WHERE id = ?14
        """
    )
    try statement.execute(arguments: [
      feed.ownTitle, feed.format?.rawValue, feed.documentImageCount, feed.lastSync?.storedSeconds,
      feed.status?.rawValue, feed.problem, feed.validators.entityTag,
      feed.validators.lastModified, feed.isWhole, feed.movedTo?.text, feed.isPaused,
      feed.nextSync?.storedSeconds, feed.listDepth, feed.id,
    ])
    try ScheduleQueries.write(feed.schedule, ofFeed: feed.id, db)
    try HubQueries.write(feed.push, ofFeed: feed.id, db)
  }

  /// Nil for an invalid address: this program did not write such a row.
  private static func feed(_ row: Row, _ aliases: [WebAddress]) throws -> Feed? {
    guard let address = try WebAddress(row.value(1)) else { return nil }
    var feed = try Feed(
      id: row.value(0),
      address: address,
      aliases: aliases,
      title: row.value(2),
      givenTitle: row.value(17),
      format: (row.value(3) as String?).flatMap(FeedFormat.init(rawValue:)),
      imageCount: row.bounded(4),
      documentImageCount: row.bounded(5),
      listedFeedCount: row.bounded(19),
      listDepth: row.bounded(18),
      isWhole: row.value(11),
      lastSync: (row.value(6) as Int64?).map(Date.init(storedSeconds:)),
      status: (row.value(7) as String?).flatMap(Feed.Status.init(rawValue:)),
      problem: row.value(8),
      validators: Validators(entityTag: row.value(9), lastModified: row.value(10)),
      movedTo: (row.value(12) as String?).flatMap(WebAddress.init),
      isPaused: row.value(13),
      nextSync: (row.value(14) as Int64?).map(Date.init(storedSeconds:)),
      reach: FeedReach(column: row.value(15), host: row.value(16)),
      gallery: (row.value(20) as String?).flatMap(WebAddress.init)
    )
    feed.schedule = try ScheduleQueries.schedule(row, at: 21)
    feed.retention = try FeedRetention(images: row.value(28), originals: row.value(29))
    try HubQueries.read(row, at: 30, into: &feed)
    return feed
  }
}
