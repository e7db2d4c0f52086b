import FoundationEssentials
import Models
import Store
import Workers

/// How a sync of a feed ends.
extension FeedQueries {
  /// Writes the facts about a feed from its documents and their server; returns the updated feed.
  static func finish(
    _ end: DocumentEnd,
    feedID: Int64,
    of target: DocumentTarget,
    _ db: Database
  ) throws -> WrittenFeed {
    guard var feed = try feed(id: feedID, db) else {
      throw UnexpectedAnswer("the feed has no row")
    }
    try DocumentQueries(feedID: feedID, db).markGone(end.gone)
    try MemberQueries.keep(end.members, feedID: feedID, deletingOthers: end.isWhole, db)
    let list = try storeList(end.document, of: feed, db)
    feed.take(end, list: list, now: target.now)
    let (asked, permanent) = (target.address, end.answer.permanentAddress)
    let move = try AliasQueries.move(&feed, askedAt: asked, to: permanent, db)
    feed.repeatedPictures = end.document.repeated
    try update(feed, db)
    try FeedPictureQueries.set(repeated: feed.repeatedPictures, feedID: feedID, db)
    try forgetExcess(feedID: feedID, db)
    return WrittenFeed(feed: feed, counts: end.counts, move: move, list: list)
  }

  /// Stores the feeds of a list of feeds; nil for every other document.
  private static func storeList(
    _ document: FeedDocument,
    of feed: Feed,
    _ db: Database
  ) throws -> ListedFeeds? {
    guard let addresses = document.listedFeeds else {
      if feed.isList { try ListQueries.deleteAll(ofList: feed.id, db) }
      return nil
    }
    let isWhole = document.listsEverything
    return try ListQueries.store(addresses, isWhole: isWhole, listID: feed.id, db)
  }

  /// Records the end of a sync without a document, and whether the feed has moved.
  static func take(
    _ note: FeedNote,
    at address: WebAddress,
    now: Date,
    _ db: Database
  ) throws -> NotedFeed? {
    let known = try followed(at: address, db)
    guard var feed = try known ?? addFailed(note, at: address, now: now, db) else { return nil }
    if let reach = note.reach, reach != feed.reach { try setReach(reach, id: feed.id, db) }
    feed.take(note, now: now)
    var move: FeedMove?
    if note.status != .failed {
      move = try AliasQueries.move(&feed, askedAt: address, to: note.answer.permanentAddress, db)
    }
    try update(feed, db)
    return NotedFeed(feed: feed, move: move)
  }

  /// Adds a feed that has failed, if a list names it and it was never followed.
  private static func addFailed(
    _ note: FeedNote,
    at address: WebAddress,
    now: Date,
    _ db: Database
  ) throws -> Feed? {
    guard note.status == .failed, try id(at: address, db) == nil,
      try ListQueries.lists(address, db)
    else { return nil }
    return try feed(id: insert(address: address, now: now, db), db)
  }

  /// Records that documents were not read to their end; nil when the feed is not followed.
  ///
  /// An excess means that the feed brought more than it may (`FeedBounds`).
  static func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget,
    _ db: Database
  ) throws -> Feed? {
    guard var feed = try followed(at: target.address, db) else { return nil }
    let excesses = try isExcess ? noteExcess(feedID: feed.id, db) : nil
    feed.breakOff(problem: problem, excesses: excesses, now: target.now)
    try update(feed, db)
    return feed
  }

  /// Counts an excess of a feed; returns how many it has had in a row, including this one.
  private static func noteExcess(feedID: Int64, _ db: Database) throws -> Int {
    let sql = "UPDATE feed SET excess_count = excess_count + 1 WHERE id = ? RETURNING excess_count"
    return try Int.fetchOne(db, sql: sql, arguments: [feedID])?.bounded ?? 1
  }

  /// Resets the number of excesses, since the feed's documents were read to their end.
  static func forgetExcess(feedID: Int64, _ db: Database) throws {
    let sql = "UPDATE feed SET excess_count = 0 WHERE id = ? AND excess_count > 0"
    try db.cachedStatement(sql: sql).execute(arguments: [feedID])
  }
}
