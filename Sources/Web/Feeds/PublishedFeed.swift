import FoundationEssentials
import Models
package import Scenes
package import Workers

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
  /// The token that the path of a manifest has; nil without one.
  private let token: String?

  package init(_ list: ListAddress, on site: Site, token: String? = nil) {
    self.list = list
    self.site = site
    self.token = token
  }

  /// `/feeds/3.rss`, `/search.rss?q=…` or `/images.rss`; `/iiif/feeds/3/manifest.json` and the like.
  package subscript(kind: PublishedFeedKind) -> String {
    var rest = list
    rest.feedID = nil
    let name = list.feedID.map { "feeds/\($0)" } ?? (list.search == nil ? "images" : "search")
    let iiif = "/iiif\(token.map { "/~\($0)" } ?? "")"
    let path = kind == .iiif ? "\(iiif)/\(name)/manifest.json" : "/\(name).\(kind.rawValue)"
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
    /// The token that opens the pictures of the list; nil when its readers have their own.
    package var token: String?

    package init(title: String, origin: String, library: String, token: String? = nil) {
      self.title = title
      self.origin = origin
      self.library = library
      self.token = token
    }
  }

  let facts: Facts
  let list: ListAddress
  let site: Site
  private(set) var images: [ImageRecord] = []
  private(set) var next: ListAddress?
  private var states: [Int64: ImageState] = [:]
  /// The reason why there is no list; nil when there is one.
  package private(set) var failure: Fail.ViewModel?

  package init(_ list: ListAddress, _ facts: Facts, on site: Site) {
    self.list = list
    self.facts = facts
    self.site = site
  }

  package var imageIDs: [Int64] { images.map(\.id) }

  /// Adds what only the states of the images tell: when they were first seen, and their stored originals.
  package func add(_ states: [ImageState]) {
    for state in states { self.states[state.id] = state }
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

  /// The address of a list's document; without the token, it names the document.
  func address(
    of list: ListAddress,
    as kind: PublishedFeedKind,
    withToken: Bool = true
  ) -> String {
    let token = withToken ? facts.token : nil
    let isInPath = kind == .iiif
    let address = PublishedFeedAddress(list, on: site, token: isInPath ? token : nil)[kind]
    return carrying(facts.origin + address, isInPath ? nil : token)
  }

  func page(of image: ImageRecord) -> String { address("/images/\(image.id)") }

  func original(of image: ImageRecord) -> String {
    carrying(address("/images/\(image.id)/original"), facts.token)
  }

  func thumbnail(of image: ImageRecord) -> String? {
    image.thumbnail.sha256.map { carrying(address("/t/\($0)"), facts.token) }
  }

  private func carrying(_ address: String, _ token: String?) -> String {
    guard let token else { return address }
    return "\(address)\(address.contains("?") ? "&" : "?")feed_token=\(token)"
  }

  /// The address of an original in the Image API, which serves the formats that the decoder reads.
  func imageService(of original: PictureInfo) -> String? {
    guard original.format != .svg, let hash = original.hash?.hexadecimal else { return nil }
    return address("/iiif\(facts.token.map { "/~\($0)" } ?? "")/image/\(hash)")
  }

  // MARK: Text

  /// The thumbnail with a link to the page, and the caption: HTML for readers that show an entry's text alone.
  ///
  /// Nil without both.
  func text(of image: ImageRecord) -> String? {
    let picture: HTML? = thumbnail(of: image).map { address in
      let (width, height) = (image.thumbnail.width, image.thumbnail.height)
      return """
        <p><a href="\(page(of: image))"><img src="\(address)" alt="\(image.title ?? "")"\
        \(attribute: "width", width)\(attribute: "height", height)></a></p>
        """
    }
    let caption: HTML? = image.caption.map { caption in
      let lines = caption.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let marked = lines.enumerated().map { index, line -> HTML in
        "\(if: index > 0, "<br>")\(String(line))"
      }
      return "<p>\(marked)</p>"
    }
    if picture == nil, caption == nil { return nil }
    return String(decoding: ("\(picture)\(caption)" as HTML).bytes, as: UTF8.self)
  }

  // MARK: Facts

  /// The stored original of an image that the feed still names.
  func storedOriginal(of image: ImageRecord) -> PictureInfo? {
    states[image.id]?.original.flatMap { $0.isStale ? nil : $0.info }
  }

  /// The media type of an original; nil unless it is stored.
  func type(of image: ImageRecord) -> String? { storedOriginal(of: image)?.format.mediaType }

  /// The upright size of the original: as it is stored, or else as the feed declares both of its sides.
  func size(of image: ImageRecord) -> PixelSize? {
    let stored = storedOriginal(of: image)
    guard let size = PixelSize(known: stored?.width, stored?.height) else {
      return PixelSize(known: image.width, image.height)
    }
    return size.upright(beside: PixelSize(known: image.thumbnail.width, image.thumbnail.height))
  }

  /// When the image was published, or else first seen here; nil when neither is known.
  func date(of image: ImageRecord) -> String? { image.published ?? firstSeen(image) }

  private func firstSeen(_ image: ImageRecord) -> String? {
    states[image.id].map {
      Wording.timestamp(Date(timeIntervalSince1970: Double($0.firstSeen)))
    }
  }

  /// When an image was last added to the list, as far as it is known.
  var lastChange: String {
    images.flatMap { [$0.published, firstSeen($0)] }.compactMap { $0 }.max()
      ?? Wording.timestamp(today)
  }

  /// The date of an empty list, which so has the same document for a day.
  private var today: Date {
    let day = 86_400.0
    return Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / day).rounded(.down) * day)
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
