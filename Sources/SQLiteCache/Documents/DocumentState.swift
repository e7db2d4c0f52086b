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
  /// Whether some stored image of the feed is identified by its address alone.
  var hasImagesWithoutEntryID: Bool

  /// Notes that an image was found.
  mutating func see(_ id: Int64) {
    if seen.insert(id) { seenInDocument.append(id) }
  }

  /// Begins the next document of several.
  mutating func endDocument() { seenInDocument = [] }
}

extension DocumentState {
  init(_ queries: DocumentQueries) throws {
    places = PlaceAssigner(lowest: try queries.lowestPlace())
    hasImagesWithoutEntryID = try queries.hasImagesWithoutEntryID()
  }
}
