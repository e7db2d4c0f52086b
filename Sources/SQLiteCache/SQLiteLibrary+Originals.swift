import GRDB
package import Workers

extension SQLiteLibrary: OriginalStoring {
  package func originalCount(feedID: Int64) throws(StoreError) -> Int {
    try reader.read { db in try OriginalQueries.wantedCount(feedID: feedID, db) }
  }

  package func originalOrders(
    feedID: Int64,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    try reader.read { db in
      try OriginalQueries.orders(feedID: feedID, after: last, limit: limit, db)
    }
  }

  package func makeOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting {
    if try FileSystem.makeFolder(folder.partial) { try FileSystem.sync(folder: folder.path) }
    let file = try await PartialFile.open(folder.partial(imageID: imageID))
    return OriginalFile(file, imageID: imageID, library: self)
  }
}
