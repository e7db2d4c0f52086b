/// What a sync keeps of thumbnails that are made from originals, because their feeds name none.
///
/// An order's address is the original's, and what it holds are the validators of the original that
/// the stored thumbnail was made from.
package protocol MadeThumbnailStoring: Sendable {
  /// How many thumbnails of a feed are to be made; with `wish.all`, all that it names none for.
  func unmadeCount(
    feedID: Int64,
    from originals: MadeThumbnailOriginals,
    _ wish: PictureWish
  ) throws(StoreError) -> PictureCount

  /// The next thumbnails to make, newest first, behind `last`.
  func unmadeOrders(
    feedID: Int64,
    from originals: MadeThumbnailOriginals,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder]

  /// How to make the thumbnail of an image from its stored original; nil when it wants none, or has no right one.
  func unmadeOrder(imageID: Int64) throws(StoreError) -> PictureOrder?

  /// The images of a feed whose made thumbnails are due, the longest due first: their originals'
  /// servers are to be asked whether they have changed.
  func dueMadeThumbnails(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> [Int64]

  /// How to ask about the originals that thumbnails were made from; images without are left out.
  func madeThumbnailChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder]

  /// Keeps what became of made thumbnails in one transaction.
  func storeMade(_ batch: ThumbnailBatch) throws(StoreError)
}
