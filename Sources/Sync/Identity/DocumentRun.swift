import Models
import Workers

/// Decides which stored images the entries of one batch are, and collects the changes to write.
///
/// Identity comes first, then positions, then changes, because the position of a new image depends on the known images
/// after it. An entry that needs another look-up ends the batch, and begins the next one. See
/// Documentation/Identity.md.
struct DocumentRun {
  /// An image whose identity is known or put off, before its position is known.
  struct Item {
    var image: DocumentImage
    /// The entry id that identifies it; nil if the document gives no id, or uses it twice.
    var entryID: EntryID?
    /// Whether the document uses its entry's id twice.
    var isAmbiguous = false
    /// The stored image that it is; nil for a new one; only a hint for its position while it is put off.
    var stored: StoredImage?
  }

  /// The match of an image by its address alone.
  private enum AddressMatch {
    case new
    /// An image that the document has listed already.
    case seen
    case stored(StoredImage)
  }

  var state: DocumentState
  var batch = DocumentBatch()
  /// Whether the store can have images of the feed.
  private let hasStored: Bool
  var items: [Item] = []
  /// The indexes of the items that an entry id identifies, by the hash of that id.
  private var itemsByEntryID: [Int64: [Int]] = [:]
  /// The lengths of the parts of the run that were put off, by their first index.
  var putOffLengths: [Int: Int] = [:]
  /// Stored images that lose the id of their entry with this batch.
  private var disowned: Set<Int64> = []

  init(_ state: consuming DocumentState, hasStored: Bool) {
    self.state = state
    self.hasStored = hasStored
    batch.imagesBefore = self.state.counts.total
  }

  // MARK: Look-ups

  /// The keys by which an entry is looked up.
  func keys(of entry: EntryLookup) -> EntryLookup.Keys {
    guard hasStored else { return [] }
    guard let entryID = entry.entryID else { return .original }
    switch state.ledger.use(of: entryID.hash) {
    case .first where entryID.isPage: return state.isFeedNew ? .original : [.entryID, .original]
    case .first: return state.isFeedNew ? [] : .entryID
    case .second, .later: return [.entryID, .original]
    }
  }

  /// The look-up that an entry needs in addition to the first one; nil if it needs no other.
  func furtherLookup(_ entry: EntryLookup, _ found: EntryCandidates) -> EntryLookup? {
    guard hasStored else { return nil }
    let missing = missingKeys(entry, found).subtracting(found.keys)
    return missing.isEmpty ? nil : entry.by(missing)
  }

  /// The keys that are needed to identify an entry, given the entries before it.
  private func missingKeys(_ entry: EntryLookup, _ found: EntryCandidates) -> EntryLookup.Keys {
    var keys = keys(of: entry)
    let use = entry.entryID.map { state.ledger.use(of: $0.hash) }
    if use == .first {
      guard state.hasImagesWithoutEntryID || !state.isFeedNew else { return keys }
      if unseen(found.withEntryID).count < entry.images.count { keys.insert(.original) }
      if !state.isFeedNew, found.withEntryID.isEmpty { keys.insert(.respelled) }
      return keys
    }
    // In a new feed, an id that was used only once, in this batch, has no stored image.
    if let id = entry.entryID, state.isFeedNew, state.unwritten.has(id) { keys.remove(.entryID) }
    guard !state.onlyAddressesCount, state.hasImagesWithoutEntryID || use == .second else {
      return keys
    }
    let isNew = entry.images.indices.contains { index in
      if case .new = match(entry, index, found) { true } else { false }
    }
    if isNew { keys.insert(.thumbnail) }
    return keys
  }

  // MARK: Entries

  /// Takes an entry; returns false if it needs a further look-up first.
  mutating func add(_ entry: EntryLookup, _ found: EntryCandidates) -> Bool {
    guard furtherLookup(entry, found) == nil else { return false }
    guard let entryID = entry.entryID else {
      addByAddress(entry, found)
      return true
    }
    let use = state.ledger.use(of: entryID.hash)
    state.ledger.note(entryID.hash)
    switch use {
    case .first: addByEntryID(entry, entryID, found)
    case .second:
      disown(entryID, found)
      addByAddress(entry, found)
    case .later: addByAddress(entry, found)
    }
    return true
  }

  private mutating func addByEntryID(
    _ entry: EntryLookup,
    _ entryID: EntryID,
    _ found: EntryCandidates
  ) {
    let candidates = candidates(of: entry, entryID, found)
    let match = EntryMatch(entry.images, candidates: candidates)
    let others = entry.images.indices.map { index in
      match.stored[index] == nil && !entryID.isPage ? renamed(entry, index, found) : nil
    }
    let mustWait = match.needsEntryID || others.contains { $0 != nil }
    if mustWait, canPutOff(entry.images.count) {
      let hints = match.needsEntryID ? candidates : others
      return putOff(entry.images, entryID: entryID, hints: hints)
    }
    for (index, stored) in match.stored.enumerated() {
      if let item = item(entry, index, entryID, stored, found) { gather(item) }
    }
  }

