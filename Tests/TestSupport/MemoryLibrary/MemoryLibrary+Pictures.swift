package import FoundationEssentials
package import Models
package import Workers

extension MemoryLibrary: PictureStoring {
  package func wantsThumbnails(feedID: Int64, _ filter: PictureFilter) throws(StoreError) -> Bool {
    try attempt(.lookForThumbnails)
    return [PictureKind.thumbnail, .madeThumbnail].contains { kind in
      !wanted(kind, feedID, filter).isEmpty || !dueImages(kind, feedID, filter).isEmpty
    }
  }

  package func count(
    of kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) throws(StoreError) -> PictureCount {
    try attempt(kind.countStep)
    let images = wanted(kind, feedID, filter)
    let heldBack = images.filter { $0.isHeldBack(kind, filter) }
    let bytes = images.reduce(0) { $0 + min($1.fields.bytes ?? 0, OriginalRequest.mostBytes) }
    return PictureCount(
      offered: images.count - heldBack.count,
      heldBack: heldBack.count,
      failures: groups(heldBack.compactMap { $0.failures[kind] }, kind),
      declaredBytes: kind == .original ? bytes : 0
    )
  }

  package func wanted(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter,
    after last: WantedPicture?,
    limit: Int
  ) throws(StoreError) -> [WantedPicture] {
    try attempt(kind.pageStep(isFirst: last == nil))
    let pictures = wanted(kind, feedID, filter).filter { !$0.isHeldBack(kind, filter) }
      .compactMap { $0.picture(kind, asksAgain: filter.all) }
      .filter { picture in last.map { $0.precedes(picture) } ?? true }
    return Array(pictures.prefix(limit))
  }

  package func wantedThumbnail(madeFor imageID: Int64) throws(StoreError) -> WantedPicture? {
    let image = state.withLock { state in state.images.first { $0.id == imageID } }
    guard let image, image.thumbnailState == .unmade, image.original?.isStale == false else {
      return nil
    }
    return image.picture(.madeThumbnail, asksAgain: false)
  }

  package func due(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) throws(StoreError) -> [Int64] {
    try attempt(kind.dueStep)
    return dueImages(kind, feedID, filter)
  }

  package func checks(_ kind: PictureKind, imageIDs: [Int64]) throws(StoreError) -> [WantedPicture]
  {
    let images = state.withLock { $0.images }
    return imageIDs.compactMap { id in
      guard let image = images.first(where: { $0.id == id }), image.isRight(kind),
        var picture = image.picture(kind, asksAgain: true)
      else { return nil }
      picture.held =
        kind == .original ? image.original?.validators : image.thumbnail?.validators
      return picture
    }
  }

  package func thumbnailSource(imageID: Int64) throws(StoreError) -> String? {
    state.withLock { state in state.images.first { $0.id == imageID }?.thumbnail?.sourceSHA256 }
  }

  package func store(_ batch: PictureBatch, _ kind: PictureKind) throws(StoreError) {
    try attempt(kind.storeStep)
    if kind == .original {
      for picture in batch.unchanged { try renewOriginal(picture) }
    } else {
      keepThumbnails(batch, kind)
    }
    for failure in batch.failed { change(failure.imageID) { $0.note(failure, kind) } }
    if kind == .madeThumbnail { madeBatches.add() }
  }

  private func renewOriginal(_ picture: UnchangedPicture) throws(StoreError) {
    try attempt(.renewOriginal)
    record(.renewed(picture))
    change(picture.imageID) { image in
      guard image.original != nil else { return }
      image.original?.address = picture.address
      image.original?.validators = picture.validators ?? Validators()
      let isNamed = image.names(picture.address)
      image.original?.isStale = !isNamed
      image.checks[.original] = picture.checkDate.wholeSeconds
      image.failures[.original] = nil
    }
  }

  private func keepThumbnails(_ batch: PictureBatch, _ kind: PictureKind) {
    let fetched = batch.new + batch.changed
    if !fetched.isEmpty { record(.storedThumbnails(fetched.map(\.imageID).sorted())) }
    if !batch.unchanged.isEmpty { record(.keptThumbnails(batch.unchanged)) }
    for thumbnail in fetched { change(thumbnail.imageID) { $0.take(thumbnail, kind) } }
    for thumbnail in batch.changed {
      change(thumbnail.imageID) { $0.original?.isStale = true }
    }
    for picture in batch.unchanged {
      change(picture.imageID) { image in
        if let validators = picture.validators { image.thumbnail?.validators = validators }
        image.checks[kind] = picture.checkDate
        image.failures[kind] = nil
      }
    }
  }

  /// Does nothing, because a library in memory has no bound for originals.
  package func noteLook(atOriginal sha256: String, now: Date) {}

  package func openOriginalFile(
    imageID: Int64
  ) async throws(StoreError) -> any OriginalWriting {
    try attempt(.openOriginalFile)
    return MemoryOriginalFile(library: self, imageID: imageID)
  }

  // MARK: Wanted pictures

  /// The images of a feed that want a picture, the newest first.
  private func wanted(_ kind: PictureKind, _ feedID: Int64, _ filter: PictureFilter) -> [Image] {
    state.withLock { state in
      state.images.filter { $0.feedID == feedID && $0.wants(kind, filter) }
        .sorted { ($1.date, $0.position, $0.id) < ($0.date, $1.position, $1.id) }
    }
  }

