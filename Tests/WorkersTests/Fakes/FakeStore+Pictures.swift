import FoundationEssentials
import Models
import Workers

extension FakeStore: ThumbnailStoring, OriginalStoring, OriginalReading {
  func wantsThumbnails(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> Bool {
    try attempt(.lookForThumbnails)
    let missing = wanted(feedID) { $0.wantsNamed(wish) } + unmade(feedID, .all, wish)
    return !missing.isEmpty || !due(feedID, .thumbnail, wish).isEmpty
      || !due(feedID, .madeThumbnail, wish).isEmpty
  }

  func thumbnailCount(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> PictureCount {
    try attempt(.countThumbnails)
    return count(wanted(feedID) { $0.wantsNamed(wish) }, .thumbnail, wish)
  }

  func thumbnailOrders(
    feedID: Int64,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    try attempt(last == nil ? .orderThumbnails : .secondPageOfThumbnails)
    let images = wanted(feedID) { $0.wantsNamed(wish) }
      .filter { !$0.isHeldBack(.thumbnail, wish) }
    return page(images, after: last, limit: limit).compactMap { image in
      var order = image.thumbnailOrder
      if order?.held != nil { order?.held = Validators() }
      return order
    }
  }

  func dueThumbnails(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> [Int64] {
    try attempt(.findDueThumbnails)
    return due(feedID, .thumbnail, wish)
  }

  func thumbnailChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder] {
    images(imageIDs).compactMap(\.thumbnailOrder).filter { $0.held != nil }
  }

  func thumbnailBytes(imageID: Int64) throws(StoreError) -> [UInt8]? {
    images([imageID]).first?.thumbnail?.bytes
  }

  func thumbnailSource(imageID: Int64) throws(StoreError) -> String? {
    images([imageID]).first?.thumbnail?.sourceSHA256
  }

  func sha256(of bytes: [UInt8]) throws(StoreError) -> String { FakeOriginalFile.sha256(of: bytes) }

  func store(_ batch: ThumbnailBatch) throws(StoreError) {
    try attempt(.storeThumbnails)
    keep(batch, .thumbnail)
  }

  func originalCount(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> PictureCount {
    try attempt(.countOriginals)
    return count(wanted(feedID) { $0.original == nil }, .original, wish)
  }

  func originalOrders(
    feedID: Int64,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    try attempt(.orderOriginals)
    let images = wanted(feedID) { $0.original == nil }.filter { !$0.isHeldBack(.original, wish) }
    return page(images, after: last, limit: limit).map(\.originalOrder)
  }

  func dueOriginals(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> [Int64] {
    try attempt(.findDueOriginals)
    return due(feedID, .original, wish)
  }

  func originalChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder] {
    images(imageIDs).map(\.originalOrder).filter { $0.held != nil }
  }

  func note(_ failures: [FailedPicture]) throws(StoreError) {
    try attempt(.noteOriginals)
    for failure in failures { change(failure.imageID) { $0.note(failure, .original) } }
  }

  func makeOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting {
    try attempt(.makeOriginalFile)
    return FakeOriginalFile(store: self, imageID: imageID)
  }

  func original(imageID: Int64) throws(StoreError) -> StoredOriginal? {
    try attempt(.findOriginal)
    return images([imageID]).first?.original
  }

  func keep(_ batch: ThumbnailBatch, _ kind: PictureKind) {
    let fetched = batch.new + batch.changed
    if !fetched.isEmpty { record(.storedThumbnails(fetched.map(\.imageID).sorted())) }
    if !batch.unchanged.isEmpty { record(.keptThumbnails(batch.unchanged)) }
    for thumbnail in fetched {
      change(thumbnail.imageID) { image in
        image.thumbnail = thumbnail
        image.answer(kind, check: thumbnail.checkDate)
      }
    }
    for thumbnail in batch.unchanged {
      change(thumbnail.imageID) { image in
        thumbnail.validators.map { image.thumbnail?.validators = $0 }
        image.answer(kind, check: thumbnail.checkDate)
      }
    }
    for failure in batch.failed { change(failure.imageID) { $0.note(failure, kind) } }
  }

  func images(_ ids: [Int64]) -> [Image] {
    state.withLock { state in ids.flatMap { id in state.images.filter { $0.id == id } } }
  }

  /// The images of a feed that want something, the latest one first.
  func wanted(_ feedID: Int64, _ isWanted: (Image) -> Bool) -> [Image] {
    state.withLock { state in
      inOrder(state.images.filter { $0.feedID == feedID && isWanted($0) })
    }
  }

  func count(
    _ images: [Image],
    _ kind: PictureKind,
    _ wish: PictureWish
  ) -> PictureCount {
    let heldBack = images.count { $0.isHeldBack(kind, wish) }
    return PictureCount(
      offered: images.count - heldBack,
      heldBack: heldBack,
      failures: failures(images.filter { $0.isHeldBack(kind, wish) }, kind)
    )
  }

  private func failures(_ images: [Image], _ kind: PictureKind) -> [FailureGroup] {
    let failures = images.compactMap { $0.failures[kind] }
    return Dictionary(grouping: failures, by: \.picture.reason).map { reason, alike in
      let retry = alike.map(\.retry).min() ?? SyncBench.now
      return FailureGroup(kind: kind, count: alike.count, reason: reason, retry: retry)
    }
  }

  func due(_ feedID: Int64, _ kind: PictureKind, _ wish: PictureWish) -> [Int64] {
    let images = state.withLock { $0.images.filter { $0.feedID == feedID } }
    return images.filter { image in
      guard let check = image.checks[kind] else { return false }
      return check <= wish.now || wish.retriesFailed && image.failures[kind] != nil
    }
    .map(\.id)
  }

  func page(_ images: [Image], after last: PictureOrder?, limit: Int) -> [Image] {
    guard let last else { return Array(images.prefix(limit)) }
    return Array(images.filter { isBehind($0.id, last.imageID) }.prefix(limit))
  }
}

extension FakeStore.Image {
  fileprivate func wantsNamed(_ wish: PictureWish) -> Bool {
    image.thumbnailAddress != nil && (wish.all || thumbnail == nil)
  }

  var rank: PictureOrder.Rank { PictureOrder.Rank(date: id, place: 0) }

  fileprivate var thumbnailOrder: PictureOrder? {
    image.thumbnailAddress.map { address in
      PictureOrder(
        imageID: id,
        address: address,
        rank: rank,
        since: thumbnail?.fetched ?? image.published ?? SyncBench.now,
        held: thumbnail?.validators
      )
    }
  }

  fileprivate var originalOrder: PictureOrder {
    PictureOrder(
      imageID: id,
      address: image.originalAddress,
      rank: rank,
      since: image.published ?? SyncBench.now,
      held: original.map { _ in Validators() }
    )
  }

  func isHeldBack(_ kind: PictureKind, _ wish: PictureWish) -> Bool {
    guard let failure = failures[kind], !wish.all, !wish.retriesFailed else { return false }
    return failure.retry > wish.now
  }

  fileprivate mutating func answer(_ kind: PictureKind, check: Date) {
    checks[kind] = check
    failures[kind] = nil
  }

  fileprivate mutating func note(_ failure: FailedPicture, _ kind: PictureKind) {
    let known = failures[kind].flatMap { known in
      known.picture.failureClass == failure.failureClass ? known : nil
    }
    let tries = (known?.tries ?? 0) + 1
    let retry = failure.retryDate(tries: tries)
    failures[kind] = FakeStore.RememberedFailure(picture: failure, tries: tries, retry: retry)
    if checks[kind] != nil { checks[kind] = retry }
  }
}