  /// The stored images of an entry: those with its id, or else those with another spelling of it.
  ///
  /// The address of a page is a weaker id, because each post may have the same page. An image with another address must
  /// be of the same post.
  private func candidates(
    of entry: EntryLookup,
    _ entryID: EntryID,
    _ found: EntryCandidates
  ) -> [StoredImage] {
    let known = unseen(found.withEntryID.isEmpty ? found.withRespelledID : found.withEntryID)
    guard entryID.isPage else { return known }
    return known.filter { stored in
      entry.images.contains {
        $0.originalHash == stored.originalHash || stored.fields.mayShareAPost(with: $0.fields)
      }
    }
  }

  /// The item of an image; if the entry id matches no stored image, another one may match.
  ///
  /// Nil for an image that the document has listed already, which only an address tells.
  private func item(
    _ entry: EntryLookup,
    _ index: Int,
    _ entryID: EntryID,
    _ stored: StoredImage?,
    _ found: EntryCandidates
  ) -> Item? {
    let image = entry.images[index]
    if let stored { return Item(image: image, entryID: entryID, stored: stored) }
    var other = entryID.isPage ? nil : withoutEntryID(index, found) ?? renamed(entry, index, found)
    if entryID.isPage {
      switch match(entry, index, found) {
      case .seen: return nil
      case .stored(let stored): other = stored
      case .new: break
      }
    }
    return Item(image: image, entryID: other?.isAmbiguous == true ? nil : entryID, stored: other)
  }

  /// The only stored image with the original's address, if its entry may have another id now, and is not in the document.
  ///
  /// A picture may also illustrate a newer post, so the title or the date has to agree. An entry that had no id before
  /// was known by its page.
  private func renamed(
    _ entry: EntryLookup,
    _ index: Int,
    _ found: EntryCandidates
  ) -> StoredImage? {
    guard found.keys.contains(.original), found.withOriginal[index].count == 1,
      let only = unseen(found.withOriginal[index]).first, let id = only.entryID,
      state.ledger.use(of: EntryID(id).hash) == .first
    else { return nil }
    let hadNoID = id == only.fields.pageAddress
    return hadNoID || only.fields.agrees(with: entry.images[index].fields) ? only : nil
  }

  private func withoutEntryID(_ index: Int, _ found: EntryCandidates) -> StoredImage? {
    guard state.hasImagesWithoutEntryID, found.keys.contains(.original) else { return nil }
    return unseen(found.withOriginal[index]).first { $0.entryID == nil }
  }

  private mutating func addByAddress(_ entry: EntryLookup, _ found: EntryCandidates) {
    let isAmbiguous = entry.entryID != nil
    for (index, image) in entry.images.enumerated() {
      switch match(entry, index, found) {
      case .seen: continue
      case .stored(let stored):
        gather(Item(image: image, isAmbiguous: isAmbiguous, stored: stored))
      case .new:
        if let hint = withThumbnail(entry, index, found), canPutOff(1) {
          putOff([image], entryID: nil, hints: [hint])
        } else {
          gather(Item(image: image, isAmbiguous: isAmbiguous))
        }
      }
    }
  }

  /// Matches an image by its original's address.
  ///
  /// Stored images without an entry id come first. One with an id matches only if the document gives this image no id, or
  /// only the address of a page.
  private func match(
    _ entry: EntryLookup,
    _ index: Int,
    _ found: EntryCandidates
  ) -> AddressMatch {
    let hasOwnID = entry.entryID.map { !$0.isPage } ?? false
    let stored = found.keys.contains(.original) ? found.withOriginal[index].map(current) : []
    let unwritten = state.unwritten.found(originalOf: entry.images[index])
    let withoutID = stored.filter { $0.entryID == nil }
    let hasWithoutID = !withoutID.isEmpty || unwritten.withoutEntryID
    let takesAny = !hasWithoutID && !hasOwnID
    if let first = unseen(takesAny ? stored : withoutID).first { return .stored(first) }
    let isSeen = takesAny ? !stored.isEmpty || unwritten.any : hasWithoutID
    return isSeen ? .seen : .new
  }

  /// The only stored image with the thumbnail, or with the same addresses in another signature.
  private func withThumbnail(
    _ entry: EntryLookup,
    _ index: Int,
    _ found: EntryCandidates
  ) -> StoredImage? {
    guard state.hasImagesWithoutEntryID, found.keys.contains(.thumbnail),
      let stored = found.withThumbnail[index]
    else { return nil }
    let (one, other) = (stored.fields, entry.images[index].fields)
    let hasThumbnail = one.thumbnailAddress.flatMap { address in
      other.thumbnailAddress.map { DocumentImage.isSame(address, $0) }
    }
    guard !state.seen.contains(stored.id), hasThumbnail == true || one.isSignedAnew(in: other)
    else { return nil }
    return current(stored)
  }

