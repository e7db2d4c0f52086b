package import FoundationEssentials
package import Models
package import Workers

/// The SQL about feeds.
package enum FeedQueries {
  /// A feed, and whether it is removed.
  package typealias Known = (feed: Feed, isRemoved: Bool)

  private static let selection = EachDialect { dialect in
    """
    SELECT id, address, title, format, image_count, document_image_count, synced_at, status, problem,
      etag, last_modified, is_whole, moved_to, is_paused, next_sync_at, reach, private_host,
      given_title, list_depth, (SELECT count(*) FROM listed_feed WHERE list_id = feed.id),
      (SELECT \(dialect.joined("alias.address")) FROM feed_alias AS alias
        WHERE alias.feed_id = feed.id),
      \(MirrorQueries.gallery(ofFeed: "feed.id")), is_removed,
      \(MirrorQueries.origin(ofFeed: "feed.id")),
      \(FeedPart.selectedAll(dialect))
    FROM \(FeedPart.tables(dialect))
    """
  }
  private static let selectionOfFollowed = EachDialect { dialect in
    "\(selection[dialect]) WHERE \(dialect.isFalse("is_removed")) ORDER BY id"
  }
  private static let selectionAtAddress = EachDialect { dialect in
    "\(selection[dialect]) WHERE id = \(idAtAddress)"
  }
  private static let selectionByID = EachDialect { "\(selection[$0]) WHERE id = $1" }

  /// The id of the feed that has or had the address whose identity is the first parameter.
  private static let idAtAddress = """
    coalesce(
      (SELECT id FROM feed WHERE identity = $1),
      (SELECT feed_id FROM feed_alias WHERE identity = $1)
    )
    """

  // MARK: Reading

  package static func followed(_ db: Connection) throws -> [Feed] {
    let damaged = try DamageQueries.counts(db)
    var feeds = try db.rows(selectionOfFollowed[db.dialect]) { row in
      var feed = try known(row)?.feed
      if let id = feed?.id { feed?.damagedCount = damaged[id] ?? 0 }
      return feed
    }
    try FeedPictureQueries.read(into: &feeds, db)
    return feeds
  }

  package static func followed(at address: WebAddress, _ db: Connection) throws -> Feed? {
    guard var known = try known(at: address, db), !known.isRemoved else { return nil }
    try FeedPictureQueries.read(into: &known.feed, db)
    return known.feed
  }

  /// The feed with an id, even if it is removed.
  package static func feed(id: Int64, _ db: Connection) throws -> Feed? {
    guard var feed = try known(id: id, db)?.feed else { return nil }
    try FeedPictureQueries.read(into: &feed, db)
    return feed
  }

  /// The feed that has or had an address, even if it is removed; without the facts of `FeedPictureQueries`.
  package static func known(at address: WebAddress, _ db: Connection) throws -> Known? {
    try db.row(selectionAtAddress[db.dialect], address.identity, element: known)
  }

  /// The same for the feed with an id.
  package static func known(id: Int64, _ db: Connection) throws -> Known? {
    try db.row(selectionByID[db.dialect], id, element: known)
  }

  /// The documents of a collection, and the feeds of a list, as their last syncs have read them.
  package static func contents(at address: WebAddress, _ db: Connection) throws -> FeedContents {
    guard let (id, isRemoved) = try state(at: address, db) else {
      return FeedContents(members: [], listed: ListedFeeds(followed: [], total: 0))
    }
    return try FeedContents(
      members: isRemoved ? [] : MemberQueries.members(ofFeed: id, db),
      listed: ListQueries.feeds(ofListWithID: id, db)
    )
  }

  /// The id of the feed that has or had an address, removed or not.
  package static func id(at address: WebAddress, _ db: Connection) throws -> Int64? {
    try db.value("SELECT \(idAtAddress)", address.identity)
  }

  package static func isRemoved(id: Int64, _ db: Connection) throws -> Bool? {
    try db.value("SELECT is_removed FROM feed WHERE id = $1", id)
  }

  /// The id of the feed that has or had an address, and whether it is removed.
  package static func state(
    at address: WebAddress,
    _ db: Connection
  ) throws -> (id: Int64, isRemoved: Bool)? {
    let sql = "SELECT id, is_removed FROM feed WHERE id = \(idAtAddress)"
    return try db.row(sql, address.identity) { row in
      try (id: row.value(0), isRemoved: row.value(1))
    }
  }

  /// Nil for an invalid address, which this program never writes.
  private static func known(_ row: Row) throws -> Known? {
    guard let address = try row.address(1) else { return nil }
    let aliases = (try row.value(20) as String?)?.split(separator: "\n") ?? []
    var feed = try Feed(
      id: row.value(0),
      address: address,
      aliases: aliases.compactMap { WebAddress(String($0)) }.sorted { $0.text < $1.text },
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
      gallery: row.address(21)
    )
    if address.isFile, let gallery = feed.gallery, let origin: String = try row.value(23) {
      feed.standIn = MirrorQueries.standIn(gallery, origin)
    }
    try FeedPart.read(row, at: 24, into: &feed)
    return (feed, try row.value(22))
  }

  // MARK: Writing

  /// Adds a feed, unless its address cannot be looked up any more (`SoundFeeds`).
  ///
  /// If another process adds it to PostgreSQL at the same time, the insertion fails and the transaction is repeated.
  package static func insert(
    address: WebAddress,
    now: Date,
    _ db: Connection
  ) throws -> Int64 {
    try db.soundFeeds.check(db)
    let sql = """
      INSERT INTO feed(address, identity, added_at, change_seq)
      VALUES ($1, $2, $3, \(db.dialect.nextChange)) RETURNING id
      """
    let inserted: Int64? = try db.value(sql, address.text, address.identity, now.storedSeconds)
    guard let id = inserted else { throw UnexpectedAnswer("a new feed has no row") }
    try RowSeal.feed.renew(id, db)
    try ListQueries.setDeclined(false, feedID: id, db)
    return id
  }

  /// Removes a feed, or follows it again.
  ///
  /// Both delete the validators, the redirect, the pause and the reach of the feed. A 304 must never confirm images
  /// that are only half stored or half hidden, and a feed that is followed again is requested again.
  ///
  /// PostgreSQL hides or shows the images, too. In SQLite, the caller does so in short transactions.
  package static func setRemoved(_ isRemoved: Bool, id: Int64, _ db: Connection) throws {
    let dueAtOnce = "due_at = NULL, failures = 0"
    let isInRow = db.dialect == .postgres
    try RowSeal.feed.change(id, db) {
      let sql = """
        UPDATE feed SET is_removed = $1, etag = NULL, last_modified = NULL, moved_to = NULL,
          is_paused = false, next_sync_at = NULL, reach = NULL, private_host = NULL,
          \(isInRow ? "\(dueAtOnce), " : "")change_seq = \(db.dialect.nextChange)
        WHERE id = $2
        """
      try db.run(sql, isRemoved, id)
    }
    if !isInRow { try db.run("UPDATE feed_schedule SET \(dueAtOnce) WHERE feed_id = $1", id) }
    try ListQueries.setDeclined(isRemoved, feedID: id, db)
    if isRemoved {
      try ListQueries.deleteAll(ofList: id, db)
      try ChangeLog.bury(.feed, id, db)
    } else {
      try ChangeLog.raise(.feed, id, db)
    }
    guard case .postgres = db.dialect else { return }
    if isRemoved {
      try RemovalQueries.hide(feedID: id, db)
    } else {
      try RemovalQueries.show(feedID: id, db)
    }
  }

  /// Deletes the validators and the date of the next sync before a document is written.
  ///
  /// Until the end of the document is stored, a 304 would confirm only half of it. After an interruption, the next sync
  /// requests it again.
  package static func forgetAnswer(id: Int64, _ db: Connection) throws {
    let sql = "UPDATE feed SET etag = NULL, last_modified = NULL, next_sync_at = NULL WHERE id = $1"
    try db.run(sql, id)
  }

  /// Stores which addresses a feed may reach; pictures that failed because it might not are asked for again.
  package static func setReach(_ reach: FeedReach, id: Int64, _ db: Connection) throws {
    let sql = "UPDATE feed SET reach = $1, private_host = $2 WHERE id = $3"
    try db.run(sql, reach.column, reach.hostColumn, id)
    if reach != .publicOnly { try FailureQueries.forgetForbidden(feedID: id, db) }
  }
}
