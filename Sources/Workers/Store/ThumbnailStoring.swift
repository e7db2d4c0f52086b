/// What a sync keeps of thumbnails.
package protocol ThumbnailStoring: Sendable {
  /// Whether any thumbnail of a feed is to be fetched, made or asked about: one question in the place
  /// of many, which mostly answers them all.
  func wantsThumbnails(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> Bool

  /// How many thumbnails of a feed are missing or no longer right; with `wish.all`, how many it names.
  func thumbnailCount(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> PictureCount

  /// The next thumbnails to fetch, newest first: the missing and outdated ones, or with `wish.all`
  /// every one that the feed names. Starts behind `last`, so that one that fails is not offered again.
  func thumbnailOrders(
    feedID: Int64,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder]

  /// The images of a feed whose stored thumbnails are due to be asked about, the longest due first.
  func dueThumbnails(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> [Int64]

  /// How to ask about the stored thumbnails of images; those that have none are left out.
  func thumbnailChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder]

  /// An image's stored thumbnail as it came; nil when there is none, or none that is whole.
  func thumbnailBytes(imageID: Int64) throws(StoreError) -> [UInt8]?

  /// SHA-256 of what an image's thumbnail was made from; nil for one that is stored as it came, or
  /// not at all.
  func thumbnailSource(imageID: Int64) throws(StoreError) -> String?

  /// SHA-256 of bytes as the store writes it, in lower-case hexadecimal digits.
  func sha256(of bytes: [UInt8]) throws(StoreError) -> String

  /// Keeps what became of thumbnails in one transaction: each new or changed one in the place of the
  /// one before.
  func store(_ batch: ThumbnailBatch) throws(StoreError)
}
