/// The limits of one feed in one sync.
///
/// They protect against feeds without an end, and against feeds that try to fill a disk. The user can lift them for a
/// feed that really is so large. The limits in `SyncLimits` bound the memory, and cannot be lifted.
package struct FeedBounds: Sendable, Equatable {
  /// A limit that a feed has reached.
  package enum Bound: Sendable, Equatable {
    case images(Int)
    case storedBytes(Int)
    case documents(Int)
    case documentBytes(Int)
    case seconds(Int)
  }

  /// The number of images that its documents list.
  package var images = 1_000_000
  /// The number of bytes by which its documents make the database larger.
  package var storedBytes = 256 << 20
  /// The number of documents after the first: pages, or the members of a collection.
  package var documents = 1_000
  /// The number of bytes of all its documents, after decompression.
  package var documentBytes = 2 << 30
  /// The seconds from the start of its first document to the start of its last.
  package var seconds = 3_600

  /// The number of feeds whose limits all feeds named by lists share.
  ///
  /// One stranger writes a list, so the number of its feeds must not matter. This is also the number of feeds that are
  /// read at the same time, so all of them together take at most one hour of the user's time.
  package var listedFeeds = 8

  package init() {}

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
