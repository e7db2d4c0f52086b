package import Models
package import Workers

/// What the work on pictures reads, and the details of originals: `DetailsStoring`, and a part of `PictureStoring`.
extension DatabaseLibrary {
  package func details(
    ofOriginals hashes: [String]
  ) async throws(StoreError) -> [String: PictureDetails] {
    try await reading(.short, orNone: [:]) { db in
      try DetailQueries.details(ofOriginals: hashes, db)
    }
  }

  package func store(details: [String: PictureDetails]) async throws(StoreError) {
    try await writing { db in _ = try DetailQueries.store(details, db) }
  }

  package func wantsThumbnails(
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> Bool {
    try await asking(.long) { db in
      try PictureQueries.wantsThumbnails(feedID: feedID, filter, db)
    }
  }

  package func count(
    of kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> PictureCount {
    try await reading { db in
      try PictureQueries(kind, feedID: feedID, filter, db.dialect).count(db)
    }
  }

  package func wanted(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter,
    after last: WantedPicture?,
    limit: Int
  ) async throws(StoreError) -> [WantedPicture] {
    try await reading { db in
      try PictureQueries(kind, feedID: feedID, filter, db.dialect)
        .wanted(after: last, limit: limit, db)
    }
  }

  package func wantedThumbnail(madeFor imageID: Int64) async throws(StoreError) -> WantedPicture? {
    try await reading { db in try PictureQueries.wantedThumbnail(madeFor: imageID, db) }
  }

  package func due(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> [Int64] {
    try await reading { db in
      try PictureQueries(kind, feedID: feedID, filter, db.dialect).due(db)
    }
  }

  package func checks(
    _ kind: PictureKind,
    imageIDs: [Int64]
  ) async throws(StoreError) -> [WantedPicture] {
    try await reading { db in try PictureQueries.checks(kind, imageIDs: imageIDs, db) }
  }

  package func renditions(imageID: Int64) async throws(StoreError) -> [WebAddress] {
    try await reading { db in try RenditionQueries.addresses(imageID: imageID, db) }
  }

  package func thumbnailSource(imageID: Int64) async throws(StoreError) -> String? {
    try await reading { db in
      try db.value("SELECT source_sha256 FROM thumbnail WHERE image_id = $1", imageID)
    }
  }

  package func held(
    _ kind: PictureKind,
    imageID: Int64,
    against sha256: String
  ) async throws(StoreError) -> HeldPicture? {
    try await reading { db in
      try SuccessorQueries.held(kind, imageID: imageID, against: sha256, db)
    }
  }

  package func hold(_ path: String, for time: OriginalHoldTime) async -> Bool {
    await room.hold(path, for: time)
  }

  package func letGo() async { room.letGo() }
}
