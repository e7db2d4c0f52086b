/// How much one feed may bring in one sync.
///
/// They are for feeds that have no end, or that are made to fill a disk; the user can lift them for a feed
/// that honestly is so large. What bounds the memory is `SyncLimits`, and holds for all feeds.
package struct FeedBounds: Sendable, Equatable {
  /// A bound that a feed has come to.
  package enum Bound: Sendable, Equatable {
    case images(Int)
    case storedBytes(Int)
    case documents(Int)
    case documentBytes(Int)
    case seconds(Int)
  }

  /// Images that its documents list.
  package var images = 1_000_000
  /// Bytes by which its documents make the database larger.
  package var storedBytes = 256 << 20
  /// Documents besides the first: pages, or the members of a collection.
  package var documents = 1_000
  /// Bytes of all its documents, unpacked.
  package var documentBytes = 2 << 30
  /// Seconds from its first document to the beginning of its last.
  package var seconds = 3_600

  /// As many feeds may bring, each, as much as all feeds together that lists name.
  ///
  /// A list is written by one stranger: however many feeds it names, they are held to this. As many are read at
  /// once, so that the seconds of all of them are an hour of the user's.
  package var listedFeeds = 8

  package init() {}

  /// Which bound is reached by what feeds have taken that lists name; nil when none is.
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

  /// None at all.
  package static var none: FeedBounds {
    var bounds = FeedBounds()
    bounds.images = .max
    bounds.storedBytes = .max
    bounds.documents = .max
    bounds.documentBytes = .max
    bounds.seconds = .max
    return bounds
  }
}

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
