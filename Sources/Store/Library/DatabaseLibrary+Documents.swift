package import Models
package import Workers

/// What the sync of a document reads, and the files of folders: a part of `DocumentStoring`.
extension DatabaseLibrary {
  package func documentFeed(at address: WebAddress) async throws(StoreError) -> DocumentFeed? {
    try await readingWritten(orNone: nil) { db in try FeedQueries.documentFeed(at: address, db) }
  }

  package func candidates(
    for lookups: [EntryLookup],
    feedID: Int64
  ) async throws(StoreError) -> [EntryCandidates] {
    try await readingWritten { db in try DocumentQueries(feedID: feedID, db).candidates(lookups) }
  }

  package func position(above position: Int64, feedID: Int64) async throws(StoreError) -> Int64? {
    try await readingWritten { db in
      try DocumentQueries(feedID: feedID, db).position(above: position)
    }
  }

  package func documentMember(
    at address: WebAddress,
    feedID: Int64
  ) async throws(StoreError) -> DocumentMember? {
    try await readingWritten { db in try MemberQueries.member(at: address, feedID: feedID, db) }
  }

  package func images(
    missingFrom seen: IDSet,
    feedID: Int64
  ) async throws(StoreError) -> [Int64] {
    try await readingWritten { db in
      try DocumentQueries(feedID: feedID, db).images(missingFrom: seen)
    }
  }

  package func compareList(
    _ addresses: [WebAddress],
    isWhole: Bool,
    feedID: Int64?
  ) async throws(StoreError) -> ListedFeeds {
    let all = ListedFeeds(followed: addresses, total: addresses.count, new: addresses.count)
    return try await readingWritten(orNone: all) { db in
      try ListQueries.compare(addresses, isWhole: isWhole, listID: feedID, db)
    }
  }

  package func write(
    _ member: FeedMember,
    position: Int,
    images: [Int64],
    feedID: Int64
  ) async throws(StoreError) -> Int64 {
    try await writing { db in
      try MemberQueries.store(member, feedID: feedID, position: position, images: images, db)
    }
  }

  package func folderOriginals(feedID: Int64) async throws(StoreError) -> [FolderOriginal] {
    try await readingWritten { db in try FolderQueries.originals(feedID: feedID, db) }
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
}
