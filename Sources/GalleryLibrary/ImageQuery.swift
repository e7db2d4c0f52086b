public import FoundationEssentials
internal import Models
package import Scenes
internal import Workers

/// Which images of a library to return, and in which order.
public struct ImageQuery: Sendable, Equatable {
  /// The order of images.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// By the date of publication, or by when a sync first saw the image if that is earlier or all that is known; latest
    /// first.
    case newest
    /// The reverse of ``newest``.
    case oldest
    /// By title without regard to case and accents; images without a title last.
    case title
    /// By when a sync first saw the image; latest first.
    case added
    /// By when the picture was taken, as its stored original says (EXIF, XMP); latest first, images without it last.
    case taken
    /// As in the documents, feed by feed.
    case feed
    /// Another order each time, which has no next page.
    case random
  }

  /// The shape of a picture.
  public enum Shape: String, Sendable, Hashable, CaseIterable {
    /// Higher than wide.
    case portrait
    /// Wider than high.
    case landscape
  }

  /// The order of the images.
  public var order: Order
  /// Only images of this feed or list of feeds: its id, its address, or its title; nil for all.
  public var feed: String?
  /// Only images whose texts have words that begin with each of these, regardless of case and accents; nil for all.
  ///
  /// Up to 100 words, as `gallery list --search` takes them: `camera:x100` is what a stored original says of its camera.
  /// Nothing matches a search that has neither a letter nor a digit.
  public var search: String?
  /// Only images whose date in the order ``Order/newest`` is at this time or later, to the second; nil for all.
  public var since: Date?
  /// Only images that a sync first saw at this time or later, to the second; nil for all.
  public var addedSince: Date?
  /// Only images whose original is stored, or only those whose original is not; nil for both.
  public var hasOriginal: Bool?
  /// Only images of this shape, by the stored thumbnail, or else by the size in the feed; nil for all.
  public var shape: Shape?
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
        case .taken: .taken
        case .feed: .feed
        case .random: .random
        }
      query.isOriginalStored = hasOriginal
      query.shape = shape.map { $0 == .portrait ? .portrait : .landscape }
      query.isPinned = isPinned
      query.limit = limit.map { max($0, 0) }
      let feed = try self.feed.map { text throws(LibraryError) in try FeedArgument.named(text) }
      return .init(query: query, feed: feed, after: after, hasFacts: true)
    }
  }
}
