import Models
package import Workers

extension SQLiteLibrary: MadeThumbnailStoring {
  package func unmadeCount(
    feedID: Int64,
    from originals: MadeThumbnailOriginals,
    _ wish: PictureWish
  ) throws(StoreError) -> PictureCount {
    try reader.read(ThumbnailQueries.unmade(feedID: feedID, from: originals, wish).count)
  }

  package func unmadeOrders(
    feedID: Int64,
    from originals: MadeThumbnailOriginals,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    let query = ThumbnailQueries.unmade(feedID: feedID, from: originals, wish)
    return try reader.read { db in try query.rows(after: last, limit: limit, db) }
  }

  package func unmadeOrder(imageID: Int64) throws(StoreError) -> PictureOrder? {
    try reader.read { db in try ThumbnailQueries.unmadeOrder(imageID: imageID, db) }
  }

  package func dueMadeThumbnails(
    feedID: Int64,
    _ wish: PictureWish
  ) throws(StoreError) -> [Int64] {
    try reader.read { db in try CheckQueries.due(.madeThumbnail, feedID: feedID, wish, db) }
  }

  package func madeThumbnailChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder] {
    try reader.read { db in try CheckQueries.orders(.madeThumbnail, imageIDs: imageIDs, db) }
  }

  package func storeMade(_ batch: ThumbnailBatch) throws(StoreError) {
    try store(batch, .madeThumbnail)
  }
}
