import FoundationEssentials
import Models
import Workers

/// What one entry of a feed says, as written; the only part of a document that is held whole.
struct Entry {
  var id: String?
  var title: String?
  var mediaTitle: String?
  var mediaCaption: String?
  var summary: String?
  var content: String?
  var author: String?
  var mediaCredit: String?
  var licence: String?
  var rights: String?
  var published: Date?
  var updated: Date?
  /// The web page, and what its address is relative to.
  var link: String?
  var linkBase: WebAddress?
  /// Whether that page is known to be one for people.
  var hasReadablePage = false

  /// `media:content`, alone or in groups.
  var units: [MediaUnit] = []
  /// Enclosures, Atom's `link rel="enclosure"`, JSON Feed's attachments.
  var enclosures: [Candidate] = []
  /// Fields for one picture, the best first: `image`, `banner_image`.
  var fields: [Candidate] = []
  /// Small versions of the picture in the field.
  var smallFields: [Candidate] = []
  /// The HTML that may hold pictures: the whole article, and what sums it up.
  var contentMarkup: EntryMarkup?
  var summaryMarkup: EntryMarkup?
  /// What addresses in the HTML that is being read are relative to.
  var markupBase: WebAddress?
  /// `media:thumbnail` of the entry itself.
  var thumbnails: [Candidate] = []
  var podcastCover: Candidate?

  /// The medium that is being read.
  var openUnit: MediaUnit?
  /// How many addresses the entry has named so far.
  var pictureCount = 0
  /// The members of the object of a JSON list that hold addresses; nil unless it is explained.
  var members: [EntryMember]?

  /// Adds an address and counts it.
  mutating func add(_ candidate: Candidate, to list: WritableKeyPath<Entry, [Candidate]>) {
    self[keyPath: list].append(candidate)
    pictureCount += 1
  }
}

/// A member of an object of JSON that holds an address.
struct EntryMember {
  /// Its name after those of the objects around it.
  let path: String
  let text: String
  /// Whether it belongs to a person, a tag or a site.
  let isForeign: Bool
}

/// What a feed says of itself that concerns its entries.
struct FeedFacts {
  /// The document's own address.
  let address: WebAddress
  /// Whether each entry says why it has the images that it has.
  let isExplained: Bool
  var title: String?
  var author: String?
  var licence: String?
  var rights: String?
  /// Where the entries before these are.
  private var nextPage: WebAddress?
  /// When the document wants to be asked for.
  var hints = UpdateHints()
  /// The addresses of its hubs, and its own address there (WebSub, section 4).
  private var hubs: [WebAddress] = []
  private var topic: WebAddress?

  init(of source: FeedSource) {
    address = source.address
    isExplained = source.isExplained
  }

  /// The document, with what the feed says of itself.
  func document(as format: FeedFormat) -> FeedDocument {
    FeedDocument(
      format: format,
      title: title,
      continuation: nextPage.map { .nextPage($0) } ?? .none,
      hints: hints,
      push: PushLinks(hubs: hubs, topic: topic)
    )
  }

  /// Takes the address of a hub, as the document writes it.
  mutating func takeHub(_ reference: String, base: WebAddress?) {
    guard hubs.count < PushLinks.hubsLookedAt,
      let hub = (base ?? address).resolvingEscaped(reference)
    else { return }
    hubs.append(hub)
  }

  /// Takes the document's own address, as the document writes it.
  mutating func takeTopic(_ reference: String, base: WebAddress?) {
    topic.fill((base ?? address).resolvingEscaped(reference))
  }

  /// Takes the address of the next page, as the document writes it.
  mutating func takeNextPage(_ reference: String, base: WebAddress?) {
    guard let page = (base ?? address).resolvingEscaped(reference),
      NotImages.isReachable(page, from: address), page.identity != address.identity
    else { return }
    nextPage.fill(page)
  }
}

/// A text of HTML in an entry, which may hold pictures.
struct EntryMarkup {
  let bytes: [UInt8]
  /// What its addresses are relative to, where `xml:base` says so.
  let base: WebAddress?

  /// Keeps a text; nil when there is no picture in it.
  init?(_ bytes: [UInt8], base: WebAddress?) {
    guard bytes.span.firstIgnoringCase("img", from: 0) != nil else { return nil }
    self.bytes = bytes
    self.base = base
  }
}

/// Reads the name of a person out of the ways feeds write it.
enum PersonName {
  /// The name in `jo@example.com (Jo Doe)`, which is how RSS names authors, else the text itself.
  static func inMailAddress(_ text: String) -> String {
    guard text.utf8.last == UInt8(ascii: ")"), text.utf8.contains(UInt8(ascii: "@")),
      let open = text.utf8.firstIndex(of: UInt8(ascii: "("))
    else { return text }
    let name = text[text.utf8.index(after: open)...].dropLast().drop { isAround($0) }
      .prefix { $0 != "\"" }
    let end = name.lastIndex { !isAround($0) }
    return end.map { String(name[...$0]) } ?? text
  }

  /// What may stand around a name within its parentheses.
  private static func isAround(_ character: Character) -> Bool {
    character == " " || character == "\""
  }
}

/// One medium of an entry: a `media:group` with its renditions, or a `media:content` alone.
struct MediaUnit {
  let isGroup: Bool
  var renditions: [Candidate] = []
  var thumbnails: [Candidate] = []
  var words = MediaWords()
}

/// The words that stand beside one medium.
struct MediaWords {
  var title: String?
  var caption: String?
  var author: String?
  var licence: String?

  /// Takes from others those that are missing here.
  mutating func fill(from other: MediaWords) {
    title.fill(other.title)
    caption.fill(other.caption)
    author.fill(other.author)
    licence.fill(other.licence)
  }
}

extension Optional {
  /// Takes a value if there is no earlier one: what an entry says first counts.
  mutating func fill(_ value: @autoclosure () -> Wrapped?) {
    if self == nil { self = value() }
  }
}
