package import Models
package import Workers

/// What mirrors read: `MirrorStoring` without `apply`.
extension DatabaseLibrary {
  package func mirror(of gallery: WebAddress) async throws(StoreError) -> MirrorState? {
    try await reading(orNone: nil) { db in try MirrorQueries.mirror(of: gallery, db) }
  }

  package func galleries(ofLibrary library: String) async throws(StoreError) -> [WebAddress] {
    try await reading(orNone: []) { db in try MirrorQueries.galleries(ofLibrary: library, db) }
  }

  package func images(
    ofFeed originID: Int64,
    mirroredFrom gallery: WebAddress
  ) async throws(StoreError) -> [MirroredImage] {
    try await reading { db in
      guard let id = try FeedQueries.id(at: gallery, db) else { return [] }
      return try MirrorQueries.images(ofFeed: originID, ofMirror: id, db)
    }
  }

  package func wantedThumbnails(
    from gallery: WebAddress,
    limit: Int
  ) async throws(StoreError) -> [MirroredThumbnail] {
    try await reading { db in
      guard let id = try FeedQueries.id(at: gallery, db) else { return [] }
      return try MirrorQueries.wantedThumbnails(ofMirror: id, limit: limit, db)
    }
  }

  package func wantedOriginals(
    from gallery: WebAddress,
    before imageID: Int64?,
    limit: Int
  ) async throws(StoreError) -> [MirroredOriginal] {
    try await reading { db in
      guard let id = try FeedQueries.id(at: gallery, db) else { return [] }
      let imageID = imageID ?? .max
      return try MirrorQueries.wantedOriginals(ofMirror: id, before: imageID, limit: limit, db)
    }
  }

  package func wantedThumbnail(imageID: Int64) async throws(StoreError) -> MirroredThumbnail? {
    try await reading(.short) { db in try MirrorQueries.wantedThumbnail(imageID: imageID, db) }
  }

  package func mirroredOriginal(imageID: Int64) async throws(StoreError) -> MirroredOriginal? {
    try await reading(.short) { db in try MirrorQueries.original(imageID: imageID, db) }
  }

  package func imageID(
    withOriginal hash: SHA256Digest,
    besides imageID: Int64
  ) async throws(StoreError) -> Int64? {
    try await reading(.short) { db in
      try MirrorQueries.imageID(withOriginal: hash, besides: imageID, db)
    }
  }
}
