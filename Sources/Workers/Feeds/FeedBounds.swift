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

  package init() {}

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
