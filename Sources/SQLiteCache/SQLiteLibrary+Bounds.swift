package import FoundationEssentials
import LibraryFiles
import Models
import Store
package import Workers

/// Evicts originals to make room for new ones, before these are written.
extension SQLiteLibrary {
  /// The originals to evict, least recently used first.
  ///
  /// With an object store, an evicted original is not lost, so any original may be evicted for any other. Otherwise one
  /// that is fetched ahead replaces only older ones.
  func victims(
    for bytes: Int,
    imageID: Int64,
    isAhead: Bool
  ) throws(StoreError) -> [OriginalRoom.Victim] {
    let (arePut, folder, arriving) = (objects != nil, folder, try room.arriving())
    return try readWritten { db in
      try BoundQueries.victims(
        for: bytes,
        usedBefore: isAhead && !arePut ? BoundQueries.date(ofImage: imageID, db) : .max,
        arePut: arePut,
        besides: arriving,
        in: folder,
        db
      )
    }
  }

  func evict(_ victims: [OriginalRoom.Victim]) throws(StoreError) {
    let ids = victims.map(\.id)
    let put = try readWritten { db in try ObjectQueries.put(among: ids, db) }
    try sendAway(ids.filter(put.contains))
    let lost = ids.filter { !put.contains($0) }
    if lost.isEmpty { return }
    // After an interruption, the remaining originals have no image, and are evicted the next time.
    try writeInSteps(over: lost) { ids, db in
      try BoundQueries.untie(victims: ids, besides: room.arriving(), db)
    }
    _ = try deleteOriginals(lost, into: Trash(folder, isImmediate: true))
  }
}

extension SQLiteLibrary: LibraryBounding {
  package func giveWay(
    until isStopped: @escaping @Sendable () -> Bool
  ) async throws(StoreError) -> GivenWay {
    try await room.giveWay(
      until: isStopped,
      on: { step throws(StoreError) in try await self.onWrites(step) },
      victims: { bytes throws(StoreError) in
        try self.victims(for: bytes, imageID: 0, isAhead: false)
      },
      evict: { victims throws(StoreError) in try self.evict(victims) }
    )
  }
}

extension SQLiteLibrary {
  package func noteLook(atOriginal sha256: String, now: Date) async {
    if room.bounds.isNone { return }
    let now = now.storedSeconds
    // Usually the read finds a recent date, and nothing is written.
    let use = try? await reading(.short) { db in try BoundQueries.use(sha256: sha256, db) }
    guard let use, now - use.date > Int64(OriginalRoom.secondsBetweenLooks) else { return }
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
      try RetentionQueries.retention(feedID: id, db)
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
        files.formUnion(try BoundQueries.untie(images: ids, db))
        try RetentionQueries.retire(ids, feedID: id, db)
        return ids.count
      }
    }
    // If the bound has been raised since, it brings back the images for which it has room.
    _ = try writeInSteps(of: lengths) { limit, db in
      let room = try retention.images.map { try $0 - FeedImageCount.count(ofFeed: id, db) }
      let limit = max(0, min(room ?? limit, limit))
      return try RetentionQueries.revive(feedID: id, limit: limit, db)
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
