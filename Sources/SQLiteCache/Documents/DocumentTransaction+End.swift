import FoundationEssentials
import GRDB
import Models
import Workers

extension DocumentTransaction {
  /// Marks what the feed no longer lists, if the document can tell.
  mutating func markGone(_ document: FeedDocument) throws {
    guard document.listsEverything, document.isLossless, state.counts.total > 0 else {
      return
    }
    for id in try queries.images(notIn: state.seen) where try writing.markGone(id) {
      state.counts.gone += 1
    }
  }

  /// Asks servers no more about pictures of images that the documents do not have; says whether there
  /// may be more of these than one transaction takes.
  func endChecks(_ db: Database) throws -> Bool {
    try CheckQueries.end(
      feedID: feedID,
      except: state.seen,
      limit: Limits.imagesPerTransaction,
      db
    )
  }

  /// Writes what the document and its server say of the feed, and answers with the feed as it is
  /// then.
  mutating func end(
    _ document: FeedDocument,
    answer: FeedAnswer,
    askedAt address: WebAddress,
    isWhole: Bool,
    now: Date,
    _ db: Database
  ) throws -> WrittenFeed {
    guard var feed = try FeedQueries.feed(id: feedID, db) else {
      throw DatabaseError(message: "the feed has no row")
    }
    if let manifest = document.manifest {
      try keep(manifest, at: feed.address, db)
    }
    if isWhole { try MemberQueries.delete(feedID: feedID, except: state.members, db) }
    let counts = state.counts
    let list = try storeList(document, of: &feed, answer, db)
    feed.ownTitle = document.title.map(ImageFields.storable)
    feed.format = document.format
    feed.imageCount += counts.new - countsBefore.new
    feed.documentImageCount = counts.total
    feed.isWhole = isWhole
    feed.lastSync = Date(storedSeconds: now.storedSeconds)
    let news = counts.new + counts.changed + counts.gone
    let listNews = list.map { $0.new + $0.lost.count } ?? 0
    feed.status = news + listNews > 0 ? .updated : .unchanged
    feed.problem = nil
    feed.validators = answer.validators ?? feed.validators
    feed.nextSync = answer.nextSync.map { Date(storedSeconds: $0.storedSeconds) }
    feed.isPaused = false
    try AliasQueries.secure(&feed, askedAt: address, db)
    let move = try AliasQueries.follow(answer.permanentAddress, &feed, db)
    try FeedQueries.update(feed, db)
    try FeedQueries.forgetExcess(feedID: feedID, db)
    return WrittenFeed(feed: feed, counts: counts, move: move, list: list)
  }

  /// Stores what a list of feeds has; nil for every other document.
  private func storeList(
    _ document: FeedDocument,
    of feed: inout Feed,
    _ answer: FeedAnswer,
    _ db: Database
  ) throws -> ListedFeeds? {
    guard document.format == .opml, case .feeds(let addresses) = document.continuation else {
      if feed.isList { try ListQueries.deleteAll(ofList: feedID, db) }
      feed.listDepth = 0
      feed.listedFeedCount = 0
      return nil
    }
    feed.listDepth = feed.isList ? min(feed.listDepth, answer.listDepth) : answer.listDepth
    let isWhole = document.listsEverything
    let list = try ListQueries.store(addresses, isWhole: isWhole, listID: feedID, db)
    feed.listedFeedCount = list.total
    return list
  }
}
