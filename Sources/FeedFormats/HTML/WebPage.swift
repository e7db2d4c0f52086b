import Models
import Workers

/// Reads a web page for the feeds that it names, or for its own pictures.
///
/// A page names a feed by `<link rel="alternate" type="application/rss+xml">` in its head, so the
/// reader keeps only the beginning of a long page.
final class WebPageReader: KindReader {
  let kind: FeedFormat.Kind? = .page
  private let source: FeedSource
  private var bytes: [UInt8] = []
  private var entries: [FeedEntry] = []

  init(source: FeedSource) { self.source = source }

  /// Reads the next bytes.
  func push(_ more: ArraySlice<UInt8>) {
    let limit = source.isOfPage ? FormatLimits.pageWithPictures : FormatLimits.page
    bytes += more.prefix(limit - bytes.count)
  }

  func takeEntries() -> [FeedEntry] {
    defer { entries = [] }
    return entries
  }

  /// Returns the page's feeds, or the page as a feed with one entry.
  ///
  /// - Throws: A `FeedError` when the page names no feed.
  func finish() throws(FeedError) -> FeedDocument {
    let page = bytes
    if source.isOfPage { return ownDocument(page) }
    let links = PageLinks.all(in: page.span, at: source.address)
    guard let link = links.first else { throw .webPage }
    // A page of a gallery names its changes, or its tree, before its feeds.
    let gallery = GalleryAddress(link).map { FeedContinuation.gallery($0) }
    let feeds = links.count > 1 ? FeedContinuation.choice(links) : .feeds(links)
    var document = FeedDocument(format: .html, continuation: gallery ?? feeds)
    document.offers = links.map { GalleryAddress($0)?.base ?? $0 }
    return document
  }

  private func ownDocument(_ page: [UInt8]) -> FeedDocument {
    var entry = Entry()
    entry.title = Self.title(in: page.span)
    entry.link = source.address.text
    let base = PageLinks.base(in: page.span, at: source.address)
    entry.contentMarkup = EntryMarkup(page, base: base)
    var document = FeedDocument(format: .html, title: entry.title)
    let feed = FeedFacts(of: source)
    let isIndex = Self.isIndex(entry.title)
    let found = EntryImages(of: entry, in: feed, relativeTo: .document).found().entry
    if isIndex || found?.images.isEmpty ?? true {
      let links = LinkedPictures(in: page.span, base)
      entries = links.entries.compactMap { entry in
        EntryImages(of: entry, in: feed, relativeTo: .document).found().entry
      }
      if links.isCut {
        document.flaws = [.excessiveFiles(limit: FormatLimits.picturesPerEntry)]
      }
    }
    // The signs of an empty folder are no images.
    if entries.isEmpty, !isIndex || feed.isExplained, let found { entries.append(found) }
    return document
  }

  /// Whether a title is that of the list of a folder's files, as servers write it.
  ///
  /// Its own pictures are signs for kinds of files (Apache, nginx and lighttpd; Python's `http.server`).
  private static func isIndex(_ title: String?) -> Bool {
    ["Index of /", "Directory listing for /"].contains { title?.hasPrefix($0) ?? false }
  }

  /// The text of the page's `title` element.
  private static func title(in bytes: Span<UInt8>) -> String? {
    guard let open = bytes.firstIgnoringCase("<title", from: 0),
      let start = bytes.first(UInt8(ascii: ">"), from: open)
    else { return nil }
    let end = bytes.firstIgnoringCase("</title", from: start) ?? bytes.count
    return PlainText.line(of: bytes.extracting((start + 1)..<end), limit: FormatLimits.title)
  }
}

/// The pictures to which a page links, as a list of a folder's files does: an entry for each.
private struct LinkedPictures {
  private(set) var entries: [Entry] = []
  /// Whether the page links to more pictures than are read.
  private(set) var isCut = false

