/// What the documents of a feed, or of several, have taken of what they may.
struct DocumentCost: Sendable, Equatable {
  /// Bytes by which they made the database larger.
  var storedBytes = 0
  /// Bytes of all of them, unpacked.
  var documentBytes = 0
  /// Seconds from the first one's beginning to the last one's end, or until it came to nothing.
  var seconds = 0.0

  static func += (total: inout Self, other: Self) {
    total.storedBytes += other.storedBytes
    total.documentBytes += other.documentBytes
    total.seconds += other.seconds
  }
}
