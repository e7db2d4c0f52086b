import Workers

/// The part of a document that was read: the stored images found in it, and the entries that wait for its end.
struct DocumentState {
  var ledger = EntryIDLedger()
  /// The stored images that were found in it, and those that it added.
  private(set) var seen = IDSet()
  /// The images among them that were found since the last document ended.
  private(set) var seenInDocument: [Int64] = []
  /// The members of a collection so far, in order.
  private(set) var members: [Int64] = []
  private var memberSet: Set<Int64> = []
  /// The added images that a look-up cannot find yet.
  var unwritten = UnwrittenImages()
  var assigner: PositionAssigner
  var putOff: [PutOffEntry] = []
  var putOffImages = 0
  var counts = ImageCounts()
  /// The hashes of the repeated pictures that were looked for since the last document ended.
  var repeated: Set<Int64> = []
  /// The ids of the images that were added.
  private(set) var newIDs: [ClosedRange<Int64>] = []
  /// Whether some stored image of the feed is identified by its address alone.
  var hasImagesWithoutEntryID: Bool
  /// Whether nothing of the feed was stored before, so that the first use of an entry id has no stored image.
  private(set) var isFeedNew: Bool
  /// Whether nothing but an original's address identifies an image, as in documents from a pipe without a name.
  let onlyAddressesCount: Bool
  private var start: Start

  /// The state at the beginning of the document that is being read.
  private struct Start {
    var assigner: PositionAssigner
    var total = 0
    var putOff = 0
    var putOffImages = 0
  }

  /// Begins with the stored facts of the feed; nil for a new one.
  init(_ feed: DocumentFeed?, onlyAddressesCount: Bool = false) {
    self.onlyAddressesCount = onlyAddressesCount
    assigner = PositionAssigner(lowest: feed?.lowestPosition)
    isFeedNew = feed?.lowestPosition == nil
    start = Start(assigner: assigner)
    hasImagesWithoutEntryID = feed?.hasImagesWithoutEntryID ?? false
  }

  /// Notes that an image was found.
  mutating func see(_ id: Int64) {
    if seen.insert(id) { seenInDocument.append(id) }
  }

  /// Notes that images were added; between their ids, other processes may have added images.
  mutating func add(_ ids: [Int64]) {
    for id in ids {
      see(id)
      if let range = newIDs.last, range.upperBound + 1 == id {
        newIDs[newIDs.count - 1] = range.lowerBound...id
      } else {
        newIDs.append(id...id)
      }
    }
  }

  /// Notes a member of a collection that was read.
  mutating func add(member id: Int64) {
    if memberSet.insert(id).inserted { members.append(id) }
  }

  /// Counts the images of an unchanged member as listed, as they were when it was last read.
  mutating func keep(_ member: DocumentMember) {
    add(member: member.id)
    for image in member.images where !seen.contains(image) {
      see(image)
      counts.total += 1
    }
  }

  /// Begins the next document of several.
  mutating func endDocument() {
    seenInDocument = []
    repeated = []
    ledger.endDocument()
    start = Start(
      assigner: assigner,
      total: counts.total,
      putOff: putOff.count,
      putOffImages: putOffImages
    )
  }

  /// Begins the same document again.
  ///
  /// Images that it has written count as new or changed only once, and are looked up as if they had been stored before.
  mutating func restartDocument() {
    for id in seenInDocument { seen.remove(id) }
    seenInDocument = []
    repeated = []
    isFeedNew = false
    ledger.restartDocument()
    assigner = start.assigner
    counts.total = start.total
    putOff.removeLast(max(putOff.count - start.putOff, 0))
    putOffImages = start.putOffImages
  }
}

/// An entry that is identified at the end of its document, with its positions in the document.
///
/// Its images differ from those that are stored under the entry id or the thumbnail address. They may be the same
/// images with changed addresses, or other images. Only the whole document tells whether the id is used twice, and
/// whether the stored image appears elsewhere.
struct PutOffEntry {
  var entry: EntryLookup
  var positions: [Int64]
}

/// New images of a document that are not in the store: those of the batch in progress, or in a dry run all of them.
struct UnwrittenImages {
  private struct New {
    var image: DocumentImage
    var entryID: EntryID?
  }

  private var images: [New] = []
  private var byOriginal: [Int64: [Int]] = [:]
  private var byEntryID: [Int64: [Int]] = [:]

  mutating func add(_ image: DocumentImage, entryID: EntryID?) {
    byOriginal[image.originalHash, default: []].append(images.count)
    if let entryID { byEntryID[entryID.hash, default: []].append(images.count) }
    images.append(New(image: image, entryID: entryID))
  }

  func has(_ entryID: EntryID) -> Bool { byEntryID[entryID.hash] != nil }

  /// Removes an entry id, which the document uses twice, from its images.
  mutating func disown(_ entryID: EntryID) {
    for index in byEntryID.removeValue(forKey: entryID.hash) ?? [] { images[index].entryID = nil }
  }

  /// Whether there are images with the same original address, and whether one of them has no entry id.
  func found(originalOf image: DocumentImage) -> (any: Bool, withoutEntryID: Bool) {
    let same = (byOriginal[image.originalHash] ?? []).filter { index in
      let (one, other) = (images[index].image.fields, image.fields)
      return DocumentImage.isSame(one.originalAddress, other.originalAddress)
    }
    return (!same.isEmpty, same.contains { images[$0].entryID == nil })
  }
}

/// The entry ids that a document has used so far, as hashes.
struct EntryIDLedger {
  /// How often the document has used an id before.
  enum Use {
    case first
    /// The use that shows that the id does not identify an entry.
    case second
    case later
  }

  private var used: Set<Int64> = []
  private var ambiguous: Set<Int64> = []
  /// The ids whose first use was in the current document.
  private var usedInDocument: [Int64] = []

  /// Returns which use of an id comes next.
  func use(of hash: Int64) -> Use {
    if ambiguous.contains(hash) { return .later }
    return used.contains(hash) ? .second : .first
  }

  mutating func note(_ hash: Int64) {
    if used.insert(hash).inserted {
      usedInDocument.append(hash)
    } else {
      ambiguous.insert(hash)
    }
  }

  /// Begins the next document of several.
  mutating func endDocument() { usedInDocument = [] }

  /// Forgets the uses in a document that is read again; ambiguous ids stay ambiguous.
  mutating func restartDocument() {
    used.subtract(usedInDocument)
    usedInDocument = []
  }

  func isAmbiguous(_ hash: Int64) -> Bool { ambiguous.contains(hash) }
}
