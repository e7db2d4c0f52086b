package import FoundationEssentials
package import Models
package import Workers

/// How a sync of a feed begins and ends.
extension FeedQueries {
  /// The feed that has or had an address, and what its document is compared with.
  package static func documentFeed(
    at address: WebAddress,
    _ db: Connection
  ) throws -> DocumentFeed? {
    guard var known = try known(at: address, db) else { return nil }
    try FeedPictureQueries.read(into: &known.feed, db)
    let queries = DocumentQueries(feedID: known.feed.id, db)
    return DocumentFeed(
      known.feed,
      isRemoved: known.isRemoved,
      lowestPosition: try queries.lowestPosition(),
      hasImagesWithoutEntryID: try queries.hasImagesWithoutEntryID()
    )
  }

  /// The id of a document's feed, which the document's first transaction adds, or follows again.
  ///
  /// - Returns: Nil when the feed has been removed since that transaction.
  package static func id(of target: DocumentTarget, _ db: Connection) throws -> Int64? {
    if target.hasBegun {
      guard let id = target.feedID, try isRemoved(id: id, db) == false else { return nil }
      return id
    }
    let known = try state(at: target.address, db)
    let id = try known?.id ?? insert(address: target.address, now: target.now, db)
    switch known?.isRemoved {
    case true?:
      try setRemoved(false, id: id, db)
      try MirrorQueries.release(feedID: id, db)
    case false?: try forgetAnswer(id: id, db)
    case nil: break
    }
    if let reach = target.reach { try setReach(reach, id: id, db) }
    return id
  }

  /// Writes the facts about a feed from its documents and their server; returns the updated feed.
  package static func finish(
    _ end: DocumentEnd,
    feedID: Int64,
    of target: DocumentTarget,
    _ db: Connection
  ) throws -> WrittenFeed {
    guard var feed = try known(id: feedID, db)?.feed else {
      throw UnexpectedAnswer("the feed has no row")
    }
    try DocumentQueries(feedID: feedID, db).markGone(end.gone)
    try MemberQueries.keep(end.members, feedID: feedID, deletingOthers: end.isWhole, db)
    let list = try storeList(end.document, of: feed, db)
    feed.take(end, list: list, now: target.now)
    let (asked, permanent) = (target.address, end.answer.permanentAddress)
    let move = try AliasQueries.move(&feed, askedAt: asked, to: permanent, db)
    try FeedPictureQueries.read(into: &feed, db)
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
    _ db: Connection
  ) throws -> ListedFeeds? {
    guard let addresses = document.listedFeeds else {
      if feed.isList { try ListQueries.deleteAll(ofList: feed.id, db) }
      return nil
    }
    let isWhole = document.listsEverything
    return try ListQueries.store(addresses, isWhole: isWhole, listID: feed.id, db)
  }

  /// Records the end of a sync without a document, and whether the feed has moved.
  package static func take(
    _ note: FeedNote,
    at address: WebAddress,
    now: Date,
    _ db: Connection
  ) throws -> NotedFeed? {
    if let feed = note.leadsTo {
      try ListQueries.note(page: address, leadsTo: feed, db)
      if let page = try known(at: address, db), !page.isRemoved, page.feed.hasNeverAnswered {
        try setRemoved(true, id: page.feed.id, db)
      }
      return nil
    }
    let stored = try followed(at: address, db)
    guard var feed = try stored ?? addFailed(note, at: address, now: now, db) else { return nil }
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
    _ db: Connection
  ) throws -> Feed? {
    guard note.status == .failed, try id(at: address, db) == nil,
      try ListQueries.lists(address, db)
    else { return nil }
    return try known(id: insert(address: address, now: now, db), db)?.feed
  }

  /// Records that documents were not read to their end; nil when the feed is not followed.
  ///
  /// An excess means that the feed brought more than it may (`FeedBounds`).
  package static func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget,
    _ db: Connection
  ) throws -> Feed? {
    guard var feed = try followed(at: target.address, db) else { return nil }
    let excesses = try isExcess ? noteExcess(feedID: feed.id, db) : nil
    feed.breakOff(problem: problem, excesses: excesses, now: target.now)
    try update(feed, db)
    return feed
  }

  /// Counts an excess of a feed; returns how many it has had in a row, including this one.
  private static func noteExcess(feedID: Int64, _ db: Connection) throws -> Int {
    let sql = "UPDATE feed SET excess_count = excess_count + 1 WHERE id = $1 RETURNING excess_count"
    return try db.value(sql, feedID) ?? 1
  }

  /// Resets the number of excesses, since the feed's documents were read to their end.
  private static func forgetExcess(feedID: Int64, _ db: Connection) throws {
    try db.run("UPDATE feed SET excess_count = 0 WHERE id = $1 AND excess_count > 0", feedID)
  }
}
