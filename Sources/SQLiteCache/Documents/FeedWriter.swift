import FoundationEssentials
import GRDB
import Models
import Workers

/// Writes a feed's document into the library.
///
/// The document streams, and each batch is compared with what is stored in a transaction of its
/// own, short enough for other processes. What only the whole document can tell waits in memory:
/// which images have changed their addresses (`PutOffEntry`), and what is gone.
///
/// After an error the writer can only break off: it no longer knows what it has seen.
final class FeedWriter: FeedWriting {
  private let connection: DatabaseQueue
  private let path: String
  private let address: WebAddress
  /// How far the feed's content may lead, to be stored with the first transaction.
  private let reach: FeedReach?
  private let now: Date
  private let stopwatch: Stopwatch?
  private var cutter = EntryCutter()
  private var length = TransactionLength()
  private var log = Database.LogLength.short
  /// The feed, from the first transaction on.
  private var feedID: Int64?
  /// What is known of the document; away while a transaction has it, lost when that one fails.
  private var state: DocumentState?
  private var hasFailed = false
  private(set) var counts = ImageCounts()
  private(set) var storedBytes = 0
  private(set) var newIDs: [ClosedRange<Int64>] = []

  init(
    _ connection: DatabaseQueue,
    path: String,
    address: WebAddress,
    reach: FeedReach?,
    now: Date,
    stopwatch: Stopwatch? = nil
  ) {
    self.connection = connection
    self.path = path
    self.address = address
    self.reach = reach
    self.now = now
    self.stopwatch = stopwatch
  }

  func append(_ images: [FeedImage]) throws(StoreError) {
    var entries = cutter.push(images)[...]
    while !entries.isEmpty {
      let batch = nextBatch(of: &entries)
      try transact { transaction, _ in try transaction.write(batch) }
    }
  }

  func endDocument(member: FeedMember?) throws(StoreError) {
    let last = cutter.finish()
    if last.isEmpty, member == nil { return }
    try transact { transaction, db in
      try transaction.write(last[...])
      try transaction.endDocument(member: member, db)
    }
  }

  func keepMember(at address: WebAddress) throws(StoreError) {
    try transact { transaction, db in try transaction.keepMember(at: address, db) }
  }

  func restartDocument() throws(StoreError) {
    let last = cutter.finish()
    if last.isEmpty, state == nil { return }
    try transact { transaction, _ in
      try transaction.write(last[...])
      transaction.state.restartDocument()
    }
  }

  func finish(
    _ document: FeedDocument,
    answer: FeedAnswer,
    isWhole: Bool
  ) throws(StoreError) -> WrittenFeed {
    try append(document.images)
    try settleMost()
    let last = cutter.finish()
    var (written, hasMoreChecks) = try transact { transaction, db in
      try transaction.write(last[...])
      try transaction.settle(upTo: .max)
      try transaction.markGone(document)
      let written = try transaction.end(
        document,
        answer: answer,
        askedAt: address,
        isWhole: isWhole,
        now: now,
        db
      )
      try db.keepLog(.short)
      // What could not be read may still be in the feed.
      return (written, try isWhole && transaction.endChecks(db))
    }
    while hasMoreChecks {
      hasMoreChecks = try transact { transaction, db in try transaction.endChecks(db) }
    }
    return written
  }

  func breakOff(
    problem: String,
    isExcess: Bool
  ) throws(StoreError) -> (feed: Feed?, counts: ImageCounts) {
    let last = cutter.finish()
    if !last.isEmpty, !hasFailed {
      try transact { transaction, _ in try transaction.write(last[...]) }
    }
    let feed = try StoreError.catching(path) {
      try connection.write(timedBy: stopwatch) { db in
        try db.keepLog(.short)
        let excess = isExcess ? now : nil
        return try FeedQueries.breakOff(problem: problem, excess: excess, at: address, db)
      }
    }
    return (feed, counts)
  }

  /// Leaves no more put off than the last transaction may take.
  private func settleMost() throws(StoreError) {
    while let state, state.putOff.count > Limits.imagesPerTransaction {
      try transact { transaction, _ in try transaction.settle(upTo: Limits.imagesPerTransaction) }
    }
  }

  /// Cuts off what one transaction may write.
  private func nextBatch(of entries: inout ArraySlice<FeedEntry>) -> ArraySlice<FeedEntry> {
    var images = 0
    let end = entries.firstIndex { entry in
      images += entry.images.count
      return images > length.images
    }
    let count = end.map { max($0 - entries.startIndex, 1) } ?? entries.count
    defer { entries = entries.dropFirst(count) }
    return entries.prefix(count)
  }
}

extension FeedWriter {
  private func transact<Result>(
    _ body: (inout DocumentTransaction, Database) throws -> Result
  ) throws(StoreError) -> Result {
    guard !hasFailed else {
      throw StoreError(reason: .other, path: path, message: "an earlier part could not be written")
    }
    let isFirst = feedID == nil
    do {
      let result = try StoreError.catching(path) { try transactOnce(body) }
      if isFirst { try unhide() }
      return result
    } catch {
      hasFailed = true
      throw error
    }
  }

  private func transactOnce<Result>(
    _ body: (inout DocumentTransaction, Database) throws -> Result
  ) throws -> Result {
    // Taken, not copied: a second owner would make each transaction copy what has been seen so far.
    var known = state.take()
    let (result, id, state, growth) = try connection.write(timedBy: stopwatch) { db in
      let start = ContinuousClock.now
      defer { length.note(start.duration(to: .now)) }
      try lengthenLog(db)
      let before = try db.usedBytes()
      let id = try followedFeed(db)
      var transaction = try DocumentTransaction(
        known.take(),
        feedID: id,
        now: now.storedSeconds,
        db
      )
      let result = try body(&transaction, db)
      try FeedQueries.addImages(transaction.state.counts.new - counts.new, id: id, db)
      return (result, id, transaction.state, try db.usedBytes() - before)
    }
    feedID = id
    storedBytes += max(0, growth)
    counts = state.counts
    newIDs = state.newIDs
    self.state = state
    return result
  }

  /// Lets the log become as long as is right for what has been written.
  private func lengthenLog(_ db: Database) throws {
    let next: Database.LogLength = counts.total < Limits.imagesOfLongDocument ? .uncut : .long
    guard next != log else { return }
    try db.keepLog(next)
    log = next
  }

  /// The feed, made or taken back by the first transaction.
  private func followedFeed(_ db: Database) throws -> Int64 {
    if let feedID {
      if try FeedQueries.isRemoved(id: feedID, db) == false { return feedID }
      throw StoreError(reason: .other, path: path, message: "the feed has been removed meanwhile")
    }
    let id = try knownFeed(db) ?? FeedQueries.insert(address: address, now: now, db)
    if let reach { try FeedQueries.setReach(reach, id: id, db) }
    return id
  }

  /// The feed as it is to be before its document is written; nil for a new one.
  private func knownFeed(_ db: Database) throws -> Int64? {
    guard let id = try FeedQueries.id(at: address, db) else { return nil }
    if try FeedQueries.isRemoved(id: id, db) == true {
      try FeedQueries.setRemoved(false, id: id, db)
    } else {
      try FeedQueries.forgetAnswer(id: id, db)
    }
    return id
  }

  /// Shows the images of a feed that had been removed.
  private func unhide() throws(StoreError) {
    guard let feedID else { return }
    try StoreError.catching(path) {
      while try connection.write(
        timedBy: stopwatch,
        { db in
          try RemovalQueries.show(feedID: feedID, limit: Limits.imagesPerTransaction, db)
        }
      ) > 0 {}
    }
  }
}
