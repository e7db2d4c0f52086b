package import Scenes
import Workers

/// The formats in which other programs can read every list as a feed.
package enum PublishedFeedKind: String, Sendable, CaseIterable {
  case jsonFeed = "json"
  case rss
  case atom
  /// A manifest of the IIIF Presentation API.
  case iiif

  package var mediaType: String {
    switch self {
    case .jsonFeed: "application/feed+json"
    case .rss: "application/rss+xml; charset=utf-8"
    case .atom: "application/atom+xml; charset=utf-8"
    case .iiif: #"application/ld+json;profile="http://iiif.io/api/presentation/3/context.json""#
    }
  }
}

/// The addresses of a list as feeds.
package struct PublishedFeedAddress {
  private let list: ListAddress
  private let site: Site

  package init(_ list: ListAddress, on site: Site) {
    self.list = list
    self.site = site
  }

  /// `/feeds/3.rss`, `/search.rss?q=…` or `/images.rss`; `/iiif/feeds/3/manifest.json` and the like.
  package subscript(kind: PublishedFeedKind) -> String {
    var rest = list
    rest.feedID = nil
    let name = list.feedID.map { "feeds/\($0)" } ?? (list.search == nil ? "images" : "search")
    let path = kind == .iiif ? "/iiif/\(name)/manifest.json" : "/\(name).\(kind.rawValue)"
    return site.basePath + path + rest.parameters
  }
}

/// A feed of a list of images, which is a display of the scene that lists them.
///
/// Its addresses lead to this server: to pages, to thumbnails by hash, and to originals, which the server fetches when
/// they are missing. So a feed never names the source of an original.
package final class PublishedFeed: ListImagesRecordDisplayLogic {
  /// The facts about the feed as a whole.
  package struct Facts: Sendable {
    package var title: String
    /// The origin of the server, such as `http://127.0.0.1:8470`, for absolute addresses.
    package var origin: String
    /// The UUID of the library, in lower case.
    package var library: String

    package init(title: String, origin: String, library: String) {
      self.title = title
      self.origin = origin
      self.library = library
    }
  }

  let facts: Facts
  let list: ListAddress
  let site: Site
  private(set) var images: [ImageRecord] = []
  private(set) var next: ListAddress?
  /// The reason why there is no list; nil when there is one.
  package private(set) var failure: Fail.ViewModel?

  package init(_ list: ListAddress, _ facts: Facts, on site: Site) {
    self.list = list
    self.facts = facts
    self.site = site
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    images += viewModel.records
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    next = viewModel.next.map { list.page(after: $0) }
  }

  /// Displays nothing: the records of images have their own request.
  package func displayRecords(viewModel: RecordViewModel) {}

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }

  /// The document; only complete after the scene has presented everything.
  package func bytes(as kind: PublishedFeedKind) -> [UInt8] {
    switch kind {
    case .jsonFeed: jsonFeed
    case .rss: Array(rss.utf8)
    case .atom: Array(atom.utf8)
    case .iiif: manifest
    }
  }

  // MARK: Addresses

  /// The address of the next page; nil after the last one.
  package func nextPage(as kind: PublishedFeedKind) -> String? {
    next.map { address(of: $0, as: kind) }
  }

  func address(_ path: String) -> String { facts.origin + site.basePath + path }

  func address(of list: ListAddress, as kind: PublishedFeedKind) -> String {
    facts.origin + PublishedFeedAddress(list, on: site)[kind]
  }

  func page(of image: ImageRecord) -> String { address("/images/\(image.id)") }

  func original(of image: ImageRecord) -> String { address("/images/\(image.id)/original") }

  func thumbnail(of image: ImageRecord) -> String? {
    image.thumbnail.sha256.map { address("/t/\($0)") }
  }

  /// The size of the original; nil unless the feed declares both of its sides.
  static func size(of image: ImageRecord) -> PixelSize? {
    PixelSize(known: image.width, image.height)
  }

  /// A name of the image that is the same at every address of the server.
  ///
  /// It is a UUID of version 8 (RFC 9562, section 5.8), made from the library's UUID and the image's id.
  func identifier(of image: ImageRecord) -> String {
    "urn:uuid:\(ImageIdentifier.uuid(library: facts.library, image: image.id))"
  }
}

/// Names images for other programs.
enum ImageIdentifier {
  /// Mixes the id into the last 62 bits of the library's UUID, and marks it as version 8 of variant 2.
  static func uuid(library: String, image id: Int64) -> String {
    let digits = library.filter { $0 != "-" }
    let high = UInt64(digits.prefix(16), radix: 16) ?? 0
    let low = UInt64(digits.suffix(16), radix: 16) ?? 0
    let marked = high & ~0xF000 | 0x8000
    let mixed = (low ^ UInt64(bitPattern: id)) & (1 << 62 - 1) | 1 << 63
    let text = marked.hexadecimal + mixed.hexadecimal
    var parts: [Substring] = []
    var rest = text[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  }
}