  init(in bytes: Span<UInt8>, _ base: WebAddress) {
    var scanner = HTMLScanner()
    var known: Set<String> = []
    while let tag = scanner.next(in: bytes) {
      guard tag.word == .a, !tag.isClosing,
        let link = HTMLAttributes(in: bytes, tag.attributes).value("href", in: bytes),
        LinkedPicture.isPicture(link), let address = base.resolvingEscaped(link),
        known.insert(address.identity).inserted
      else { continue }
      isCut = entries.count == FormatLimits.picturesPerEntry
      if isCut { return }
      entries.append(Self.entry(address))
    }
  }

  private static func entry(_ address: WebAddress) -> Entry {
    var entry = Entry()
    entry.id = address.text
    entry.title = NamedImage.name(in: address)
    entry.enclosures = [Candidate(reference: address.text)]
    return entry
  }
}

/// The feeds that a web page names.
///
/// The first one with images is the page's feed: the others are the same feed in another format, or its comments.
struct PageLinks {
  /// The ranks of the media types by which a page names feeds (HTML, section 4.6.7.1).
  ///
  /// Plain JSON comes last, because it is often the page's own data and not a feed. The first two
  /// types are those of a gallery (`GalleryAddress`).
  private static let types: [String: Int] = [
    "application/x-ndjson": 0, "application/vnd.gallery.tree+json": 1,
    "application/rss+xml": 2, "application/atom+xml": 2, "application/feed+json": 2,
    "application/rdf+xml": 2, "application/json": 3,
  ]
  private static let galleryRanks = 0...1
  private static let rankOfFeeds = 2

  private let document: WebAddress
  private var base: WebAddress
  private var hasBase = false
  /// The first addresses of each rank, in the order of the page.
  private var found: [Int: [WebAddress]] = [:]

  private init(in bytes: Span<UInt8>, at address: WebAddress) {
    document = address
    base = address
    var scanner = HTMLScanner()
    while let tag = scanner.next(in: bytes), found[0] == nil, !isFull {
      if tag.isClosing { continue }
      switch tag.word {
      case .base: takeBase(HTMLAttributes(in: bytes, tag.attributes), in: bytes)
      case .link: takeLink(HTMLAttributes(in: bytes, tag.attributes), in: bytes)
      default: break
      }
    }
  }

  /// The addresses of the gallery or of the page's feeds, the page's own feed first.
  static func all(in bytes: Span<UInt8>, at address: WebAddress) -> [WebAddress] {
    let found = PageLinks(in: bytes, at: address).found
    return found.min { $0.key < $1.key }?.value ?? []
  }

  /// The base of the page's relative addresses.
  static func base(in bytes: Span<UInt8>, at address: WebAddress) -> WebAddress {
    PageLinks(in: bytes, at: address).base
  }

  private var isFull: Bool { found[Self.rankOfFeeds]?.count == FormatLimits.feedsOfPage }

  /// Takes the base of the page; only the first `base` counts.
  private mutating func takeBase(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    guard !hasBase, let reference = attributes.value("href", in: bytes),
      let address = document.resolving(reference)
    else { return }
    base = address
    hasBase = true
  }

  private mutating func takeLink(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    guard Self.isAlternate(attributes.value("rel", in: bytes) ?? ""),
      let rank = Self.rank(attributes.value("type", in: bytes) ?? ""),
      let reference = attributes.value("href", in: bytes),
      let address = base.resolving(reference).map({ $0.subscribed ?? $0 }),
      NotImages.isReachable(address, from: document),
      !Self.galleryRanks.contains(rank) || GalleryAddress(address) != nil
    else { return }
    let earlier = found[rank, default: []]
    if earlier.count == FormatLimits.feedsOfPage || earlier.contains(address) { return }
    found[rank] = earlier + [address]
  }

  private static func isAlternate(_ relations: String) -> Bool {
    let words = relations.lowercased().split { $0 == " " || $0 == "\n" || $0 == "\t" }
    return (words.contains("alternate") || words.contains("feed")) && !words.contains("stylesheet")
  }

  /// The rank of a media type, without its parameters, among those of feeds.
  private static func rank(_ type: String) -> Int? {
    types[type.lowercased().prefix { $0 != ";" && $0 != " " }.description]
  }
}
