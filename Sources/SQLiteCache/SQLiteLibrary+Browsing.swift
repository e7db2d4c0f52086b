import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary {
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
}

extension SQLiteLibrary {
  package func publicPacks() async throws(StoreError) -> [SHA256Digest: SealedPack] {
    let found = try await reading { db in try SealQueries.publicPacks(db) }
    return found.mapValues { SealedPack(path: folder.pack($0.id), bytes: $0.bytes) }
  }
}
