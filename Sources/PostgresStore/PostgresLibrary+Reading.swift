import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

extension PostgresLibrary: LibraryReading {
  package func imageIDs(matching query: ImageQuery) async throws(StoreError) -> [Int64] {
    try await reading { db in try ImageListing(query, db).ids(db) }
  }

  package func images(ids: [Int64]) async throws(StoreError) -> [WebImage] {
    try await reading { db in try ImageQueries.images(ids, db) }
  }

  package func image(id: Int64) async throws(StoreError) -> WebImage? {
    try await reading { db in
      var image = try ImageQueries.images([id], db).first
      image?.manifest = try MemberQueries.manifest(imageID: id, db)
      image?.isPinned = try PinQueries.isPinned(imageID: id, db)
      return image
    }
  }

  package func thumbnailBytes(imageID: Int64) async throws(StoreError) -> [UInt8]? {
    let rows = try await withBytes { db in
      let sql = """
        SELECT thumbnail_sha256, \(ThumbnailPlace.columns)
        FROM \(ThumbnailPlace.source) LEFT JOIN image ON image.id = image_id WHERE image_id = $1
        """
      return try db.rows(sql, imageID).map { ((), try ThumbnailPlace($0, at: 1, hash: $0.hash(0))) }
    }
    return rows.first?.bytes
  }

  package func original(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    let (stored, here) = try await reading { db in
      let stored = try OriginalQueries.original(imageID: imageID, in: self.folder, db)
      let here = try stored == nil ? FolderQueries.original(imageID: imageID, db) : nil
      return (try stored?.found(), here)
    }
    // A file of a folder that is a feed may be on a drive that does not answer.
    guard let here else { return stored }
    return try await here.original.foundApart(in: here.folder)
  }

  package func successors(imageID: Int64) async throws(StoreError) -> [Successor] {
    try await reading { db in
      try SuccessorQueries.successors(imageID: imageID, in: self.folder, db)
    }
  }

  package func feeds() async throws(StoreError) -> [Feed] {
    try await reading { db in try FeedQueries.followed(db) }
  }

  package func manifests(at address: WebAddress?) async throws(StoreError) -> [FeedManifest] {
    try await reading { db in try MemberQueries.manifests(at: address, db) }
  }

  package func failures() async throws(StoreError) -> [Int64: [FailureGroup]] {
    try await reading { db in try FailureQueries.groups(db) }
  }

  package func figures() async throws(StoreError) -> LibraryFigures {
    var figures = try await reading { db in
      var figures = try FigureQueries.figures(db)
      // The rows tell which originals exist; each machine has its own files of them.
      figures.originalBytes = try self.room.size.bytes()
      return figures
    }
    figures.bounds = bounds
    if objects == nil { figures.waitingObjects = nil }
    return figures
  }

  package func storage(imageID: Int64) async throws(StoreError) -> ImageStorage? {
    try await reading { db in
      let sql = """
        SELECT image.feed_id, thumbnail.fetched_at, thumbnail_state, thumbnail_check_at,
          held.stored_at, original_check_at, put_at IS NOT NULL, sha256, format,
          held.address
        FROM image LEFT JOIN thumbnail ON thumbnail.image_id = image.id
        LEFT JOIN image_original AS held ON held.image_id = image.id
        LEFT JOIN original ON original.id = original_id
        WHERE image.id = $1 AND is_hidden = 0
        """
      guard let row = try db.rows(sql, imageID).first,
        let feed = try FeedQueries.known(id: row.value(0), db)?.feed
      else { return nil }
      var storage = ImageStorage(feed: feed)
      storage.thumbnailStored = try row.date(1)
      storage.isThumbnailMade = try row.value(2) == ThumbnailState.made.rawValue
      storage.isThumbnailUnmade = try row.value(2) == ThumbnailState.unmade.rawValue
      storage.thumbnailCheck = try row.date(3).flatMap(FolderOriginal.checked)
      storage.originalStored = try row.date(4)
      storage.originalCheck = try row.date(5).flatMap(FolderOriginal.checked)
      storage.isPut = try row.value(6)
      storage.originalSource = try row.address(9)
      if let sha256: String = try row.value(7), let format: ImageFormat = try row.value(raw: 8) {
        try self.addFile(of: sha256, format, to: &storage, db)
      }
      (storage.bounds, storage.needsPut) = (self.bounds, true)
      storage.originalBytes = try self.room.size.bytes()
      return storage
    }
  }
}

