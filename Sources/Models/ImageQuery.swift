package import FoundationEssentials

/// Which images of the library, in which order, and which part of them.
package struct ImageQuery: Sendable, Equatable {
  /// The order of a listing; ties are broken by place in the feed, then by id.
  package enum Order: String, Sendable, CaseIterable {
    /// Published (never later than first seen), else first seen, latest first.
    case newest
    /// The reverse of `newest`.
    case oldest
    /// By title without regard to case and accents; images without a title last.
    case title
    /// First seen, latest first.
    case added
    /// The document's own order, feed by feed.
    case feed
    /// Another order with each seed, each image once.
    case random
  }

  /// Which side of a picture is the longer one; the raw value is that of the column `shape`.
  package enum Shape: Int, Sendable {
    case portrait = -1
    case landscape = 1
  }

  package var order: Order
  /// Only images of this feed.
  package var feedID: Int64?
  /// Only images of the feeds of this list of feeds, and of the lists on it.
  package var listID: Int64?
  /// Only images of this manifest, by the store's number for it.
  package var manifestID: Int64?
  /// Words that must all occur, as prefixes; never query syntax.
  package var search: String?
  /// Only images that `newest` sorts by this moment or a later one, to the second.
  package var since: Date?
  /// Only images that a sync first met at this moment or later, to the second.
  package var addedSince: Date?
  /// Only images whose original is stored, or only those whose original is not.
  package var isOriginalStored: Bool?
  /// Only images of this shape, by their own size, else by that of the stored thumbnail.
  package var shape: Shape?
  /// At most this many; nil for all.
  package var limit: Int?
  /// How many to leave out at the beginning.
  package var offset: Int
  /// What the random order is made from: the same one gives the same order of the same images.
  package var seed: UInt64

  package init(
    order: Order = .newest,
    feedID: Int64? = nil,
    listID: Int64? = nil,
    manifestID: Int64? = nil,
    search: String? = nil,
    since: Date? = nil,
    addedSince: Date? = nil,
    isOriginalStored: Bool? = nil,
    shape: Shape? = nil,
    limit: Int? = nil,
    offset: Int = 0,
    seed: UInt64 = 0
  ) {
    self.order = order
    self.feedID = feedID
    self.listID = listID
    self.manifestID = manifestID
    self.search = search
    self.since = since
    self.addedSince = addedSince
    self.isOriginalStored = isOriginalStored
    self.shape = shape
    self.limit = limit
    self.offset = offset
    self.seed = seed
  }

  /// Whether every image of the library matches, from the first on.
  package var matchesAll: Bool {
    feedID == nil && listID == nil && manifestID == nil && search == nil && since == nil
      && offset == 0 && !hasTraits
  }

  /// Whether it asks for what a picture is like, or when it came.
  package var hasTraits: Bool { addedSince != nil || isOriginalStored != nil || shape != nil }
}
