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
