import Models
import Workers

/// RSS 2.0, and 0.9x, which has the same structure (https://www.rssboard.org/rss-specification);
/// also RSS 1.0 and 0.90, whose root is RDF's and whose items are outside the channel
/// (https://web.resource.org/rss/1.0/spec).
struct RSSFormat: XMLFormat {
  static let kind = FeedFormat.Kind.feed

  static func reads(root: XMLName) -> Bool {
    root.word == .rss || root == XMLName(.rdf, .rdf)
  }

  var entries: [FeedEntry] = []
  private var feed: FeedFacts
  private var repeated: RepeatedPictures
  private var entry: Entry?
  private var usesMedia = false
  private var isRDF = false
  /// Whether the document has RSS elements, and other elements: RDF also describes other things.
  private var holdsRSS = false
  private var holdsOthers = false
  /// Whether the item's guid claims to be a web page's address.
  private var guidIsPage = false
  /// The address in the guid, for an item without a link.
  private var guidPage: String?
  /// The item's `dc:creator`, which is a plain name, and so counts before `author`, which is a mail address.
  private var creator: String?

  init(source: FeedSource) {
    feed = FeedFacts(of: source)
    repeated = RepeatedPictures(of: source)
  }

  static func beginsEntry(_ name: XMLName) -> Bool { name == XMLName(.rss, .item) }

  mutating func open(_ element: XMLElement) throws(FeedError) -> XMLContent {
    if Self.beginsEntry(element.name) {
      holdsRSS = true
      entry = Entry()
      if let about = element.attributes["about"] { takeAbout(about, base: element.base) }
      return .children
    }
    return try entry == nil ? openInChannel(element) : openInItem(element)
  }

  mutating func close(_ name: XMLName, in parent: XMLName, text: XMLText) {
    if Self.beginsEntry(name) {
      closeItem()
    } else if entry == nil {
      closeInChannel(name, in: parent, text: text)
    } else {
      closeInItem(name, in: parent, text: text)
    }
  }

  mutating func release() { entries += repeated.decided() }

  func document() throws(FeedError) -> FeedDocument {
    guard holdsRSS || !holdsOthers else { throw .notAFeed(looksLike: "an RDF document") }
    return feed.document(as: isRDF ? .rdf : usesMedia ? .mediaRSS : .rss, repeating: repeated)
  }

  // MARK: - Channel

  private mutating func openInChannel(_ element: XMLElement) -> XMLContent {
    switch (element.name.space, element.name.word) {
    case (.rss, .title), (.rss, .copyright), (.rss, .ttl), (.rss, .hour), (.rss, .day),
      (.dublinCore, _):
      return .text
    case (.rss, .image): return .none
    case (.rss, _):
      holdsRSS = true
      return .children
    case (.rdf, .rdf):
      isRDF = true
      return .children
    case (.atom, .link):
      feed.openLink(element)
      return .none
    case (.licence, .license):
      feed.licence = element.attributes["resource"]
      return .text
    default:
      if element.parent == XMLName(.rdf, .rdf) { holdsOthers = true }
      return .none
    }
  }

  private mutating func closeInChannel(_ name: XMLName, in parent: XMLName, text: XMLText) {
    switch (name.space, name.word) {
    case (.rss, .title) where parent.word == .channel: feed.title = text.line
    case (.rss, .copyright), (.dublinCore, .rights): feed.rights.fill(text.line)
    case (.dublinCore, .creator): feed.author = text.line
    case (.licence, .license): feed.licence.fill(text.address)
    case (.rss, _): takeHint(name.word, in: parent.word, text.line ?? "")
    default: break
    }
  }

  /// Takes minutes, hours of a day and days of a week (RSS 2.0, "ttl", "skipHours", "skipDays").
  private mutating func takeHint(_ word: XMLWord, in parent: XMLWord, _ text: String) {
    switch (parent, word) {
    case (.channel, .ttl):
      guard let minutes = Int(text), (0...525_600).contains(minutes) else { return }
      feed.hints.leastInterval = UpdateHints(leastInterval: minutes * 60).leastInterval
    case (.skipHours, .hour):
      // Before 2.0, hours were numbered from 1 to 24.
      guard let hour = Int(text), (0...24).contains(hour) else { return }
      feed.hints.skippedHours |= 1 << (hour % 24)
    case (.skipDays, .day):
      guard let day = Self.days.firstIndex(of: text.lowercased()) else { return }
      feed.hints.skippedDays |= 1 << day
    default: break
    }
  }