  private func dueImages(_ kind: PictureKind, _ feedID: Int64, _ filter: PictureFilter) -> [Int64] {
    let images = state.withLock { $0.images.filter { $0.feedID == feedID && $0.isRight(kind) } }
    return images.compactMap { image -> (id: Int64, check: Date)? in
      guard let check = image.checks[kind],
        check <= filter.now || filter.retriesFailed && image.failures[kind] != nil
      else { return nil }
      return (image.id, check)
    }
    .sorted { $0.check < $1.check }.map(\.id)
  }

  private func groups(_ failures: [RememberedFailure], _ kind: PictureKind) -> [FailureGroup] {
    Dictionary(grouping: failures, by: \.picture.reason).map { reason, alike in
      let retry = alike.map(\.retry).min() ?? .distantPast
      return FailureGroup(kind: kind, count: alike.count, reason: reason, retry: retry)
    }
    .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}

extension WantedPicture {
  fileprivate func precedes(_ other: WantedPicture) -> Bool {
    (other.rank.date, rank.position, imageID) < (rank.date, other.rank.position, other.imageID)
  }
}

extension MemoryLibrary.Image {
  /// Seconds since 1970; a publication date in the future counts as the time when the image was first seen.
  var date: Int64 { fields.published.map { min($0, firstSeen) } ?? firstSeen }

  fileprivate func names(_ address: WebAddress) -> Bool {
    WebAddress(fields.originalAddress)?.identity == address.identity
  }

  /// Whether a picture is stored, and is the one that the feed names.
  fileprivate func isRight(_ kind: PictureKind) -> Bool {
    switch kind {
    case .thumbnail: thumbnailState == .stored
    case .madeThumbnail: thumbnailState == .made
    case .original: original?.isStale == false
    }
  }

  fileprivate func wants(_ kind: PictureKind, _ filter: PictureFilter) -> Bool {
    switch kind {
    case .thumbnail:
      return filter.all ? fields.thumbnailAddress != nil : thumbnailState == .wanted
    case .original: return original?.isStale != false
    case .madeThumbnail:
      guard filter.all ? fields.thumbnailAddress == nil : thumbnailState == .unmade else {
        return false
      }
      let isStored = original?.isStale == false
      return switch filter.originals {
      case .all: true
      case .stored: isStored
      case .notStored: !isStored
      }
    }
  }

  /// The picture to request; `asksAgain` makes the request conditional on a stored thumbnail.
  fileprivate func picture(_ kind: PictureKind, asksAgain: Bool) -> WantedPicture? {
    let text = kind == .thumbnail ? fields.thumbnailAddress : fields.originalAddress
    guard let address = text.flatMap(WebAddress.init) else { return nil }
    let held = asksAgain && kind != .original && isRight(kind) ? thumbnail : nil
    return WantedPicture(
      imageID: id,
      address: address,
      rank: WantedPicture.Rank(date: date, position: position),
      since: held?.fetched ?? Date(timeIntervalSince1970: Double(date)),
      held: held.map { _ in Validators() }
    )
  }

  fileprivate func isHeldBack(_ kind: PictureKind, _ filter: PictureFilter) -> Bool {
    guard let failure = failures[kind], !filter.all, !filter.retriesFailed else { return false }
    return failure.retry > filter.now
  }

  fileprivate mutating func take(_ thumbnail: FetchedThumbnail, _ kind: PictureKind) {
    let named = kind == .thumbnail ? fields.thumbnailAddress : fields.originalAddress
    guard named == thumbnail.address.text else { return }
    self.thumbnail = thumbnail
    colours = nil
    thumbnailState = kind == .thumbnail ? .stored : .made
    checks[kind] = thumbnail.checkDate
    failures[kind] = nil
    damaged.remove(.thumbnail)
  }

  /// Stores a failure; the next attempt also asks about a stored picture.
  fileprivate mutating func note(_ failure: FailedPicture, _ kind: PictureKind) {
    let known = failures[kind].flatMap { known in
      known.picture.failureClass == failure.failureClass && known.picture.address == failure.address
        ? known : nil
    }
    let tries = (known?.tries ?? 0) + 1
    let retry = failure.retryDate(tries: tries)
    failures[kind] = MemoryLibrary.RememberedFailure(picture: failure, tries: tries, retry: retry)
    if checks[kind] != nil { checks[kind] = retry }
  }
}

extension PictureKind {
  fileprivate var countStep: StoreStep {
    switch self {
    case .thumbnail: .countThumbnails
    case .madeThumbnail: .countUnmade
    case .original: .countOriginals
    }
  }

  fileprivate func pageStep(isFirst: Bool) -> StoreStep {
    switch self {
    case .thumbnail: isFirst ? .findThumbnails : .secondPageOfThumbnails
    case .madeThumbnail: .findUnmade
    case .original: .findOriginals
    }
  }

  fileprivate var dueStep: StoreStep {
    self == .original ? .findDueOriginals : .findDueThumbnails
  }

  fileprivate var storeStep: StoreStep {
    switch self {
    case .thumbnail: .storeThumbnails
    case .madeThumbnail: .storeMade
    case .original: .noteOriginals
    }
  }
}
