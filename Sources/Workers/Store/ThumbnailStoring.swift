/// What a sync keeps of thumbnails.
package protocol ThumbnailStoring: Sendable {
  /// How many thumbnails of a feed are missing or no longer right; with `all`, how many it names.
  func thumbnailCount(feedID: Int64, all: Bool) throws(StoreError) -> Int

  /// The next thumbnails to fetch, newest first: the missing and outdated ones, or with `all` every
  /// one that the feed names. Starts behind `last`, so that one that fails is not offered again.
  func thumbnailOrders(
    feedID: Int64,
    all: Bool,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder]

  /// Stores thumbnails in one transaction, each in the place of the one before.
  func store(_ thumbnails: [FetchedThumbnail]) throws(StoreError)
}
