import GRDB
package import Workers

extension SQLiteLibrary: ThumbnailStoring {
  package func thumbnailCount(feedID: Int64, all: Bool) throws(StoreError) -> Int {
    try reader.read { db in try ThumbnailQueries.count(feedID: feedID, all: all, db) }
  }

  package func thumbnailOrders(
    feedID: Int64,
    all: Bool,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    try reader.read { db in
      try ThumbnailQueries.orders(feedID: feedID, all: all, after: last, limit: limit, db)
    }
  }

  package func store(_ thumbnails: [FetchedThumbnail]) throws(StoreError) {
    try write { db in
      let storing = try ThumbnailQueries.Storing(db)
      for thumbnail in thumbnails { try storing.store(thumbnail, db) }
    }
  }
}
