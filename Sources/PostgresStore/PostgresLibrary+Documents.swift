import FoundationEssentials
package import Models
import Store
package import Workers

extension PostgresLibrary: DocumentStoring {
  package func documentFeed(at address: WebAddress) async throws(StoreError) -> DocumentFeed? {
    try await reading(orNone: nil) { db in
      guard var known = try FeedQueries.known(at: address, db) else { return nil }
      try FeedPictureQueries.read(into: &known.feed, db)
      let queries = DocumentQueries(feedID: known.feed.id, db)
      return DocumentFeed(
        known.feed,
        isRemoved: known.isRemoved,
        lowestPosition: try queries.lowestPosition(),
        hasImagesWithoutEntryID: try queries.hasImagesWithoutEntryID()
      )
    }
  }

  package func candidates(
    for lookups: [EntryLookup],
    feedID: Int64
  ) async throws(StoreError) -> [EntryCandidates] {
    try await reading { db in
      try DocumentQueries(feedID: feedID, db).candidates(lookups)
    }
  }

  package func position(above position: Int64, feedID: Int64) async throws(StoreError) -> Int64? {
    try await reading { db in
      try DocumentQueries(feedID: feedID, db).position(above: position)
    }
  }

  package func documentMember(
    at address: WebAddress,
    feedID: Int64
  ) async throws(StoreError) -> DocumentMember? {
    try await reading { db in try MemberQueries.member(at: address, feedID: feedID, db) }
  }

  package func images(
    missingFrom seen: IDSet,
    feedID: Int64
  ) async throws(StoreError) -> [Int64] {
    try await reading { db in
      try DocumentQueries(feedID: feedID, db).images(missingFrom: seen)
    }
  }

  package func compareList(
    _ addresses: [WebAddress],
    isWhole: Bool,
    feedID: Int64?
  ) async throws(StoreError) -> ListedFeeds {
    let all = ListedFeeds(followed: addresses, total: addresses.count, new: addresses.count)
    return try await reading(orNone: all) { db in
      try ListQueries.compare(addresses, isWhole: isWhole, listID: feedID, db)
    }
  }

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

  package func write(
    _ member: FeedMember,
    position: Int,
    images: [Int64],
    feedID: Int64
  ) async throws(StoreError) -> Int64 {
    try await writing { db in
      let manifest = member.manifest
      return try MemberQueries.store(
        member,
        words: SearchWords.vector(
          of: manifest?.label,
          manifest?.detailLines,
          manifest?.attribution
        ),
        feedID: feedID,
        position: position,
        images: images,
        db
      )
    }
  }

  package func finish(
    _ end: DocumentEnd,
    of target: DocumentTarget
  ) async throws(StoreError) -> WrittenFeed {
    try await writing { db in
      let id = try self.followedFeed(target, db)
      guard var feed = try FeedQueries.known(id: id, db)?.feed else {
        throw PostgresError("the feed has no row")
      }
      try DocumentQueries(feedID: id, db).markGone(end.gone)
      try MemberQueries.keep(end.members, feedID: id, deletingOthers: end.isWhole, db)
      let list = try Self.storeList(end.document, of: feed, db)
      feed.take(end, list: list, now: target.now)
      let (asked, permanent) = (target.address, end.answer.permanentAddress)
      let move = try FeedQueries.move(&feed, askedAt: asked, to: permanent, db)
      try FeedPictureQueries.read(into: &feed, db)
      feed.repeatedPictures = end.document.repeated
      try FeedQueries.update(feed, db)
      try FeedPictureQueries.set(repeated: feed.repeatedPictures, feedID: id, db)
      try FeedQueries.forgetExcess(feedID: id, db)
      // Images that could not be read may still be in the feed.
      if end.isWhole {
        _ = try CheckQueries.end(feedID: id, except: end.seen, limit: .max, db)
      }
      return WrittenFeed(feed: feed, counts: end.counts, move: move, list: list)
    }
  }

  /// Stores the feeds of a list of feeds; returns nil for every other document.
  private static func storeList(
    _ document: FeedDocument,
    of feed: Feed,
    _ db: Connection
  ) throws -> ListedFeeds? {
    guard let addresses = document.listedFeeds else {
      if feed.isList { try ListQueries.deleteAll(ofList: feed.id, db) }
      return nil
    }
    let isWhole = document.listsEverything
    return try ListQueries.store(addresses, isWhole: isWhole, listID: feed.id, db)
  }

  package func folderOriginals(feedID: Int64) async throws(StoreError) -> [FolderOriginal] {
    try await reading { db in try FolderQueries.originals(feedID: feedID, db) }
  }

  package func note(
    _ originals: [FolderOriginal],
    feedID: Int64
  ) async throws(StoreError) {
    if originals.isEmpty { return }
    try await writing { db in try FolderQueries.note(originals, feedID: feedID, db) }
  }

  package func forgetFolderOriginals(ofImages ids: [Int64]) async throws(StoreError) {
    if ids.isEmpty { return }
    try await writing { db in try FolderQueries.forget(images: ids, db) }
  }

  package func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget
  ) async throws(StoreError) -> Feed? {
    try await writing { db in
      guard var feed = try FeedQueries.followed(at: target.address, db) else { return nil }
      let excesses = try isExcess ? FeedQueries.noteExcess(feedID: feed.id, db) : nil
      feed.breakOff(problem: problem, excesses: excesses, now: target.now)
      try FeedQueries.update(feed, db)
      return feed
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
    if target.hasBegun {
      if let id = target.feedID, try FeedQueries.known(id: id, db)?.isRemoved == false {
        return id
      }
      let message = "the feed has been removed meanwhile"
      throw StoreError(reason: .other, path: path, message: message)
    }
    let id: Int64
    if let (feed, isRemoved) = try FeedQueries.known(at: target.address, db) {
      id = feed.id
      if isRemoved {
        try FeedQueries.setRemoved(false, id: id, db)
        try MirrorQueries.release(feedID: id, db)
      } else {
        try FeedQueries.forgetAnswer(id: id, db)
      }
    } else {
      id = try FeedQueries.insert(address: target.address, now: target.now, db)
    }
    if let reach = target.reach { try FeedQueries.setReach(reach, id: id, db) }
    return id
  }
}
