import Models
import Workers

/// Finds the feed of a web page that the user has named.
extension DocumentSync {
  /// The first of the feeds that a page names that has images; the page's first one if none of them has.
  mutating func feed(among named: [WebAddress]) async throws(Failure) -> [WebAddress] {
    for address in named where try await finding(at: address) == .images { return [address] }
    return Array(named.prefix(1))
  }

  /// The first usual place of a site with a feed that has images, else with any feed.
  ///
  /// - Parameter page: The address of a page that names no feed.
  /// - Returns: The address; nil if there is no feed at these places.
  /// - Throws: only a cancellation.
  mutating func usualFeed(of page: WebAddress) async throws(Failure) -> WebAddress? {
    var first: WebAddress?
    for address in UsualPlaces.of(page) {
      switch try await finding(at: address) {
      case .images: return address
      case .feed: first = first ?? address
      case .members(let members):
        for member in UsualPlaces.likely(members)
        where try await finding(at: member) == .images { return address }
      case .nothing: break
      }
    }
    return first
  }

  /// What a document turned out to be, as far as it was read.
  private enum Finding: Equatable {
    case images, feed, nothing
    case members([WebAddress])
  }

  /// Reads a document up to its first image, within the limits for such documents and those of the feed.
  ///
  /// - Throws: only a cancellation; another failure means that there is nothing.
  private mutating func finding(at address: WebAddress) async throws(Failure) -> Finding {
    do throws(Failure) {
      return try await read(at: address)
    } catch {
      if error.isCancellation { throw error }
      return .nothing
    }
  }

  private mutating func read(at address: WebAddress) async throws(Failure) -> Finding {
    try checkBounds()
    let response = try await open(address, validators: Validators(), isGuess: true)
    defer { result.bytes += response.body.wireBytes }
    guard response.header.status == 200 else { return .nothing }
    let source = FeedSource(address: response.header.address, charset: response.header.charset)
    let parser = tools.formats.parser(for: source)
    defer { documentBytes += parser.unpackedBytes }
    while var bytes = try await Failure.ofNetwork(await response.body.next()) {
      repeat {
        if try Failure.ofFeed(parser.push(bytes)).imageCount > 0 { return .images }
        if parser.unpackedBytes > SyncLimits.guessedDocumentBytes { return .nothing }
        bytes = []
      } while parser.hasMore
    }
    let (entries, document) = try Failure.ofFeed(parser.finish())
    if entries.imageCount > 0 { return .images }
    if case .members(let members) = document.continuation { return .members(members) }
    return document.format.isFeed ? .feed : .nothing
  }
}

extension FeedFormat {
  /// Whether a document of the format is a feed itself, and does not only lead to one.
  fileprivate var isFeed: Bool {
    switch kind {
    case .feed: self != .sitemap
    case .list, .manifest: true
    case .listOfFeeds, .page, .folder, .gallery: false
    }
  }
}

/// The places where sites have their feeds, whether or not their pages name them.
enum UsualPlaces {
  /// The names of feeds below a page: those of WordPress, Ghost and Hugo, and of other generators.
  private static let names = [
    "feed/", "rss", "feed.xml", "rss.xml", "atom.xml", "index.xml", "feed.json",
  ]
  private static let sitemaps = ["/sitemap.xml", "/sitemap_index.xml", "/image-sitemap.xml"]
  /// The most members of an index of sitemaps that are looked at for images.
  private static let members = 3

  /// The addresses to try for a page, the likeliest first; a page that stands for a whole site may have a sitemap.
  static func of(_ page: WebAddress) -> [WebAddress] {
    guard page.isWeb, let plain = page.resolving(page.path.isEmpty ? "/" : page.path) else {
      return []
    }
    let path = plain.path
    let name = path.split(separator: "/").last ?? ""
    // A name with a dot is that of a document, whose folder may have a feed.
    let isFolder = path.hasSuffix("/") || !name.contains(".")
    let folder = path.hasSuffix("/") ? path : path + "/"
    var places = names.map { isFolder ? folder + $0 : $0 }
    if isFolder, !name.isEmpty { places.append(path.trimmingSlashes + ".rss") }
    if name.isEmpty || name.hasPrefix("index.") { places += sitemaps }
    return places.compactMap { plain.resolving($0) }.filter { $0 != plain }
  }

  /// The sitemaps of an index that are the likeliest to have images.
  static func likely(_ members: [WebAddress]) -> ArraySlice<WebAddress> {
    let named = members.filter { $0.path.lowercased().contains("image") }
    return (named + members).prefix(Self.members)
  }
}

extension String {
  fileprivate var trimmingSlashes: String {
    var rest = self[...]
    while rest.hasSuffix("/") { rest = rest.dropLast() }
    return String(rest)
  }
}
