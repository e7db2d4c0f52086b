import FoundationEssentials
import LibraryFiles
import Models
import Store
package import Workers

/// Removes feeds in many short transactions, and may be interrupted between any two.
///
/// The feed is marked first: from then on no listing has its images, hidden or not yet
/// (`FeedReferences.halfRemoved`), and the next removal or sync of the feed continues from there.
extension SQLiteLibrary: LibraryManaging {
  package func removeFeed(id: Int64, purging: Bool) async throws(StoreError) -> RemovedFeed? {
    try await onWrites { () throws(StoreError) in try self.remove(feedID: id, purging: purging) }
  }

  /// Removes a feed, and the feeds of a gallery before the gallery itself.
  ///
  /// After an interruption, the remaining feeds still belong to the gallery.
  private func remove(feedID id: Int64, purging: Bool) throws(StoreError) -> RemovedFeed? {
    try checkExists()
    if purging, try read({ db in try FeedQueries.isRemoved(id: id, db) }) != nil {
      try checkSound()
    }
    let mirrored = try write { db in try MirrorQueries.leave(id, db) }
    let feeds = try mirrored.map { feed throws(StoreError) in
      try removeOne(feedID: feed, purging: purging)
    }
    guard var removed = try removeOne(feedID: id, purging: purging) else { return nil }
    for feed in feeds.compactMap(\.self) {
      removed.images += feed.images
      removed.originals += feed.originals
    }
    return removed
  }

  private func removeOne(feedID id: Int64, purging: Bool) throws(StoreError) -> RemovedFeed? {
    guard let feed = try mark(id: id, purging: purging) else { return nil }
    let removed =
      purging
      ? try purge(feed, into: Trash(folder, isImmediate: true))
      : RemovedFeed(feed: feed, images: try hide(feed), originals: 0)
    try flushNow()
    try checkNotTakenUpAgain(feed)
    return removed
  }

  private func checkNotTakenUpAgain(_ feed: Feed) throws(StoreError) {
    guard try read({ db in try FeedQueries.isRemoved(id: feed.id, db) }) == false else {
      return
    }
    throw StoreError(
      reason: .other,
      path: folder.database,
      message: "a sync has taken the feed up again meanwhile"
    )
  }

  /// Marks a feed as removed; nil when there is nothing to do.
  ///
  /// That is the case for a missing feed, and without `purging` for a feed that is removed and hidden already.
  private func mark(id: Int64, purging: Bool) throws(StoreError) -> Feed? {
    try write { db in
      guard let feed = try FeedQueries.feed(id: id, db) else { return nil }
      let isHalfRemoved = try FeedReferences.halfRemoved(db).contains(id)
      let isRemoved = try FeedQueries.isRemoved(id: id, db) == true
      guard purging || isHalfRemoved || !isRemoved else { return nil }
      try FeedQueries.setRemoved(true, id: id, db)
      // A removal adds tombstones, so it also deletes the old ones.
      try ChangeLog.prune(db)
      return feed
    }
  }

  private func hide(_ feed: Feed) throws(StoreError) -> Int {
    try writeInSteps(of: Limits.imagesPerTransaction) { limit, db in
      try RemovalQueries.hide(feedID: feed.id, limit: limit, db)
    }
  }

  /// Deletes the rest of a feed that was removed before; nil when the feed is followed again.
  func purge(feedID: Int64, into trash: Trash) throws(StoreError) -> RemovedFeed? {
    let feed = try read { db in
      try FeedQueries.isRemoved(id: feedID, db) == true ? FeedQueries.feed(id: feedID, db) : nil
    }
    guard let feed else { return nil }
    return try purge(feed, into: trash)
  }

  private func purge(_ feed: Feed, into trash: Trash) throws(StoreError) -> RemovedFeed {
    var originals: Set<Int64> = []
    let images = try writeInSteps(of: Limits.deletionsPerTransaction) { limit, db in
      let count = try RemovalQueries.delete(
        feedID: feed.id,
        limit: limit,
        originals: &originals,
        db
      )
      if count == 0 { try RemovalQueries.deleteFeed(id: feed.id, db) }
      return count
    }
    let files = try deleteOriginals(originals.sorted(), into: trash).count
    while try write(RemovalQueries.shrink) {}
    return RemovedFeed(feed: feed, images: images, originals: files)
  }

  /// Deletes originals that no image refers to, each row with its file.
  ///
  /// The removal of the references is flushed first: after a power cut, no image may refer to a missing file.
  ///
  /// - Parameters:
  ///   - ids: The rows.
  ///   - trash: Takes the files.
  /// - Returns: The rows whose files were removed.
  /// - Throws: when the library cannot be written.
  func deleteOriginals(_ ids: [Int64], into trash: Trash) throws(StoreError) -> [Int64] {
    try flushNow()
    var deleted: [Int64] = []
    try writeInSteps(over: ids) { step, db in
      deleted += try step.filter { id in
        guard let file = try RemovalQueries.deleteOriginal(id: id, db),
          let path = folder.original(sha256: file.sha256, format: file.format)
        else { return false }
        return try trash.take(path)
      }
    }
    return deleted
  }
}
