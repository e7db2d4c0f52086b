import Models
import Workers

/// The formats whose documents are XML.
enum XMLFormats {
  static let all: [any XMLFormat.Type] = [RSSFormat.self, AtomFormat.self, OPMLFormat.self]
}

/// OPML, a list of feeds in any depth of folders (https://opml.org/spec2.opml).
struct OPMLFormat: XMLFormat {
  static func reads(root: XMLName) -> Bool { root.word == .opml }

  var entries: [FeedEntry] = []
  private var title: String?
  private var feeds: AddressList

  init(source: FeedSource) { feeds = AddressList(of: source.address) }

  static func beginsEntry(_ name: XMLName) -> Bool { false }

  mutating func open(_ element: XMLElement) -> XMLContent {
    switch element.name.word {
    case .outline:
      // The name is written in every way there is; LiveJournal has `xmlURL`.
      if let feed = element.attributes.value(ignoringCase: "xmlurl") { feeds.add(feed) }
      return .children
    case .opml, .head, .body: return .children
    case .title: return .text
    default: return .none
    }
  }

  mutating func close(_ name: XMLName, in parent: XMLName, text: XMLText) {
    if name.word == .title, parent.word == .head { title = text.line }
  }

  func document() throws(FeedError) -> FeedDocument {
    if feeds.all.isEmpty { throw .notAFeed(looksLike: "an OPML list without feeds") }
    var document = FeedDocument(format: .opml, title: title)
    document.continuation = .feeds(feeds.all)
    if feeds.isCut { document.flaws.append(.excessiveFeeds) }
    return document
  }
}
