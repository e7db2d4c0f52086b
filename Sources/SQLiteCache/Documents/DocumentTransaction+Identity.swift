import Models

extension DocumentTransaction {
  mutating func add(_ entry: FeedEntry) throws {
    let images = Self.distinct(entry.images)
    guard let entryID = entry.id.map(EntryID.init) else {
      for image in images { try addByAddress(image, isAmbiguous: false) }
      return
    }
    switch state.ledger.note(entryID.hash) {
    case .first: return try addByEntryID(entryID, images)
    case .second: try disownImages(of: entryID)
    case .later: break
    }
    for image in images { try addByAddress(image, isAmbiguous: true) }
  }

  /// The images of an entry; the same address twice is one image.
  private static func distinct(_ images: [DocumentImage]) -> [DocumentImage] {
    if images.count == 1 { return images }
    var hashes: Set<Int64> = []
    return images.filter { hashes.insert($0.originalHash).inserted }
  }

  mutating func disownImages(of entryID: EntryID) throws {
    try writeRun()
    for image in try queries.images(entryID: entryID) { try writing.disown(image) }
    state.hasImagesWithoutEntryID = true
  }

  mutating func addByEntryID(_ entryID: EntryID, _ images: [DocumentImage]) throws {
    let candidates = try unseenImages(entryID: entryID)
    let match = EntryMatch(images, candidates: candidates)
    if match.needsEntryID, canPutOff(images.count) {
      return putOff(images, entryID: entryID, hints: candidates)
    }
    for (image, stored) in zip(images, match.stored) {
      gather(try item(image, entryID: entryID, stored))
    }
  }

  private func unseenImages(entryID: EntryID) throws -> [StoredImage] {
    if state.isFeedNew { return [] }
    return try queries.images(entryID: entryID).filter { !state.seen.contains($0.id) }
  }

  /// What the entry's id does not tie may be an image that had no id so far.
  func item(
    _ image: DocumentImage,
    entryID: EntryID,
    _ stored: StoredImage?
  ) throws -> RunItem {
    if stored == nil, let found = try withoutEntryID(image) {
      return RunItem(image: image, entryID: found.isAmbiguous ? nil : entryID, stored: found)
    }
    return RunItem(image: image, entryID: entryID, stored: stored)
  }

  func withoutEntryID(_ image: DocumentImage) throws -> StoredImage? {
    guard state.hasImagesWithoutEntryID else { return nil }
    return try queries.images(originalOf: image).first {
      $0.entryID == nil && !state.seen.contains($0.id)
    }
  }

  mutating func addByAddress(_ image: DocumentImage, isAmbiguous: Bool) throws {
    if newHashes.contains(image.originalHash) { try writeRun() }
    var item = RunItem(image: image, isAmbiguous: isAmbiguous)
    if let found = try stored(image, isAmbiguous: isAmbiguous) {
      guard !state.seen.contains(found.id) else { return }
      item.stored = found
    } else if let found = try unseenImage(thumbnailOf: image), canPutOff(1) {
      return putOff([image], entryID: nil, hints: [found])
    }
    gather(item)
  }

  /// The stored image with an original's address: one without an entry id first; one with an id
  /// only when the document gives this image none.
  func stored(_ image: DocumentImage, isAmbiguous: Bool) throws -> StoredImage? {
    let found = try queries.images(originalOf: image)
    let withoutID = found.filter { $0.entryID == nil }
    let candidates = withoutID.isEmpty && !isAmbiguous ? found : withoutID
    return candidates.first { !state.seen.contains($0.id) } ?? candidates.first
  }

  func unseenImage(thumbnailOf image: DocumentImage) throws -> StoredImage? {
    guard state.hasImagesWithoutEntryID else { return nil }
    return try queries.image(thumbnailOf: image).flatMap { state.seen.contains($0.id) ? nil : $0 }
  }
}
