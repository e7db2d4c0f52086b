/// Which entry ids a document has used so far, as hashes.
struct EntryIDLedger {
  /// What the next use of an id is.
  enum Use {
    case first
    /// The use that shows that the id identifies nothing.
    case second
    case later
  }

  private var used: Set<Int64> = []
  private var ambiguous: Set<Int64> = []

  mutating func note(_ hash: Int64) -> Use {
    if used.insert(hash).inserted { return .first }
    return ambiguous.insert(hash).inserted ? .second : .later
  }

  func isAmbiguous(_ hash: Int64) -> Bool { ambiguous.contains(hash) }
}
