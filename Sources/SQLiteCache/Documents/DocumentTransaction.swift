import GRDB
import Workers

/// Compares entries of a document with the stored images, in one transaction.
///
/// Identity, places and rows come one after the other, because a new image's place depends on the
/// known ones behind it: entries are matched and gathered in a run; then the run gets its places
/// and is written. A run ends early where an entry may be one that is still in it.
struct DocumentTransaction {
  var state: DocumentState
  let feedID: Int64
  let countsBefore: ImageCounts
  let now: Int64
  let queries: DocumentQueries
  var writing: ImageWriting
  var run: [RunItem] = []
  /// The originals' hashes of the run's new images.
  var newHashes: Set<Int64> = []
  /// How long the parts of the run are that were put off, by their first index.
  var putOffLengths: [Int: Int] = [:]

  /// Starts with what is known of the document so far; nil at its beginning.
  init(_ state: consuming DocumentState?, feedID: Int64, now: Int64, _ db: Database) throws {
    queries = try DocumentQueries(feedID: feedID, db)
    self.state = try state ?? DocumentState(queries)
    countsBefore = self.state.counts
    self.feedID = feedID
    self.now = now
    writing = try ImageWriting(db)
  }

  mutating func write(_ entries: ArraySlice<FeedEntry>) throws {
    for entry in entries { try add(entry) }
    try writeRun()
  }

  /// Decides what was put off, now that the whole document is known.
  mutating func settle(upTo limit: Int) throws {
    let entries = state.putOff.prefix(limit)
    state.putOff.removeFirst(entries.count)
    for entry in entries {
      for (item, place) in zip(try settled(entry), entry.places) {
        guard let item else { continue }
        try write(item, at: place)
      }
    }
  }
}
