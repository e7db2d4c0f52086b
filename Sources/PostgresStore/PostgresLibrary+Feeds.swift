import FoundationEssentials
import LibraryFiles
import Models
import Store
package import Workers

extension PostgresLibrary: FeedStoring {
  package func keepNewest(ofFeed id: Int64) async throws(StoreError) -> RetiredPictures {
    let (retention, hasRetired) = try await asking { db in
      try RetentionQueries.retention(feedID: id, db)
    }
    // Most feeds keep everything, and each sync calls this.
    guard retention != FeedRetention() || hasRetired else { return RetiredPictures() }
    let (retired, files) = try await writing { db in
      var retired = RetiredPictures()
      if let newest = retention.images {
        retired.images = try RetentionQueries.retire(behind: newest, feedID: id, db)
      }
      // If the bound is higher now, the images that have room again come back.
      let room = try retention.images.map { try $0 - FeedImageCount.count(ofFeed: id, db) }
      _ = try RetentionQueries.revive(feedID: id, limit: max(0, room ?? .max), db)
      if let newest = retention.originals {
        retired.originals = try RetentionQueries.untie(behind: newest, feedID: id, db)
      }
      let isAny = retired != RetiredPictures()
      return (retired, isAny ? try RemovalQueries.deleteUnreferred(db) : [])
    }
    try delete(files)
    return retired
  }

  /// Deletes files whose rows have been deleted.
  private func delete(_ files: [RemovalQueries.File]) throws(StoreError) {
    for file in files {
      let path = folder.original(sha256: file.sha256, format: file.format)
      if let path { _ = try FileSystem.remove(path) }
    }
  }

  /// Does nothing, because the server flushes a transaction before it answers that it has ended.
  package func flush() async throws(StoreError) {}
}

extension PostgresLibrary: LibraryManaging {
  package func removeFeed(id: Int64, purging: Bool) async throws(StoreError) -> RemovedFeed? {
    let (removed, files) = try await changing { db -> (RemovedFeed?, [RemovalQueries.File]) in
      // The feeds of a gallery are removed with it.
      let mirrored = try MirrorQueries.leave(id, db)
      let feeds = try mirrored.map { try Self.remove(feedID: $0, purging: purging, db) }
      guard var removed = try Self.remove(feedID: id, purging: purging, db) else {
        return (nil, [])
      }
      removed.images += feeds.reduce(0) { $0 + ($1?.images ?? 0) }
      // A process that adds tombstones also deletes the old ones.
      try ChangeLog.prune(db)
      let files = purging ? try RemovalQueries.deleteUnreferred(db) : []
      removed.originals = files.count
      return (removed, files)
    }
    try delete(files)
    return removed
  }

  private static func remove(
    feedID id: Int64,
    purging: Bool,
    _ db: Connection
  ) throws -> RemovedFeed? {
    guard let (feed, isRemoved) = try FeedQueries.known(id: id, db), purging || !isRemoved else {
      return nil
    }
    let images = try RemovalQueries.imageCount(feedID: id, db)
    if !isRemoved { try FeedQueries.setRemoved(true, id: id, db) }
    if purging { try RemovalQueries.purge(feedID: id, db) }
    return RemovedFeed(feed: feed, images: images, originals: 0)
  }
}
