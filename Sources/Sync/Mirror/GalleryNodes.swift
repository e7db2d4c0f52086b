import FoundationEssentials
import Models
import Workers

/// The root of a gallery's tree.
struct RootNode: Decodable, Sendable {
  struct Feed: Decodable {
    var id: Int64
    var seq: Int64
    var hash: String
  }

  struct Pin: Decodable {
    var id: Int64
    var seq: Int64
    var pinned: Date
  }

  var hash: String
  var library: String
  var cursor: String
  var feeds: [Feed]
  var pins: [Pin]
  /// The title of the gallery; nil when it tells none.
  var title: String?
  /// The key that has signed the root; nil for a root without a signature.
  var key: LibraryKey?

  private enum CodingKeys: CodingKey { case hash, library, cursor, feeds, pins, title }

  /// The text of which `hash` has to be the hash.
  var text: String {
    "library \(library)\n"
      + feeds.sorted { $0.id < $1.id }.map { "feed \($0.id) \($0.hash)\n" }.joined()
      + pins.sorted { $0.id < $1.id }.map { "pin \($0.id) \($0.seq)\n" }.joined()
  }

  /// Checks that it names each feed once, and that its cursor and library can be stored.
  func check() throws(Failure) {
    let limit = SyncLimits.feedsPerGallery
    guard feeds.count <= limit else { throw .feed(.beyondLimit(of: "feeds", limit: limit)) }
    guard Set(feeds.map(\.id)).count == feeds.count, GalleryAddress.isCursor(cursor),
      library.utf8.count <= SyncLimits.libraryBytes
    else { throw .fault(.wrongNode) }
  }
}

/// A feed in a gallery's tree.
struct FeedNode: Decodable, Sendable {
  struct Month: Decodable {
    var month: String
    var hash: String
    var images: Int?
  }

  var hash: String
  var id: Int64
  var feed: Line
  var months: [Month]

  /// Whether it names each month once.
  var isOrdered: Bool { Set(months.map(\.month)).count == months.count }
}

/// A month of a feed in a gallery's tree.
struct MonthNode: Decodable, Sendable {
  struct Leaf: Decodable {
    var hash: String
    var first: Int64
    var last: Int64
  }

  var hash: String
  var month: String
  var leaves: [Leaf]

  /// Whether it is the month that a feed names, with leaves that ascend, do not overlap, and may each have an image.
  func isAnswer(to asked: FeedNode.Month) -> Bool {
    hash == asked.hash && month == asked.month && leaves.count - 1 <= asked.images ?? .max
      && leaves.allSatisfy { $0.first <= $0.last }
      && zip(leaves, leaves.dropFirst()).allSatisfy { $0.last < $1.first }
  }
}
