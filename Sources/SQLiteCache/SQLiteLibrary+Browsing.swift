import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary {
  package func version() async throws(StoreError) -> LibraryVersion {
    let none = LibraryVersion(library: "", epoch: 0, number: 0)
    return try await reading(.short, orNone: none) { db in try ChangeLog.version(db) ?? none }
  }

  package func timeline(matching query: ImageQuery) async throws(StoreError) -> Timeline {
    try await reading { db in try ImageListing(query, db).timeline(db) }
  }

  package func tiles(ids: [Int64]) async throws(StoreError) -> [ImageTile] {
    try await reading { db in try TileQueries.tiles(ids, db) }
  }

  package func thumbnails(_ hashes: [SHA256Digest]) async throws(StoreError) -> [PictureBytes] {
    try await onReads(.short) { () throws(StoreError) in
      var pictures: [PictureBytes] = []
      for hash in hashes {
        if let picture = try self.storedThumbnail(hash) { pictures.append(picture) }
      }
      return pictures
    }
  }

  private func storedThumbnail(_ hash: SHA256Digest) throws(StoreError) -> PictureBytes? {
    var seen: [TileQueries.Thumbnail] = []
    while true {
      let found = try read { db in try TileQueries.thumbnails(hash, db) }
      for thumbnail in found {
        guard let bytes = try packs.bytes(at: thumbnail.location) else { continue }
        return PictureBytes(bytes: bytes, format: thumbnail.format)
      }
      // The room of a thumbnail that was replaced since its row was read may have been given back already.
      if found == seen { return nil }
      seen = found
    }
  }

  package func original(_ hash: SHA256Digest) async throws(StoreError) -> StoredOriginal? {
    let (stored, ids) = try await onReads(.short) {
      () throws(StoreError) -> (StoredOriginal?, [Int64]) in
      let stored = try self.read { db in
        try OriginalQueries.image(withOriginal: hash, db).flatMap { id in
          try OriginalQueries.original(imageID: id, in: self.folder, db)
        }
      }
      if let original = try stored?.found(), !original.isDamaged { return (original, []) }
      return (nil, try self.read { db in try FolderQueries.images(withOriginal: hash, db) })
    }
    for id in ids {
      let here = try await reading(.short) { db in
        try FolderQueries.original(imageID: id, db)
      }
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
    try await reading(.short) { db in
      var images: [SHA256Digest: [Int64]] = [:]
      for hash in hashes { images[hash] = try TileQueries.images(withPicture: hash, db) }
      return images
    }
  }

  package func thumbnailsWithoutColours(limit: Int) async throws(StoreError) -> [SHA256Digest] {
    try await reading { db in try TileQueries.thumbnailsWithoutColours(limit: limit, db) }
  }

  package func store(colours: [SHA256Digest: [UInt8]]) async throws(StoreError) {
    try await writing { db in try TileQueries.store(colours: colours, db) }
  }

  package func cursor(
    behind imageID: Int64,
    in order: ImageQuery.Order
  ) async throws(StoreError) -> ImageCursor? {
    try await reading(.short) { db in
      try ImageListing.position(behind: imageID, in: order, db)
    }
  }
}

extension SQLiteLibrary {
  package func states(ids: [Int64]) async throws(StoreError) -> [ImageState] {
    try await reading { db in
      let states = try ImageStates.states(ids, db)
      return ids.compactMap { states[$0] }
    }
  }

  package func publicPacks() async throws(StoreError) -> [SHA256Digest: SealedPack] {
    let found = try await reading { db in try SealQueries.publicPacks(db) }
    return found.mapValues { SealedPack(path: folder.pack($0.id), bytes: $0.bytes) }
  }
}
