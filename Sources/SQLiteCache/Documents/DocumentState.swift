import Workers

/// What is known of a document so far.
struct DocumentState {
  var ledger = EntryIDLedger()
  /// The images that were found in it.
  var seen = IDSet()
  var places: PlaceAssigner
  var putOff: [PutOffEntry] = []
  var putOffImages = 0
  var counts = ImageCounts()
  /// Whether some stored image of the feed is identified by its address alone.
  var hasImagesWithoutEntryID: Bool
}

extension DocumentState {
  init(_ queries: DocumentQueries) throws {
    places = PlaceAssigner(lowest: try queries.lowestPlace())
    hasImagesWithoutEntryID = try queries.hasImagesWithoutEntryID()
  }
}
