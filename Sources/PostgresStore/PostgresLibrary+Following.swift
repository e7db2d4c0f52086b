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
      guard let version = try ChangeLog.version(db) else { return .none }
      let part = try parts.images(of: request.part, in: version) {
        try ImageListing(ImageQuery(part: request.part), db).unsortedIDs(db)
      }
      let changes = try ChangePages.changes(for: request, among: part) { position, limit in
        try ChangeLog.changes(of: request.kinds, after: position, limit: limit, db)
      }
      let (images, pins) = (changes.ids(.image), changes.ids(.pin))
      let states = try ImageStates.states(images, db)
      var pages = try ChangePages(
        request,
        pins: Self.dates(ofPins: pins, db),
        state: { id in states[id] },
        feed: { id in try FeedQueries.numbered(id: id, db) }
      )
      let pruned = try db.value("SELECT pruned_seq FROM library") ?? 0 as Int64
      return try pages.page(
        of: changes,
        partImages: part,
        version: version,
        prunedNumber: pruned
      )
    }
  }

  private static func dates(
    ofPins ids: [Int64],
    _ db: Connection
  ) throws -> [Int64: Date] {
    let sql = "SELECT image_id, pinned_at FROM pin WHERE image_id = ANY($1::bigint[])"
    var dates: [Int64: Date] = [:]
    for row in try db.rows(sql, ids) { dates[try row.value(0)] = try row.date(1) }
    return dates
  }

  package func changeCounts(after number: Int64) async throws(StoreError) -> ChangeCounts {
    try await reading(orNone: ChangeCounts()) { db in try ChangeLog.counts(after: number, db) }
  }

  package func tree() async throws(StoreError) -> LibraryTree? {
    try await reading(orNone: nil) { db in
      guard let version = try ChangeLog.version(db) else { return nil }
      let numbered = "SELECT id, change_seq FROM image WHERE is_hidden = 0 ORDER BY id"
      let hashing = TreeHashing(try db.rows(numbered).map { try ($0.value(0), $0.value(1)) })
      let feeds = "SELECT id, change_seq FROM feed WHERE NOT is_removed ORDER BY id"
      let pins = """
        SELECT image_id, pin.change_seq, pinned_at FROM pin JOIN image ON image.id = image_id
        WHERE is_hidden = 0 ORDER BY image_id
        """
      return try hashing.tree(
        version: version,
        feeds: db.rows(feeds).map { row in
          let id: Int64 = try row.value(0)
          let dates = "SELECT id, date FROM image WHERE feed_id = $1 AND is_hidden = 0"
          let images: [(id: Int64, date: Int64)] = try db.rows(dates, id)
            .map { try ($0.value(0), $0.value(1)) }
          return try hashing.feed(id, number: row.value(1), images)
        },
        pins: db.rows(pins).map { row in
          try LibraryTree.Pin(
            imageID: row.value(0),
            number: row.value(1),
            date: Date(storedSeconds: row.value(2))
          )
        }
      )
    }
  }

  package func images(
    ofFeed feedID: Int64,
    month: Int,
    ids: ClosedRange<Int64>
  ) async throws(StoreError) -> [ImageState] {
    let dates = Timeline.seconds(ofMonth: month)
    return try await reading { db in
      let sql = """
        SELECT id FROM image WHERE feed_id = $1 AND is_hidden = 0 AND date >= $2 AND date < $3
          AND id BETWEEN $4 AND $5 LIMIT $6
        """
      let found: [Int64] = try db.column(
        sql,
        feedID,
        dates.lowerBound,
        dates.upperBound,
        ids.lowerBound,
        ids.upperBound,
        LibraryTree.imagesPerLeaf
      )
      let states = try ImageStates.states(found, db)
      return found.sorted().compactMap { states[$0] }
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
    try await writing { db in
      let sql = "DELETE FROM followed_folder WHERE machine = $1 AND path = $2"
      try db.rows(sql, FeedLeases.machine, path)
    }
  }
}
