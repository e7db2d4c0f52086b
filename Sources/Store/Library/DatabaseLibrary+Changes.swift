import Models
package import Workers

/// Changes of the library, for galleries and pages that follow it: a part of `ChangeFollowing`.
extension DatabaseLibrary {
  package func changePage(_ request: ChangeRequest) async throws(StoreError) -> ChangePage {
    try await reading(orNone: .none) { [parts] db in
      try ChangePages.page(request, db) { version in
        try parts.images(of: request.part, in: version) {
          try ImageListing(ImageQuery(part: request.part), db).unsortedIDs(db)
        }
      } feed: { id in
        // Followers are not told what `FeedPictureQueries` adds, which would be two more questions for each feed.
        try FeedQueries.known(id: id, db)?.feed
      }
    }
  }

  package func changeCounts(after number: Int64) async throws(StoreError) -> ChangeCounts {
    try await reading(.short, orNone: ChangeCounts()) { db in
      try ChangeLog.counts(after: number, db)
    }
  }

  package func tree() async throws(StoreError) -> LibraryTree? {
    try await reading(orNone: nil) { db in try TreeQueries.tree(db) }
  }

  package func images(
    ofFeed feedID: Int64,
    month: Int,
    ids: ClosedRange<Int64>
  ) async throws(StoreError) -> [ImageState] {
    try await reading { db in
      try TreeQueries.images(ofFeed: feedID, month: month, ids: ids, db)
    }
  }

  package func states(ids: [Int64]) async throws(StoreError) -> [ImageState] {
    try await reading { db in
      let states = try ImageStates.states(ids, db)
      return ids.compactMap { states[$0] }
    }
  }
}
