package import FoundationEssentials
import GRDB
import LibraryFiles
import Models
package import Workers

/// Evicts originals to make room for new ones, before these are written.
extension SQLiteLibrary {
  /// Reserves bytes for an original that arrives, and evicts others for it if necessary.
  ///
  /// Another process may reserve the freed bytes first. Then more originals are evicted.
  func makeRoom(for bytes: Int, imageID: Int64, isAhead: Bool) throws(StoreError) {
    if bounds.isNone { return }
    if let keep = bounds.keep, bytes > keep {
      throw StoreError(reason: .tooLarge(bound: keep), path: folder.originals, message: "")
    }
    while true {
      let (bounds, folder) = (bounds, folder)
      let missing = try write { db in
        try BoundQueries.reserve(bytes, imageID: imageID, bounds, in: folder, db)
      }
      if missing == 0 { return }
      try evict(missing, for: imageID, isAhead: isAhead)
    }
  }

  /// Evicts somewhat more than is missing, so that not every new original waits for the disk.
  private func evict(_ missing: Int, for imageID: Int64, isAhead: Bool) throws(StoreError) {
    let spare = missing + (bounds.keep ?? 0) / Limits.evictedShare
    // With an object store, an evicted original is not lost, so any original may be evicted for any other.
    let arePut = objects != nil
    let (victims, put) = try readWritten { db in
      let date = try isAhead && !arePut ? BoundQueries.date(ofImage: imageID, db) : .max
      func victims(for bytes: Int) throws -> [Int64] {
        try BoundQueries.victims(for: bytes, usedBefore: date, arePut: arePut, db)
      }
      var ids = try victims(for: spare)
      if ids.isEmpty { ids = try victims(for: missing) }
      return try (ids, ObjectQueries.put(among: ids, db))
    }
    guard !victims.isEmpty else {
      let reason = StoreError.Reason.bounded(bytes: bounds.keep)
      throw StoreError(reason: reason, path: folder.originals, message: "")
    }
    try sendAway(victims.filter(put.contains))
    let lost = victims.filter { !put.contains($0) }
    if lost.isEmpty { return }
    // After an interruption, the remaining originals have no image, and are evicted the next time.
    try writeInSteps(over: lost) { ids, db in try BoundQueries.untie(victims: ids, db) }
    _ = try deleteOriginals(lost, into: Trash(folder, isImmediate: true))
  }
}

extension SQLiteLibrary {
  package func noteLook(atOriginal sha256: String, now: Date) async {
    if bounds.isNone { return }
    let now = now.storedSeconds
    // Usually the read finds a recent date, and nothing is written.
    let use = try? await reading(.short) { db in try BoundQueries.use(sha256: sha256, db) }
    guard let use, now - use.date > Limits.secondsBetweenLooks else { return }
    try? await writing { db in
      // The original may have been evicted since.
      guard let use = try BoundQueries.use(sha256: sha256, db) else { return }
      try BoundQueries.note(now, original: use.id, db)
    }
  }
}

extension SQLiteLibrary {
  package func keepNewest(ofFeed id: Int64) async throws(StoreError) -> RetiredPictures {
    let (retention, hasRetired) = try await reading(.short) { db in
      try (RetentionQueries.retention(feedID: id, db), RetentionQueries.hasRetired(feedID: id, db))
    }
    guard retention != FeedRetention() || hasRetired else { return RetiredPictures() }
    return try await onWrites { () throws(StoreError) in try self.keepNewest(retention, ofFeed: id)
    }
  }

  private func keepNewest(
    _ retention: FeedRetention,
    ofFeed id: Int64
  ) throws(StoreError) -> RetiredPictures {
    var (retired, files) = (RetiredPictures(), Set<Int64>())
    let lengths = Limits.deletionsPerTransaction
    if let newest = retention.images {
      retired.images = try writeInSteps(of: lengths) { limit, db in
        let ids = try RetentionQueries.beyond(newest, feedID: id, limit: limit, db)
        files.formUnion(try RetentionQueries.retire(ids, feedID: id, db))
        return ids.count
      }
    }
    // If the bound has been raised since, it brings back the images for which it has room.
    _ = try writeInSteps(of: lengths) { limit, db in
      let room = try retention.images.map { try $0 - RetentionQueries.imageCount(feedID: id, db) }
      return try RetentionQueries.revive(feedID: id, limit: max(0, min(room ?? limit, limit)), db)
    }
    if let newest = retention.originals {
      retired.originals = try writeInSteps(of: lengths) { limit, db in
        let ids = try RetentionQueries.originalsBeyond(newest, feedID: id, limit: limit, db)
        files.formUnion(try BoundQueries.untie(images: ids, db))
        return ids.count
      }
    }
    if !files.isEmpty {
      _ = try deleteOriginals(files.sorted(), into: Trash(folder, isImmediate: true))
    }
    return retired
  }
}
