import Workers

/// What is known of a document so far.
struct DocumentState {
  var ledger = EntryIDLedger()
  /// The images that were found in it.
  private(set) var seen = IDSet()
  /// Those of them that were found since the last document of several ended.
  private(set) var seenInDocument: [Int64] = []
  /// The members of a collection so far.
  var members: Set<Int64> = []
  var places: PlaceAssigner
  var putOff: [PutOffEntry] = []
  var putOffImages = 0
  var counts = ImageCounts()
  /// The ids of the images that were added.
  private(set) var newIDs: [ClosedRange<Int64>] = []
  /// Whether some stored image of the feed is identified by its address alone.
  var hasImagesWithoutEntryID: Bool
  /// Whether nothing of the feed was stored before, so that the first use of an entry's id has no
  /// stored image.
  private(set) var isFeedNew: Bool
  private var start: Start

  /// What there was when the document that is being read began.
  private struct Start {
    var places: PlaceAssigner
    var total = 0
    var putOff = 0
    var putOffImages = 0
  }

  /// Notes that an image was found.
  mutating func see(_ id: Int64) {
    if seen.insert(id) { seenInDocument.append(id) }
  }

  /// Notes that images were added, with ids that follow one another.
  mutating func add(_ ids: [Int64]) {
    for id in ids { see(id) }
    guard let first = ids.first, let last = ids.last else { return }
    if let range = newIDs.last, range.upperBound + 1 == first {
      newIDs[newIDs.count - 1] = range.lowerBound...last
    } else {
      newIDs.append(first...last)
    }
  }

  /// Begins the next document of several.
  mutating func endDocument() {
    seenInDocument = []
    ledger.endDocument()
    start = Start(
      places: places,
      total: counts.total,
      putOff: putOff.count,
      putOffImages: putOffImages
    )
  }

  /// Begins the same document again: what was written of it counts as new or changed once, and is
  /// looked for as if it had been stored before.
  mutating func restartDocument() {
    for id in seenInDocument { seen.remove(id) }
    seenInDocument = []
    isFeedNew = false
    ledger.restartDocument()
    places = start.places
    counts.total = start.total
    putOff.removeLast(max(putOff.count - start.putOff, 0))
    putOffImages = start.putOffImages
  }
}

extension DocumentState {
  init(_ queries: DocumentQueries) throws {
    let lowest = try queries.lowestPlace()
    places = PlaceAssigner(lowest: lowest)
    isFeedNew = lowest == nil
    start = Start(places: places)
    hasImagesWithoutEntryID = try queries.hasImagesWithoutEntryID()
  }
}
