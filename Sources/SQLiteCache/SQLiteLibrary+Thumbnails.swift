import GRDB
import Models
package import Workers

extension SQLiteLibrary: ThumbnailStoring {
  package func wantsThumbnails(
    feedID: Int64,
    _ wish: PictureWish
  ) throws(StoreError) -> Bool {
    try reader.read { db in try ThumbnailQueries.wantsAny(feedID: feedID, wish, db) }
  }

  package func thumbnailCount(
    feedID: Int64,
    _ wish: PictureWish
  ) throws(StoreError) -> PictureCount {
    try reader.read(ThumbnailQueries.wanted(feedID: feedID, wish).count)
  }

  package func thumbnailOrders(
    feedID: Int64,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    let query = ThumbnailQueries.wanted(feedID: feedID, wish)
    return try reader.read { db in try query.rows(after: last, limit: limit, db) }
  }

  package func dueThumbnails(
    feedID: Int64,
    _ wish: PictureWish
  ) throws(StoreError) -> [Int64] {
    try reader.read { db in try CheckQueries.due(.thumbnail, feedID: feedID, wish, db) }
  }

  package func thumbnailChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder] {
    try reader.read { db in try CheckQueries.orders(.thumbnail, imageIDs: imageIDs, db) }
  }

  package func thumbnailSource(imageID: Int64) throws(StoreError) -> String? {
    try reader.read { db in try ThumbnailQueries.source(imageID: imageID, db) }
  }

  package func sha256(of bytes: [UInt8]) throws(StoreError) -> String {
    try SHA256.digits(of: bytes, path: folder.thumbnails)
  }

  package func store(_ batch: ThumbnailBatch) throws(StoreError) {
    try store(batch, .thumbnail)
  }

  func store(_ batch: ThumbnailBatch, _ kind: PictureKind) throws(StoreError) {
    try pack(batch.new.map(\.bytes) + batch.changed.map(\.bytes)) { db, places in
      try ThumbnailWriting(kind, db).store(batch, at: places)
    }
  }
}