  private func unseen(_ images: [StoredImage]) -> [StoredImage] {
    images.lazy.filter { !state.seen.contains($0.id) }.map(current)
  }

  /// A stored image as it will be once this batch is written.
  func current(_ stored: StoredImage) -> StoredImage {
    guard disowned.contains(stored.id) else { return stored }
    var stored = stored
    stored.entryID = nil
    stored.isAmbiguous = true
    return stored
  }

  /// Removes an entry id from the images that had it, because the document uses it twice.
  private mutating func disown(_ entryID: EntryID, _ found: EntryCandidates) {
    for index in itemsByEntryID.removeValue(forKey: entryID.hash) ?? [] {
      items[index].entryID = nil
      items[index].isAmbiguous = true
      if let stored = items[index].stored, stored.entryID == nil { disown(stored) }
    }
    for stored in found.withEntryID { disown(stored) }
    state.unwritten.disown(entryID)
    state.hasImagesWithoutEntryID = true
  }

  private mutating func disown(_ stored: StoredImage) {
    if disowned.insert(stored.id).inserted { batch.changes.append(.disown(stored)) }
  }

  private mutating func gather(_ item: Item) {
    if let stored = item.stored {
      state.see(stored.id)
    } else {
      state.unwritten.add(item.image, entryID: item.entryID)
    }
    if let entryID = item.entryID { itemsByEntryID[entryID.hash, default: []].append(items.count) }
    items.append(item)
  }

  // MARK: Entries that wait for the end of the document

  private func canPutOff(_ count: Int) -> Bool {
    state.putOffImages + count <= SyncLimits.imagesPutOff
  }

  private mutating func putOff(
    _ images: [DocumentImage],
    entryID: EntryID?,
    hints: [StoredImage?]
  ) {
    state.putOffImages += images.count
    putOffLengths[items.count] = images.count
    for (index, image) in images.enumerated() {
      let hint = index < hints.count ? hints[index] : nil
      items.append(Item(image: image, entryID: entryID, stored: hint))
    }
  }

  /// The keys by which an entry that was put off is looked up.
  func keysToSettle(_ entry: EntryLookup) -> EntryLookup.Keys {
    guard let id = entry.entryID, !state.ledger.isAmbiguous(id.hash) else {
      return [.original, .thumbnail]
    }
    return [.entryID, .original, .respelled]
  }

  /// Identifies an entry that was put off, now that the whole document is known.
  mutating func settle(_ putOff: PutOffEntry, _ found: EntryCandidates) {
    let entry = putOff.entry
    if let entryID = entry.entryID, !state.ledger.isAmbiguous(entryID.hash) {
      let match = EntryMatch(entry.images, candidates: candidates(of: entry, entryID, found))
      for (index, stored) in match.stored.enumerated() {
        guard let item = item(entry, index, entryID, stored, found) else { continue }
        write(item, at: putOff.positions[index])
      }
      return
    }
    for (index, image) in entry.images.enumerated() {
      var item = Item(image: image, isAmbiguous: entry.entryID != nil)
      switch match(entry, index, found) {
      case .seen: continue
      case .stored(let stored): item.stored = stored
      case .new: item.stored = withThumbnail(entry, index, found)
      }
      write(item, at: putOff.positions[index])
    }
  }
}

extension EntryLookup {
  /// Creates an entry without look-up keys; images with the same address count as one image.
  init(_ entry: FeedEntry, takesID: Bool) {
    // Accessed by index, because each image has many parts to copy.
    var images = entry.images.indices.map { DocumentImage(entry.images[$0]) }
    if images.count > 1 {
      var hashes: Set<Int64> = []
      images.removeAll { !hashes.insert($0.originalHash).inserted }
    }
    let id = entry.id.map { EntryID($0) } ?? Self.page(of: entry)
    self.init(entryID: takesID ? id : nil, images: images, keys: [])
  }

  /// The page of an entry without an id, which then identifies it; nil for the start page of a site.
  private static func page(of entry: FeedEntry) -> EntryID? {
    guard let page = entry.images.first?.pageAddress, page.isWeb,
      page.path.utf8.count > 1 || page.query != nil,
      entry.images.allSatisfy({ image in
        image.pageAddress == page && image.originalAddress != page && image.thumbnailAddress != page
      })
    else { return nil }
    return EntryID(page: page)
  }

  /// The same entry, looked up by other keys.
  func by(_ keys: Keys) -> EntryLookup {
    EntryLookup(entryID: entryID, images: images, keys: keys)
  }
}
