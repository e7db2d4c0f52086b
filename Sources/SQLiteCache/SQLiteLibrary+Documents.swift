import FoundationEssentials
import Glibc
package import Models
import Store
package import Workers

extension SQLiteLibrary: DocumentStoring {
  package func write(
    _ batch: DocumentBatch,
    to target: DocumentTarget
  ) async throws(StoreError) -> WrittenBatch {
    try await onWrites { () throws(StoreError) in
      let parts = batch.parts(ofTextBytes: Limits.documentTextPerTransaction)
      // A feed that is new has no images that the first part could repeat.
      let isKnown = target.feedID != nil
      var written = try self.writeNow(parts[0], to: target, isKnown: isKnown)
      for part in parts.dropFirst() {
        usleep(Limits.pauseMicroseconds)
        var target = target
        (target.feedID, target.hasBegun) = (written.feedID, true)
        let more = try self.writeNow(part, to: target, isKnown: isKnown)
        written.ids += more.ids
        written.bytes += more.bytes
        written.nextLength = more.nextLength
      }
      return written
    }
  }

  private func writeNow(
    _ batch: DocumentBatch,
    to target: DocumentTarget,
    isKnown: Bool
  ) throws(StoreError) -> WrittenBatch {
    let written = try write { db in
      let start = ContinuousClock.now
      try keepLog(batch.imagesBefore < Limits.imagesOfLongDocument ? .uncut : .long, db)
      let before = try db.usedBytes()
      let id = try followedFeed(target, db)
      if !batch.added.isEmpty, isKnown {
        try DocumentQueries(feedID: id, db).checkAreNew(batch.added)
      }
      let writing = ImageWriting(feedID: id, now: target.now.storedSeconds, db)
      for change in batch.changes { try writing.write(change) }
      let ids = try writing.insert(batch.added)
      try FeedImageCount.add(ids.count, toFeed: id, db)
      let length = lengths.withLock { lengths in
        lengths.note(start.duration(to: .now))
        return lengths.rows
      }
      let bytes = try db.usedBytes() - before
      return WrittenBatch(feedID: id, ids: ids, bytes: bytes, nextLength: length)
    }
    if !target.hasBegun { try unhide(feedID: written.feedID) }
    return written
  }

  package func finish(
    _ end: DocumentEnd,
    of target: DocumentTarget
  ) async throws(StoreError) -> WrittenFeed {
    try await onWrites { () throws(StoreError) in try self.finishNow(end, of: target) }
  }

  private func finishNow(
    _ end: DocumentEnd,
    of target: DocumentTarget
  ) throws(StoreError) -> WrittenFeed {
    var (end, begun) = (end, target)
    if end.gone.count > Limits.imagesPerTransaction.upperBound {
      try markGone(end.gone, of: &begun)
      end.gone = []
    }
    var (written, hasMoreChecks) = try write { db in
      let id = try followedFeed(begun, db)
      let written = try FeedQueries.finish(end, feedID: id, of: target, db)
      try keepLog(.short, db)
      // Without the whole document, images that were not read may still be in the feed.
      return (written, try end.isWhole && endChecks(end, feedID: id, db))
    }
    if !target.hasBegun { try unhide(feedID: written.feed.id) }
    while hasMoreChecks {
      hasMoreChecks = try write { db in try endChecks(end, feedID: written.feed.id, db) }
    }
    return written
  }

  /// Marks many images as gone in short transactions, which begin the document.
  ///
  /// The first one deletes the validators. So after an interruption, the next sync reads the document again, and goes on.
  private func markGone(_ ids: [Int64], of target: inout DocumentTarget) throws(StoreError) {
    var (rest, begun) = (ids[...], target)
    _ = try writeInSteps(of: Limits.imagesPerTransaction) { limit, db in
      let part = Array(rest.prefix(limit))
      rest = rest.dropFirst(part.count)
      if part.isEmpty { return 0 }
      let id = try followedFeed(begun, db)
      (begun.feedID, begun.hasBegun) = (id, true)
      try DocumentQueries(feedID: id, db).markGone(part)
      return part.count
    }
    target = begun
  }

  package func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget
  ) async throws(StoreError) -> Feed? {
    try await writing { db in
      try self.keepLog(.short, db)
      return try FeedQueries.breakOff(problem: problem, isExcess: isExcess, of: target, db)
    }
  }

  /// Sets the length of the log, unless it has this length already.
  private func keepLog(_ length: Connection.LogLength, _ db: Connection) throws {
    let isOther = logLength.withLock { kept in
      defer { kept = length }
      return kept != length
    }
    if isOther { try db.keepLog(length) }
  }

  /// The feed's id; the first transaction of a document adds the feed, or follows it again.
  private func followedFeed(_ target: DocumentTarget, _ db: Connection) throws -> Int64 {
    if let id = try FeedQueries.id(of: target, db) { return id }
    let message = "the feed has been removed meanwhile"
    throw StoreError(reason: .other, path: folder.database, message: message)
  }

  /// Shows the images of a feed that had been removed.
  func unhide(feedID: Int64) throws(StoreError) {
    _ = try writeInSteps(of: Limits.imagesPerTransaction) { limit, db in
      try RemovalQueries.show(feedID: feedID, limit: limit, db)
    }
  }

  /// Stops the checks of pictures whose images the documents do not have.
  ///
  /// Says whether there may be more of them than one transaction takes.
  private func endChecks(_ end: DocumentEnd, feedID: Int64, _ db: Connection) throws -> Bool {
    let limit = Limits.imagesPerTransaction.upperBound
    return try CheckQueries.end(feedID: feedID, except: end.seen, limit: limit, db)
  }
}

/// How many rows the next transaction of a long task may write.
///
/// In a longer transaction each page is written fewer times, since titles and addresses go to all parts of the indexes.
/// But other processes wait for the transaction. So it becomes shorter when a slow machine or a large library makes it
/// slow.
struct TransactionLength {
  private let range: ClosedRange<Int>
  private(set) var rows: Int

  init(_ range: ClosedRange<Int>) { (self.range, rows) = (range, range.upperBound) }

  /// Adjusts the number of rows to the time that the last transaction has written, without its commit.
  mutating func note(_ duration: Duration) {
    if duration > Limits.transactionWriting {
      rows = max(rows / 2, range.lowerBound)
    } else if duration < Limits.transactionWriting / 2 {
      rows = min(2 * rows, range.upperBound)
    }
  }
}
