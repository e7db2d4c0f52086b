import LibraryFiles
package import Models
package import Workers

/// Lists, images and feeds, for those who look at them: a part of `LibraryReading`.
extension DatabaseLibrary {
  package func version() async throws(StoreError) -> LibraryVersion {
    let none = LibraryVersion(library: "", epoch: 0, number: 0)
    return try await reading(.short, orNone: none) { db in try ChangeLog.version(db) ?? none }
  }

  package func imageIDs(matching query: ImageQuery) async throws(StoreError) -> [Int64] {
    try await reading { db in try ImageListing(query, db).ids(db) }
  }

  package func images(ids: [Int64]) async throws(StoreError) -> [WebImage] {
    try await reading { db in try ImageQueries.images(ids, db) }
  }

  package func image(id: Int64) async throws(StoreError) -> WebImage? {
    try await reading(.short) { db in
      var image = try ImageQueries.images([id], db).first
      image?.manifest = try MemberQueries.manifest(imageID: id, db)
      image?.isPinned = try PinQueries.isPinned(imageID: id, db)
      return image
    }
  }

  package func original(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    let (stored, here) = try await reading(.short) { [folder] db in
      let stored = try OriginalQueries.original(imageID: imageID, in: folder, db)
      let here = try stored == nil ? FolderQueries.original(imageID: imageID, db) : nil
      return (try stored?.found(), here)
    }
    // A file of a folder that is a feed may be on a drive that does not answer.
    guard let here else { return stored }
    return try await here.original.foundApart(in: here.folder)
  }

  package func original(_ hash: SHA256Digest) async throws(StoreError) -> StoredOriginal? {
    let (stored, ids) = try await reading(.short) { [folder] db -> (StoredOriginal?, [Int64]) in
      if let id = try OriginalQueries.image(withOriginal: hash, db),
        let original = try OriginalQueries.original(imageID: id, in: folder, db)?.found(),
        !original.isDamaged
      {
        return (original, [])
      }
      return (nil, try FolderQueries.images(withOriginal: hash, db))
    }
    for id in ids {
      let here = try await reading(.short) { db in try FolderQueries.original(imageID: id, db) }
      // Its drive may not answer.
      guard let here, let original = try await here.original.foundApart(in: here.folder),
        original.sha256 == hash.hexadecimal
      else { continue }
      return original
    }
    return stored
  }

  package func successors(imageID: Int64) async throws(StoreError) -> [Successor] {
    try await reading(.short) { [folder] db in
      try SuccessorQueries.successors(imageID: imageID, in: folder, db)
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

  package func timeline(matching query: ImageQuery) async throws(StoreError) -> Timeline {
    try await reading { db in try ImageListing(query, db).timeline(db) }
  }

  package func tiles(ids: [Int64]) async throws(StoreError) -> [ImageTile] {
    try await reading { db in try TileQueries.tiles(ids, db) }
  }

  package func imageIDs(
    withPictures hashes: [SHA256Digest]
  ) async throws(StoreError) -> [SHA256Digest: [Int64]] {
    try await reading(.short) { db in
      var images: [SHA256Digest: [Int64]] = [:]
      for hash in hashes { images[hash] = try TileQueries.images(withPicture: hash, db) }
      return images
    }
  }

  package func cursor(
    behind imageID: Int64,
    in order: ImageQuery.Order
  ) async throws(StoreError) -> ImageCursor? {
    try await reading(.short) { db in
      try ImageListing.position(behind: imageID, in: order, db)
    }
  }

  package func thumbnailsWithoutColours(limit: Int) async throws(StoreError) -> [SHA256Digest] {
    try await reading { db in try TileQueries.thumbnailsWithoutColours(limit: limit, db) }
  }

  package func store(colours: [SHA256Digest: [UInt8]]) async throws(StoreError) {
    try await writing { db in try TileQueries.store(colours: colours, db) }
  }
}
