package import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Store
package import Workers

/// Evicts originals to make room for new ones, before these are written.
extension SQLiteLibrary {
  /// Reserves bytes for an original that arrives, and evicts others for the bytes that it needs now.
  ///
  /// The whole length is reserved if it is free. Another process may reserve the freed bytes first. Then more originals
  /// are evicted.
  func makeRoom(
    for bytes: Int,
    of total: Int?,
    imageID: Int64,
    isAhead: Bool
  ) throws(StoreError) -> Int {
    let total = max(bytes, total ?? 0)
    if let keep = bounds.keep, total > keep {
      throw StoreError(reason: .tooLarge(bound: keep), path: folder.originals, message: "")
    }
    while true {
      let lacking = try reserve(total, imageID: imageID)
      if lacking == 0 { return total }
      // Nothing gives way to an original that would not have room as a whole.
      _ = try victims(for: lacking, imageID: imageID, isAhead: isAhead)
      let missing = bytes < total ? try reserve(bytes, imageID: imageID) : lacking
      if missing == 0 { return bytes }
      try evict(victims(for: missing, imageID: imageID, isAhead: isAhead))
    }
  }

  /// Reserves bytes if they are free; returns how many are missing.
  private func reserve(_ bytes: Int, imageID: Int64) throws(StoreError) -> Int {
    let (bounds, folder) = (bounds, folder)
    return try write { db in
      try BoundQueries.reserve(bytes, imageID: imageID, bounds, in: folder, db)
    }
  }

  /// The originals to evict, somewhat more than are missing, so that not every new original waits for the disk.
  private func victims(
    for missing: Int,
    imageID: Int64,
    isAhead: Bool
  ) throws(StoreError) -> [Int64] {
    let spare = missing + (bounds.keep ?? 0) / Limits.evictedShare
    // With an object store, an evicted original is not lost, so any original may be evicted for any other.
    let arePut = objects != nil
    let ids = try readWritten { db in
      let date = try isAhead && !arePut ? BoundQueries.date(ofImage: imageID, db) : .max
      func victims(for bytes: Int) throws -> [Int64] {
        try BoundQueries.victims(for: bytes, usedBefore: date, arePut: arePut, db)
      }
      let ids = try victims(for: spare)
      return try ids.isEmpty ? victims(for: missing) : ids
    }
    guard ids.isEmpty else { return ids }
    let reason = StoreError.Reason.bounded(bytes: bounds.keep)
    throw StoreError(reason: reason, path: folder.originals, message: "")
  }

  private func evict(_ victims: [Int64]) throws(StoreError) {
    let put = try readWritten { db in try ObjectQueries.put(among: victims, db.store) }
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
      try (
        RetentionQueries.retention(feedID: id, db),
        RetentionQueries.hasRetired(feedID: id, db.store)
      )
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
        let ids = try RetentionQueries.beyond(newest, feedID: id, limit: limit, db.store)
        files.formUnion(try BoundQueries.untie(images: ids, db))
        try RetentionQueries.retire(ids, feedID: id, db.store)
        return ids.count
      }
    }
    // If the bound has been raised since, it brings back the images for which it has room.
    _ = try writeInSteps(of: lengths) { limit, db in
      let room = try retention.images.map { try $0 - FeedImageCount.count(ofFeed: id, db.store) }
      let limit = max(0, min(room ?? limit, limit))
      return try RetentionQueries.revive(feedID: id, limit: limit, db.store)
    }
    if let newest = retention.originals {
      retired.originals = try writeInSteps(of: lengths) { limit, db in
        let ids = try RetentionQueries.originalsBeyond(newest, feedID: id, limit: limit, db.store)
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
