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
  }

  package var order: Order
  /// Only images of this feed.
  package var feedID: Int64?
  /// Words that must all occur, as prefixes; never query syntax.
  package var search: String?
  /// At most this many; nil for all.
  package var limit: Int?
  /// How many to leave out at the beginning.
  package var offset: Int

  package init(
    order: Order = .newest,
    feedID: Int64? = nil,
    search: String? = nil,
    limit: Int? = nil,
    offset: Int = 0
  ) {
    self.order = order
    self.feedID = feedID
    self.search = search
    self.limit = limit
    self.offset = offset
  }
}
