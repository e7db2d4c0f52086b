import FoundationEssentials
import Models
import Workers

/// Atom (RFC 4287) and its predecessor Atom 0.3; also a single entry as a document.
struct AtomFormat: XMLFormat {
  static let kind = FeedFormat.Kind.feed

  static func reads(root: XMLName) -> Bool {
    let isOurs = root.space == .atom || root.space == .rss || root.space == .other
    return isOurs && root.word == .feed || root == XMLName(.atom, .entry)
  }

  var entries: [FeedEntry] = []
  private var feed: FeedFacts
  private var repeated: RepeatedPictures
  private var entry: Entry?
  /// The program that wrote the document.
  private var generator: String?

  init(source: FeedSource) {
    feed = FeedFacts(of: source)
    repeated = RepeatedPictures(of: source)
  }

  static func beginsEntry(_ name: XMLName) -> Bool { isAtom(name) && name.word == .entry }

  /// Whether a name is Atom's; some documents omit the namespace.
  private static func isAtom(_ name: XMLName) -> Bool { name.space == .atom || name.space == .rss }

  mutating func open(_ element: XMLElement) throws(FeedError) -> XMLContent {
    if Self.beginsEntry(element.name) {
      entry = Entry()
      return .children
    }
    try entry?.checkPictureCount()
    if Self.isAtom(element.name) {
      return entry == nil ? openInFeed(element) : openInEntry(element)
    }
    if let content = entry?.openCommon(element) { return content }
    return element.parent == .document ? .children : .none
  }

  mutating func close(_ name: XMLName, in parent: XMLName, text: XMLText) {
    if Self.beginsEntry(name) {
      closeEntry()
    } else if entry == nil {
      closeInFeed(name, in: parent, text: text)
    } else if Self.isAtom(name) {
      closeInEntry(name, in: parent, text: text)
    } else {
      entry?.closeCommon(name, text: text)
    }
  }

  mutating func release() { entries += repeated.decided() }

  func document() -> FeedDocument { feed.document(as: .atom, repeating: repeated) }

  private mutating func openInFeed(_ element: XMLElement) -> XMLContent {
    switch element.name.word {
    case .feed, .author: return .children
    case .link:
      feed.openLink(element)
      return .none
    case .title, .name, .rights, .copyright, .generator: return .text
    default: return .none
    }
  }

  private mutating func closeInFeed(_ name: XMLName, in parent: XMLName, text: XMLText) {
    guard Self.isAtom(name) else { return }
    switch name.word {
    case .title: feed.title = text.line
    case .generator: generator = text.line
    case .name where parent.word == .author: closeFeedAuthor(text.line)
    case .rights, .copyright: feed.rights = text.line
    default: break
    }
  }

  /// Takes the feed's author, unless it is the program that wrote the document.
  ///
  /// A feed must have an author (RFC 4287, section 4.1.1). A program that knows no author names
  /// itself, but it has not made the pictures.
  private mutating func closeFeedAuthor(_ name: String?) {
    if name != generator { feed.author.fill(name) }
  }

  private mutating func openInEntry(_ element: XMLElement) -> XMLContent {
    switch element.name.word {
    case .author: return .children
    case .link:
      entry?.openAtomLink(element)
      return .none
    case .content:
      openContent(element)
      return entry?.openMarkup(element) ?? .none
    case .summary: return entry?.openMarkup(element) ?? .none
    case .source: return .none
    default: return .text
    }
  }

  /// Handles content at another address (RFC 4287, section 4.1.3.2), which is as good as an enclosure.
  private mutating func openContent(_ element: XMLElement) {
    guard let address = element.attributes["src"] else { return }
    let type = element.attributes["type"]
    entry?.add(Candidate(reference: address, base: element.base, type: type), to: \.enclosures)
  }

  private mutating func closeInEntry(_ name: XMLName, in parent: XMLName, text: XMLText) {
    switch name.word {
    case .title: entry?.title = text.line
    case .id: entry?.id = text.id
    case .published, .issued, .created, .updated, .modified: closeDate(name.word, text)
    case .summary: entry?.closeSummary(text)
    case .content: entry?.closeArticle(text)
    case .rights, .copyright: entry?.rights = text.line
    case .name where parent.word == .author: entry?.author.fill(text.line)
    default: break
    }
  }

  private mutating func closeDate(_ word: XMLWord, _ text: XMLText) {
    let date = entry?.date(text)
    switch word {
    case .created: entry?.published.fill(date)
    case .updated, .modified: entry?.updated = Self.known(date)
    default: entry?.published = date
    }
  }

  /// A date that is known.
  ///
  /// An entry must have this date (RFC 4287, section 4.1.2); the beginning of 1970 means that it is unknown.
  private static func known(_ date: Date?) -> Date? {
    date?.timeIntervalSince1970 == 0 ? nil : date
  }

  private mutating func closeEntry() {
    guard var closed = entry.take() else { return }
    closed.closeUnit()
    entries += repeated.take(EntryImages(of: closed, in: feed, relativeTo: .document)).entries
  }
}

extension FeedFacts {
  /// Takes the target of a feed's link: the licence, the next page (RFC 5005, section 3), a hub, or
  /// the feed itself.
  mutating func openLink(_ element: XMLElement) {
    guard let address = element.attributes["href"] else { return }
    switch element.attributes["rel"] {
    case "license": licence.fill(address)
    case "next": takeNextPage(address, base: element.base)
    case "hub": takeHub(address, base: element.base)
    case "self": takeTopic(address, base: element.base)
    default: break
    }
  }
}

extension Candidate {
  /// Takes the attributes of an `enclosure`, or of a link to one.
  init(enclosure address: String, _ element: XMLElement) {
    self.init(
      reference: address,
      base: element.base,
      type: element.attributes["type"],
      bytes: element.attributes.number("length")
    )
  }
}

/// Atom's `link`, which other formats use as well.
extension Entry {
  /// Takes the target of a link: an enclosure, the web page or the licence.
  mutating func openAtomLink(_ element: XMLElement) {
    guard let address = element.attributes["href"] else { return }
    switch element.attributes["rel"] ?? "alternate" {
    case "enclosure":
      add(Candidate(enclosure: address, element), to: \.enclosures)
    case "alternate": takePage(address, of: element)
    case "license": licence.fill(address)
    default: break
    }
  }

  /// Takes the first of several pages that is for human readers.
  private mutating func takePage(_ address: String, of element: XMLElement) {
    let type = element.attributes["type"] ?? "text/html"
    guard link == nil || type.contains("html") && !hasReadablePage else { return }
    link = address
    linkBase = element.base
    hasReadablePage = type.contains("html")
  }
}
