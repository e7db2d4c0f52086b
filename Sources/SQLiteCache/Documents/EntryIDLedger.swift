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
  /// Those whose first use was in the document that is being read.
  private var usedInDocument: [Int64] = []

  mutating func note(_ hash: Int64) -> Use {
    if ambiguous.contains(hash) { return .later }
    if used.insert(hash).inserted {
      usedInDocument.append(hash)
      return .first
    }
    ambiguous.insert(hash)
    return .second
  }

  /// Begins the next document of several.
  mutating func endDocument() { usedInDocument = [] }

  /// Forgets the uses of a document that is read again; what it has shown to identify nothing, stays.
  mutating func restartDocument() {
    used.subtract(usedInDocument)
    usedInDocument = []
  }

  func isAmbiguous(_ hash: Int64) -> Bool { ambiguous.contains(hash) }
}
