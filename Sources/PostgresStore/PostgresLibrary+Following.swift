import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

extension PostgresLibrary: ChangeFollowing {
  package func prepareForFollowers() async throws(StoreError) {
    do throws(StoreError) {
      try await writing { db in try ChangeLog.prune(db) }
    } catch  where error.reason == .readOnly || error.reason == .forbidden {
      // A process that cannot write leaves pruning to those that can.
    }
  }

  /// Does nothing: `ChangeLog.noticeRestore` recognises a restored library by its server.
  package func noteFollowed(_ version: LibraryVersion) async throws(StoreError) {}

  package func changePage(_ request: ChangeRequest) async throws(StoreError) -> ChangePage {
    try await reading(orNone: .none) { [parts] db in
      try ChangePages.page(request, db) { version in
        try parts.images(of: request.part, in: version) {
          try ImageListing(ImageQuery(part: request.part), db).unsortedIDs(db)
        }
      } feed: { id in
        try FeedQueries.known(id: id, db)?.feed
      }
    }
  }

  package func changeCounts(after number: Int64) async throws(StoreError) -> ChangeCounts {
    try await reading(orNone: ChangeCounts()) { db in try ChangeLog.counts(after: number, db) }
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

  /// Nil: this store seals no packs that clients could read; its packs are in the object store.
  package func pack(_ hash: SHA256Digest) async throws(StoreError) -> SealedPack? { nil }
}

extension PostgresLibrary {
  package func states(ids: [Int64]) async throws(StoreError) -> [ImageState] {
    try await reading { db in
      let states = try ImageStates.states(ids, db)
      return ids.compactMap { states[$0] }
    }
  }

  /// Returns no packs, for the same reason.
  package func publicPacks() async throws(StoreError) -> [SHA256Digest: SealedPack] { [:] }
}

extension PostgresLibrary {
  package func followedFolders() async throws(StoreError) -> [FollowedFolder] {
    try await asking { db in
      let sql = """
        SELECT path, feed_id, list_id, manifest_id, search, template, sidecars, is_missing
        FROM followed_folder WHERE machine = $1 ORDER BY path
        """
      // Each machine has its own folders.
      return try db.rows(sql, FeedLeases.machine).compactMap(Self.folder)
    }
  }

  /// Nil for an invalid template, which this program never writes.
  private static func folder(_ row: Row) throws -> FollowedFolder? {
    guard let template = try? NameTemplate(row.value(5)) else { return nil }
    var query = ImageQuery(feedID: try row.value(1), listID: try row.value(2))
    query.manifestID = try row.value(3)
    query.search = try row.value(4)
    return FollowedFolder(
      path: try row.value(0),
      query: query,
      template: template,
      sidecars: try row.value(raw: 6),
      isMissing: try row.value(7)
    )
  }

  package func follow(_ followed: FollowedFolder) async throws(StoreError) {
    try await writing { db in
      let sql = """
        INSERT INTO followed_folder
          (machine, path, feed_id, list_id, manifest_id, search, template, sidecars, is_missing)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (machine, path) DO UPDATE SET feed_id = excluded.feed_id,
          list_id = excluded.list_id, manifest_id = excluded.manifest_id, search = excluded.search,
          template = excluded.template, sidecars = excluded.sidecars,
          is_missing = excluded.is_missing
        """
      let query = followed.query
      try db.rows(
        sql,
        with: [
          FeedLeases.machine, followed.path, query.feedID, query.listID, query.manifestID,
          query.search,
          followed.template.text, followed.sidecars?.rawValue, followed.isMissing,
        ]
      )
    }
  }

  package func unfollow(folderAt path: String) async throws(StoreError) {
    try await changing { db in
      let sql = "DELETE FROM followed_folder WHERE machine = $1 AND path = $2"
      try db.rows(sql, FeedLeases.machine, path)
    }
  }
}
