import FoundationEssentials
import Models
import Workers

/// Sitemaps whose pages name their images (https://www.sitemaps.org/protocol.html;
/// https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps), and indexes of sitemaps.
///
/// Each page is an entry. The sitemaps of an index are members of one feed.
struct SitemapFormat: XMLFormat {
  static let kind = FeedFormat.sitemap.kind

  static func reads(root: XMLName) -> Bool { root.word == .urlset || root.word == .sitemapindex }

  var entries: [FeedEntry] = []
  private let feed: FeedFacts
  private var entry: Entry?
  private var image: MediaUnit?
  private var members: AddressList
  private var repeated: RepeatedPictures

  init(source: FeedSource) {
    feed = FeedFacts(of: source)
    repeated = RepeatedPictures(of: source)
    members = AddressList(of: source.address)
  }

  static func beginsEntry(_ name: XMLName) -> Bool { name.word == .url }

  mutating func open(_ element: XMLElement) throws(FeedError) -> XMLContent {
    switch element.name.word {
    case .urlset, .sitemapindex, .sitemap: return .children
    case .url:
      entry = Entry()
      return .children
    case .image where entry != nil:
      try entry?.checkPictureCount()
      image = MediaUnit(isGroup: true)
      return .children
    case .loc, .lastmod, .title, .caption, .license: return .text
    default: return .none
    }
  }

  mutating func close(_ name: XMLName, in parent: XMLName, text: XMLText) {
    switch (name.word, parent.word) {
    case (.loc, .sitemap): if let address = text.address { members.add(address) }
    case (.loc, .url):
      entry?.id = text.id
      entry?.link = text.address
    case (.lastmod, .url): entry?.updated = text.date
    case (.loc, .image):
      guard let reference = text.address else { return }
      image?.renditions = [Candidate(reference: reference, type: "image")]
    case (.title, .image): image?.words.title = text.line
    case (.caption, .image): image?.words.caption = text.caption
    case (.license, .image): image?.words.licence = text.address
    case (.image, _): closeImage()
    case (.url, _): closeEntry()
    default: break
    }
  }

  mutating func release() { entries += repeated.decided() }

  func document() -> FeedDocument {
    var document = feed.document(as: .sitemap, repeating: repeated)
    if !members.all.isEmpty { document.continuation = .members(members.all) }
    if members.isCut { document.flaws.append(.excessiveMembers) }
    return document
  }

  private mutating func closeImage() {
    guard let closed = image.take(), !closed.renditions.isEmpty else { return }
    entry?.units.append(closed)
    entry?.unitPlace = .sitemap
    entry?.pictureCount += 1
  }

  private mutating func closeEntry() {
    guard let closed = entry.take(), feed.isExplained || !closed.units.isEmpty else { return }
    entries += repeated.take(EntryImages(of: closed, in: feed, relativeTo: .document)).entries
  }
}
