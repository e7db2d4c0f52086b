import FoundationEssentials
import Models
import Workers

extension FakeStore: MadeThumbnailStoring {
  func unmadeCount(
    feedID: Int64,
    from originals: MadeThumbnailOriginals,
    _ wish: PictureWish
  ) throws(StoreError) -> PictureCount {
    try attempt(.countUnmade)
    return count(unmade(feedID, originals, wish), .madeThumbnail, wish)
  }

  func unmadeOrders(
    feedID: Int64,
    from originals: MadeThumbnailOriginals,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    let images = unmade(feedID, originals, wish).filter { !$0.isHeldBack(.madeThumbnail, wish) }
    return page(images, after: last, limit: limit).map { image in
      var order = image.makingOrder
      if order.held != nil { order.held = Validators() }
      return order
    }
  }

  func unmadeOrder(imageID: Int64) throws(StoreError) -> PictureOrder? {
    let isUnmade = { (image: Image) in
      image.image.thumbnailAddress == nil && image.thumbnail == nil && image.original != nil
    }
    return images([imageID]).first(where: isUnmade)?.makingOrder
  }

  func dueMadeThumbnails(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> [Int64] {
    due(feedID, .madeThumbnail, wish)
  }

  func madeThumbnailChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder] {
    images(imageIDs).map(\.makingOrder).filter { $0.held != nil }
  }

  func storeMade(_ batch: ThumbnailBatch) throws(StoreError) {
    try attempt(.storeMade)
    keep(batch, .madeThumbnail)
    makings.add()
  }

  func unmade(
    _ feedID: Int64,
    _ originals: MadeThumbnailOriginals,
    _ wish: PictureWish
  ) -> [Image] {
    wanted(feedID) { image in
      guard image.image.thumbnailAddress == nil, wish.all || image.thumbnail == nil else {
        return false
      }
      switch originals {
      case .all: return true
      case .stored: return image.original != nil
      case .notStored: return image.original == nil
      }
    }
  }
}

extension FakeStore.Image {
  fileprivate var makingOrder: PictureOrder {
    PictureOrder(
      imageID: id,
      address: image.originalAddress,
      rank: rank,
      since: thumbnail?.fetched ?? image.published ?? SyncBench.now,
      held: thumbnail?.validators
    )
  }
}
