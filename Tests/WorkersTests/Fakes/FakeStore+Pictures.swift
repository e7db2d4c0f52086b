import Models
import Workers

extension FakeStore: ThumbnailStoring, OriginalStoring, OriginalReading {
  func thumbnailCount(feedID: Int64, all: Bool) throws(StoreError) -> Int {
    try attempt(.countThumbnails)
    return wanted(feedID) { all || $0.thumbnail == nil }.count
  }

  func thumbnailOrders(
    feedID: Int64,
    all: Bool,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    try attempt(last == nil ? .orderThumbnails : .secondPageOfThumbnails)
    let images = wanted(feedID) { all || $0.thumbnail == nil }
    return orders(images, after: last, limit: limit) { $0.thumbnailAddress }
  }

  func store(_ thumbnails: [FetchedThumbnail]) throws(StoreError) {
    try attempt(.storeThumbnails)
    record(.storedThumbnails(thumbnails.map(\.imageID).sorted()))
    state.withLock { state in
      for thumbnail in thumbnails {
        let index = state.images.firstIndex { $0.id == thumbnail.imageID }
        if let index { state.images[index].thumbnail = thumbnail }
      }
    }
  }

  func originalCount(feedID: Int64) throws(StoreError) -> Int {
    try attempt(.countOriginals)
    return wanted(feedID) { $0.original == nil }.count
  }

  func originalOrders(
    feedID: Int64,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    try attempt(.orderOriginals)
    let images = wanted(feedID) { $0.original == nil }
    return orders(images, after: last, limit: limit) { $0.originalAddress }
  }

  func makeOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting {
    try attempt(.makeOriginalFile)
    return FakeOriginalFile(store: self, imageID: imageID)
  }

  func original(imageID: Int64) throws(StoreError) -> StoredOriginal? {
    try attempt(.findOriginal)
    return state.withLock { state in state.images.first { $0.id == imageID }?.original }
  }

  /// The images of a feed that want something, the latest one first.
  private func wanted(_ feedID: Int64, _ isWanted: (Image) -> Bool) -> [Image] {
    state.withLock { state in
      state.images.filter { $0.feedID == feedID && isWanted($0) }.reversed()
    }
  }

  private func orders(
    _ images: [Image],
    after last: PictureOrder?,
    limit: Int,
    address: (FeedImage) -> WebAddress?
  ) -> [PictureOrder] {
    let rest = images.filter { last == nil || $0.id < last?.imageID ?? 0 }
    return rest.prefix(limit).compactMap { image in
      address(image.image).map { address in
        let rank = PictureOrder.Rank(date: image.id, place: 0)
        return PictureOrder(imageID: image.id, address: address, rank: rank)
      }
    }
  }
}
