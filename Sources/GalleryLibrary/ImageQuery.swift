public import FoundationEssentials
internal import Models
package import Scenes
internal import Workers

/// Which images of a library to return, and in which order.
public struct ImageQuery: Sendable, Equatable {
  /// The order of images.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// By the date of publication, or else by when a sync first saw the image; latest first.
    case newest
    /// The reverse of ``newest``.
    case oldest
    /// By title without regard to case and accents; images without a title last.
    case title
    /// By when a sync first saw the image; latest first.
    case added
    /// As in the documents, feed by feed.
    case feed
    /// Another order each time, which has no next page.
    case random
  }

  /// The order of the images.
  public var order: Order
  /// Only images of this feed or list of feeds: its id, its address, or its title; nil for all.
  public var feed: String?
  /// Only images whose texts have words that begin with each of these; nil for all.
  ///
  /// Nothing matches a search that has neither a letter nor a digit.
  public var search: String?
  /// Only images that were published at this time or later.
  public var since: Date?
  /// Only images that a sync first saw at this time or later.
  public var addedSince: Date?
  /// Only images whose original is stored, or only those whose original is not; nil for both.
  public var hasOriginal: Bool?
  /// Whether only pinned images are returned.
  public var isPinned = false
  /// The most images of a page; nil for all images.
  public var limit: Int?
  /// The end of the page before, as an opaque text that stays valid while images come and go; nil for the first page.
  ///
  /// ``ImagePage/next`` has it. It counts for the same order only.
  public var after: String?

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - feed: The feed: its id, address or title; nil for all.
  ///   - search: The beginnings of words; nil for all images.
  ///   - limit: The most images of a page; nil for all.
  public init(
    order: Order = .newest,
    feed: String? = nil,
    search: String? = nil,
    limit: Int? = nil
  ) {
    (self.order, self.feed, self.search, self.limit) = (order, feed, search, limit)
  }
}

/// A page of a list of images.
public struct ImagePage: Sendable, Equatable {
  /// The images in the order of the query.
  public var images: [LibraryImage] = []
  /// The query for the page behind it; nil after the last page, and in a random order.
  public var next: ImageQuery?
}

extension ImageQuery {
  /// The request to the scene of a list.
  package var request: ListImages.FetchImages.Request {
    get throws(LibraryError) {
      var query = Models.ImageQuery(search: search, since: since, addedSince: addedSince)
      query.order =
        switch order {
        case .newest: .newest
        case .oldest: .oldest
        case .title: .title
        case .added: .added
        case .feed: .feed
        case .random: .random
        }
      query.isOriginalStored = hasOriginal
      query.isPinned = isPinned
      query.limit = limit.map { max($0, 0) }
      let feed = try self.feed.map { text throws(LibraryError) in try FeedArgument.named(text) }
      return .init(query: query, feed: feed, after: after, hasFacts: true)
    }
  }
}
