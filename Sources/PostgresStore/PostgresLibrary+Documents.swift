import FoundationEssentials
package import Models
import Store
package import Workers

extension PostgresLibrary: DocumentStoring {
  /// The number of images that one transaction writes; it may be high, because other writers need not wait.
  private static let batchLength = 2_000
  /// The approximate size of a row and its index entries, in bytes, without the row's texts.
  private static let rowBytes = 1_000

  package func write(
    _ batch: DocumentBatch,
    to target: DocumentTarget
  ) async throws(StoreError) -> WrittenBatch {
    try await writing { db in
      let id = try self.followedFeed(target, db)
      let writing = ImageWriting(feedID: id, now: target.now.storedSeconds, db)
      for change in batch.changes { try writing.write(change) }
      let ids = try writing.insert(batch.added)
      try FeedImageCount.add(ids.count, toFeed: id, db)
      let bytes = batch.added.reduce(0) { $0 + Self.rowBytes + $1.image.fields.textBytes }
      return WrittenBatch(feedID: id, ids: ids, bytes: bytes, nextLength: Self.batchLength)
    }
  }

  package func finish(
    _ end: DocumentEnd,
    of target: DocumentTarget
  ) async throws(StoreError) -> WrittenFeed {
    try await writing { db in
      let id = try self.followedFeed(target, db)
      let written = try FeedQueries.finish(end, feedID: id, of: target, db)
      // Images that could not be read may still be in the feed.
      if end.isWhole {
        _ = try CheckQueries.end(feedID: id, except: end.seen, limit: .max, db)
      }
      return written
    }
  }

  package func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget
  ) async throws(StoreError) -> Feed? {
    try await writing { db in
      try FeedQueries.breakOff(problem: problem, isExcess: isExcess, of: target, db)
    }
  }

  /// The id of the feed, which the first transaction adds or follows again.
  private func followedFeed(_ target: DocumentTarget, _ db: Connection) throws -> Int64 {
    let identity = target.address.identity
    if let fence = leases.withLock({ $0.fence(identity) }),
      try !FeedLeases.holds(identity, fence: fence, db)
    {
      let message = "another process has taken the feed over meanwhile"
      throw StoreError(reason: .other, path: path, message: message)
    }
    if let id = try FeedQueries.id(of: target, db) { return id }
    let message = "the feed has been removed meanwhile"
    throw StoreError(reason: .other, path: path, message: message)
  }
}
