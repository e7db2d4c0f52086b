import FoundationEssentials
import Models
import Workers

/// The facts of one feed entry, as written; the only part of a document that is kept in full.
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
  /// A text in the place of a date that cannot be read as one.
  var unreadDate: String?
  /// The web page, and the base of its address.
  var link: String?
  var linkBase: WebAddress?
  /// Whether that page is known to be for human readers.
  var hasReadablePage = false

  /// `media:content`, single or in groups, and what other formats have in its place.
  var units: [MediaUnit] = []
  /// What an explanation calls that place.
  var unitPlace = EntryExplanation.Place.media
  /// Enclosures, Atom's `link rel="enclosure"`, JSON Feed's attachments.
  var enclosures: [Candidate] = []
  /// Fields with one picture, the best first: `image`, `banner_image`.
  var fields: [Candidate] = []
  /// Small versions of the picture in the field.
  var smallFields: [Candidate] = []
  /// HTML that may contain pictures: the whole article, and the summary.
  var contentMarkup: EntryMarkup?
  var summaryMarkup: EntryMarkup?
  /// The base of the addresses in the current HTML.
  var markupBase: WebAddress?
  /// `media:thumbnail` of the entry itself.
  var thumbnails: [Candidate] = []
  var podcastCover: Candidate?
  /// The other pictures of choices, which an explanation names.
  var alternatives: [Candidate] = []

  /// The current medium.
  var openUnit: MediaUnit?
  /// The number of addresses that the entry has named so far.
  var pictureCount = 0
  /// The members with addresses in the entry's JSON object; nil without an explanation.
  var members: [EntryMember]?

  /// Reads a date, and keeps the text if it is not one.
  mutating func date(_ text: String) -> Date? {
    let date = FeedDate.read(text)
    if date == nil { unreadDate.fill(text) }
    return date
  }

  /// Reads a date, and keeps the text if it is not one.
  mutating func date(_ text: XMLText) -> Date? {
    let date = text.date
    if date == nil { unreadDate.fill(text.line) }
    return date
  }

  /// Adds an address and counts it.
  mutating func add(_ candidate: Candidate, to list: WritableKeyPath<Entry, [Candidate]>) {
    self[keyPath: list].append(candidate)
    pictureCount += 1
  }
}

/// A member of a JSON object that contains an address.
struct EntryMember {
  /// The member's name, after the names of the objects around it.
  let path: String
  let text: String
  /// Whether the member belongs to a person, a tag or a site.
  let isForeign: Bool
}

/// Facts of the whole feed that apply to its entries.
struct FeedFacts {
  /// The document's own address.
  let address: WebAddress
  /// Whether each entry explains its choice of images.
  let isExplained: Bool
  /// The time of the request; nil when no date of an entry is compared with it.
  let now: Date?
  /// The pictures of an entry that are images.
  let imageChoice: ImageChoice
  var title: String?
  var author: String?
  var licence: String?
  var rights: String?
  /// The address of the page with earlier entries.
  private var nextPage: WebAddress?
  /// The document's wishes for the time of the next request.
  var hints = UpdateHints()
  /// The addresses of the document's hubs, and its own address at them (WebSub, section 4).
  private var hubs: [WebAddress] = []
  private var topic: WebAddress?

  init(of source: FeedSource) {
    address = source.address
    isExplained = source.isExplained
    now = source.now
    imageChoice = source.imageChoice
  }

  /// The document, with the facts of the feed.
  func document(
    as format: FeedFormat,
    repeating repeated: RepeatedPictures? = nil
  ) -> FeedDocument {
    var document = FeedDocument(
      format: format,
      title: title,
      continuation: nextPage.map { .nextPage($0) } ?? .none,
      hints: hints,
      push: PushLinks(hubs: hubs, topic: topic)
    )
    document.repeated = repeated?.found ?? []
    return document
  }

  /// Takes the address of a hub, as written in the document.
  mutating func takeHub(_ reference: String, base: WebAddress?) {
    guard hubs.count < PushLinks.hubsLookedAt,
      let hub = (base ?? address).resolvingEscaped(reference)
    else { return }
    hubs.append(hub)
  }

  /// Takes the document's own address, as written in the document.
  mutating func takeTopic(_ reference: String, base: WebAddress?) {
    topic.fill((base ?? address).resolvingEscaped(reference))
  }

  /// Takes the address of the next page, as written in the document.
  mutating func takeNextPage(_ reference: String, base: WebAddress?) {
    guard let page = (base ?? address).resolvingEscaped(reference),
      NotImages.isReachable(page, from: address), page.identity != address.identity
    else { return }
    nextPage.fill(page)
  }
}

/// An HTML text in an entry, which may contain pictures.
struct EntryMarkup {
  let bytes: [UInt8]
  /// The base of its addresses, if `xml:base` sets one.
  let base: WebAddress?

  /// Keeps a text; nil when it contains no picture.
  init?(_ bytes: [UInt8], base: WebAddress?) {
    let span = bytes.span
    // Plain text has no tags, and needs no search for them.
    guard let start = span.firstMarkup,
      span.firstIgnoringCase("img", from: start) != nil
        || span.firstIgnoringCase("data-", from: start) != nil
    else { return nil }
    self.bytes = bytes
    self.base = base
  }
}

/// Extracts the name of a person from the notations of feeds.
enum PersonName {
  /// The name in `jo@example.com (Jo Doe)`, the notation of RSS for authors, else the text itself.
  static func inMailAddress(_ text: String) -> String {
    guard text.utf8.last == UInt8(ascii: ")"), text.utf8.contains(UInt8(ascii: "@")),
      let open = text.utf8.firstIndex(of: UInt8(ascii: "("))
    else { return text }
    let name = text[text.utf8.index(after: open)...].dropLast().drop { isAround($0) }
      .prefix { $0 != "\"" }
    let end = name.lastIndex { !isAround($0) }
    return end.map { String(name[...$0]) } ?? text
  }

  /// Whether a character may surround a name in its parentheses.
  private static func isAround(_ character: Character) -> Bool {
    character == " " || character == "\""
  }
}

/// One medium of an entry: a `media:group` with its renditions, or a single `media:content`.
struct MediaUnit {
  let isGroup: Bool
  var renditions: [Candidate] = []
  var thumbnails: [Candidate] = []
  /// Addresses that are asked for only when a rendition cannot be had.
  var spares: [Candidate] = []
  var words = MediaWords()
}

/// The words about one medium.
struct MediaWords {
  var title: String?
  var caption: String?
  var author: String?
  var licence: String?

  /// Takes missing words from others.
  mutating func fill(from other: MediaWords) {
    title.fill(other.title)
    caption.fill(other.caption)
    author.fill(other.author)
    licence.fill(other.licence)
  }
}

extension Optional {
  /// Sets a value unless there is one: the first value in an entry counts.
  mutating func fill(_ value: @autoclosure () -> Wrapped?) {
    if self == nil { self = value() }
  }
}
