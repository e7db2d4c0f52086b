/// The limits of what one feed may take in one sync.
///
/// They are for feeds without an end, and for feeds that try to fill a disk. The user can lift them
/// for a feed that really is so large. The limits in `SyncLimits` keep memory in bounds, and cannot
/// be lifted.
package struct FeedBounds: Sendable, Equatable {
  /// A limit that a feed has reached.
  package enum Bound: Sendable, Equatable {
    case images(Int)
    case storedBytes(Int)
    case documents(Int)
    case documentBytes(Int)
    case seconds(Int)
  }

  /// The images that its documents list.
  package var images = 1_000_000
  /// The bytes by which its documents make the database larger.
  package var storedBytes = 256 << 20
  /// The documents after the first: pages, or the members of a collection.
  package var documents = 1_000
  /// The bytes of all its documents, after decompression.
  package var documentBytes = 2 << 30
  /// The seconds from its first document to the beginning of its last.
  package var seconds = 3_600

  /// All feeds that lists name may take as much together as this number of feeds.
  ///
  /// One stranger writes a list, so the number of its feeds must not matter. It is also the number
  /// of feeds that are read at once, so that the seconds of all of them are one hour of the user's
  /// time.
  package var listedFeeds = 8

  package init() {}

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

  /// No limits.
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
