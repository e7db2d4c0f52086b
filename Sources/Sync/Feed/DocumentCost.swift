import Workers

/// What the documents of one or several feeds have taken.
struct DocumentCost: Sendable, Equatable {
  /// The bytes by which they made the database larger.
  var storedBytes = 0
  /// The bytes of all of them, after decompression.
  var documentBytes = 0
  /// The seconds from the beginning of the first to the end of the last, also if that failed.
  var seconds = 0.0

  static func += (total: inout Self, other: Self) {
    total.storedBytes += other.storedBytes
    total.documentBytes += other.documentBytes
    total.seconds += other.seconds
  }
}

extension FeedBounds {
  /// The limit that the feeds named by lists have reached together; nil if it is missing.
  func bound(onListed cost: DocumentCost) -> Bound? {
    if cost.storedBytes >= Self.product(storedBytes, listedFeeds) {
      return .storedBytes(storedBytes * listedFeeds)
    }
    if cost.documentBytes >= Self.product(documentBytes, listedFeeds) {
      return .documentBytes(documentBytes * listedFeeds)
    }
    return cost.seconds >= Double(Self.product(seconds, listedFeeds))
      ? .seconds(seconds * listedFeeds) : nil
  }

  private static func product(_ amount: Int, _ count: Int) -> Int {
    let (product, overflows) = amount.multipliedReportingOverflow(by: count)
    return overflows ? .max : product
  }
}