  private static let days = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  // MARK: - Item

  /// Takes the address of an RDF item from its attribute; the address is also the item's identity.
  private mutating func takeAbout(_ about: String, base: WebAddress?) {
    entry?.id = about
    entry?.linkBase = base
    if about.hasPrefix("http") { guidPage = about }
  }

  private mutating func openInItem(_ element: XMLElement) throws(FeedError) -> XMLContent {
    try entry?.checkPictureCount()
    switch (element.name.space, element.name.word) {
    case (.rss, .link):
      entry?.linkBase = element.base
      return .text
    case (.rss, .guid):
      guidIsPage = element.attributes["isPermaLink"] != "false"
      return .text
    case (.rss, .enclosure):
      addEnclosure(element)
      return .text
    case (.rss, .image), (.photocast, .image):
      addField(element)
      return .children
    case (.rss, .source): return .none
    case (.rss, .description): return entry?.openMarkup(element) ?? .none
    case (.rss, _): return .text
    case (.photocast, .thumbnail):
      entry?.add(Candidate(reference: "", base: element.base), to: \.smallFields)
      return .text
    case (.other, .image): return .text
    case (.atom, .link):
      entry?.openAtomLink(element)
      return .none
    default: return entry?.openCommon(element) ?? .none
    }
  }

  private mutating func addEnclosure(_ element: XMLElement) {
    let attributes = element.attributes
    let reference = attributes["url"] ?? attributes["href"] ?? attributes["resource"] ?? ""
    entry?.add(Candidate(enclosure: reference, element), to: \.enclosures)
  }

  private mutating func addField(_ element: XMLElement) {
    let attributes = element.attributes
    let reference = attributes["url"] ?? attributes["href"] ?? attributes["src"] ?? ""
    entry?.add(Candidate(reference: reference, base: element.base), to: \.fields)
  }

  /// Takes an image in a vocabulary that only one site uses, such as Bing's.
  private mutating func closeForeignImage(_ text: XMLText) {
    guard let reference = text.address, reference.hasPrefix("http") else { return }
    entry?.add(Candidate(reference: reference), to: \.fields)
  }

  private mutating func closeInItem(_ name: XMLName, in parent: XMLName, text: XMLText) {
    switch (name.space, name.word) {
    case (.rss, .title) where parent.word == .item: entry?.title.fill(text.line)
    case (.rss, .link) where parent.word == .item: entry?.link.fill(text.address)
    case (.rss, .guid): closeGuid(text)
    case (.rss, .pubDate): closeDate(text)
    case (.rss, .description) where parent.word == .item: entry?.closeSummary(text)
    case (.rss, .author) where creator == nil:
      entry?.author = text.line.map(PersonName.inMailAddress)
    case (.dublinCore, .creator): closeCreator(text)
    case (.rss, .enclosure): completeLast(\.enclosures, with: text)
    case (.rss, .image), (.photocast, .image): completeLast(\.fields, with: text)
    case (.rss, .url) where parent.word == .image: completeLast(\.fields, with: text)
    case (.other, .image): closeForeignImage(text)
    case (.photocast, .thumbnail): completeLast(\.smallFields, with: text)
    default: entry?.closeCommon(name, text: text)
    }
  }

  /// Takes a date; an unreadable one does not replace the date of another element.
  private mutating func closeDate(_ text: XMLText) {
    if let date = entry?.date(text) { entry?.published = date }
  }

  private mutating func closeCreator(_ text: XMLText) {
    creator.fill(text.line)
    if let creator { entry?.author = creator }
  }

  private mutating func closeGuid(_ text: XMLText) {
    guard let guid = text.id else { return }
    entry?.id = guid
    if guidIsPage, entry?.link == nil, guid.hasPrefix("http") { guidPage = guid }
  }

  private mutating func completeLast(
    _ list: WritableKeyPath<Entry, [Candidate]>,
    with text: XMLText
  ) {
    guard let last = entry?[keyPath: list].indices.last else { return }
    entry?[keyPath: list][last].complete(with: text)
  }

  private mutating func closeItem() {
    guard var item = entry.take() else { return }
    item.closeUnit()
    item.link.fill(guidPage)
    guidPage = nil
    creator = nil
    let found = repeated.take(EntryImages(of: consume item, in: feed, relativeTo: .link))
    usesMedia = usesMedia || found.usesMedia
    entries += found.entries
  }
}