extension PostgresLibrary {
  package func version() async throws(StoreError) -> LibraryVersion {
    let none = LibraryVersion(library: "", epoch: 0, number: 0)
    return try await reading(orNone: none) { db in try ChangeLog.version(db) ?? none }
  }

  package func timeline(matching query: ImageQuery) async throws(StoreError) -> Timeline {
    try await reading { db in try ImageListing(query, db).timeline(db) }
  }

  package func tiles(ids: [Int64]) async throws(StoreError) -> [ImageTile] {
    try await reading { db in try TileQueries.tiles(ids, db) }
  }

  package func thumbnails(_ hashes: [SHA256Digest]) async throws(StoreError) -> [PictureBytes] {
    let wanted = Array(Set(hashes))
    let rows = try await withBytes { db in
      let sql = """
        SELECT DISTINCT ON (wanted.hash) thumbnail_format, wanted.hash, \(ThumbnailPlace.columns)
        FROM unnest($1::bytea[]) AS wanted(hash)
        JOIN image ON thumbnail_sha256 = wanted.hash
        JOIN (\(ThumbnailPlace.source)) ON thumbnail.image_id = image.id
        WHERE is_hidden = 0 AND thumbnail_sha256 IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM damage WHERE damage.image_id = image.id AND kind = 0)
        """
      return try db.rows(sql, wanted).map { row in
        try (row.value(raw: 0) as ImageFormat?, ThumbnailPlace(row, at: 2, hash: row.hash(1)))
      }
    }
    var pictures: [SHA256Digest: PictureBytes] = [:]
    for (format, bytes) in rows {
      guard let bytes, let format else { continue }
      let hash = try SHA256.digest(of: bytes, path: path)
      pictures[hash] = PictureBytes(bytes: bytes, format: format)
    }
    return hashes.compactMap { pictures[$0] }
  }

  package func original(_ hash: SHA256Digest) async throws(StoreError) -> StoredOriginal? {
    let (stored, ids) = try await reading { db -> (StoredOriginal?, [Int64]) in
      if let id = try OriginalQueries.image(withOriginal: hash, db),
        let original = try OriginalQueries.original(imageID: id, in: self.folder, db)?.found(),
        !original.isDamaged
      {
        return (original, [])
      }
      return (nil, try FolderQueries.images(withOriginal: hash, db))
    }
    for id in ids {
      let here = try await reading { db in try FolderQueries.original(imageID: id, db) }
      // Its drive may not answer.
      guard let here, let original = try await here.original.foundApart(in: here.folder),
        original.sha256 == hash.hexadecimal
      else { continue }
      return original
    }
    return stored
  }

  package func imageIDs(
    withPictures hashes: [SHA256Digest]
  ) async throws(StoreError) -> [SHA256Digest: [Int64]] {
    try await reading { db in
      var images: [SHA256Digest: [Int64]] = [:]
      for hash in hashes { images[hash] = try TileQueries.images(withPicture: hash, db) }
      return images
    }
  }

  package func cursor(
    behind imageID: Int64,
    in order: ImageQuery.Order
  ) async throws(StoreError) -> ImageCursor? {
    try await reading { db in try ImageListing.position(behind: imageID, in: order, db) }
  }

  package func thumbnailsWithoutColours(limit: Int) async throws(StoreError) -> [SHA256Digest] {
    try await reading { db in try TileQueries.thumbnailsWithoutColours(limit: limit, db) }
  }

  package func store(colours: [SHA256Digest: [UInt8]]) async throws(StoreError) {
    try await writing { db in try TileQueries.store(colours: colours, db) }
  }
}

extension PostgresLibrary {
  package func takeNewer(imageID: Int64) async throws(StoreError) -> Bool {
    let (folder, now) = (folder, now())
    let isTaken = try await changing { db in
      try SuccessorQueries.takeOriginal(imageID: imageID, in: folder, now: now, db) != nil
    }
    let found = try await reading { db in
      try SuccessorQueries.thumbnail(besideThatOf: imageID, now: now, db)
    }
    guard let found else { return isTaken }
    // A thumbnail that changes alone outdates the original.
    let batch =
      isTaken ? PictureBatch(new: [found.thumbnail]) : PictureBatch(changed: [found.thumbnail])
    try await store(batch, found.kind)
    return true
  }

  package func setPinned(_ isPinned: Bool, imageIDs: [Int64]) async throws(StoreError) -> [Int64] {
    let now = now().storedSeconds
    return try await changing { db in try PinQueries.set(isPinned, imageIDs, now: now, db) }
  }
}
