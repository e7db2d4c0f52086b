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
    feed.ownTitle = document.title.map(ImageFields.storable)
    feed.format = document.format
    feed.imageCount += counts.new - countsBefore.new
    feed.documentImageCount = counts.total
    feed.isWhole = isWhole
    feed.lastSync = Date(storedSeconds: now.storedSeconds)
    feed.status = counts.new + counts.changed + counts.gone > 0 ? .updated : .unchanged
    feed.problem = nil
    feed.validators = answer.validators ?? feed.validators
    feed.nextSync = answer.nextSync.map { Date(storedSeconds: $0.storedSeconds) }
    feed.isPaused = false
    try AliasQueries.secure(&feed, askedAt: address, db)
    let move = try AliasQueries.follow(answer.permanentAddress, &feed, db)
    try FeedQueries.update(feed, db)
    try FeedQueries.forgetExcess(feedID: feedID, db)
    return WrittenFeed(feed: feed, counts: counts, move: move)
  }
}
