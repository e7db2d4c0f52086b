import FoundationEssentials
import Models
import Workers

/// A format whose documents are XML: told of elements as they open and close, it makes entries.
///
/// To add a format, write its reader and add it to `XMLWalk.formats`.
protocol XMLFormat: SendableMetatype {
  /// Whether a document with this root is of the format.
  static func reads(root: XMLName) -> Bool

  init(source: FeedSource)

  /// The entries that are complete; the reader takes them and empties the list.
  var entries: [FeedEntry] { get set }

  /// Whether an element of this name begins an entry, so that whatever is open has no end tag.
  static func beginsEntry(_ name: XMLName) -> Bool

  /// Takes an element's start.
  mutating func open(_ element: XMLElement) throws(FeedError) -> XMLContent

  /// Takes the end of an element and the text in it, of the kind asked for when it was opened.
  mutating func close(_ name: XMLName, in parent: XMLName, text: XMLText)

  /// What the document as a whole is.
  ///
  /// - Throws: when it turned out to be no feed.
  func document() throws(FeedError) -> FeedDocument
}

/// An element that is being opened.
struct XMLElement {
  let name: XMLName
  /// The element it stands in.
  let parent: XMLName
  let attributes: XMLAttributes
  /// What `xml:base` says around it; nil when nothing does.
  let base: WebAddress?
}

/// What a format wants of an element it was shown.
enum XMLContent {
  /// The elements in it, and the text that stands between them.
  case children
  /// All text in it, that of its children too.
  case text
  /// All text in it as HTML, with those of its children that HTML's pictures are told by.
  case markup
  /// Nothing.
  case none
}

/// The text of an element, read as what the format needs.
struct XMLText {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The text as an address, without the white space around it; nil when nothing is left.
  var address: String? { trimmed(limit: FormatLimits.address) }

  /// The text as an entry's id, without the white space around it; nil when nothing is left.
  var id: String? { trimmed(limit: FormatLimits.id) }

  private func trimmed(limit: Int) -> String? {
    let range = bytes.span.trimmedRange
    if range.isEmpty || range.count > limit { return nil }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// The text as a title or name: one line of plain text.
  var line: String? { PlainText.line(of: bytes.span, limit: FormatLimits.title) }

  /// The text as a caption: plain text.
  var caption: String? { PlainText.line(of: bytes.span, limit: FormatLimits.caption) }

  /// The text as HTML that holds pictures; nil when it holds none.
  func markup(base: WebAddress?) -> EntryMarkup? { EntryMarkup(bytes, base: base) }

  /// The text as a date.
  var date: Date? { FeedDate.read(bytes.span) }
}

/// An element's name: its vocabulary and its word in it.
struct XMLName: Equatable {
  let space: XMLNamespace
  let word: XMLWord

  /// What stands around the root.
  static let document = XMLName(.other, .other)

  init(_ space: XMLNamespace, _ word: XMLWord) {
    self.space = space
    self.word = word
  }
}

/// The element names that some format understands, without their prefixes.
///
/// A name is looked up once a document, so that readers switch over a byte and not over strings.
enum XMLWord: String, CaseIterable {
  case author
  case body
  case channel
  case content
  case copyright
  case created
  case creator
  case credit
  case date
  case day
  case description
  case enclosure
  case encoded
  case entry
  case feed
  case generator
  case group
  case guid
  case head
  case hour
  case id
  case image
  case issued
  case item
  case license
  case link
  case modified
  case name
  case opml
  case outline
  case pubDate = "pubdate"
  case published
  case rdf
  case rights
  case rss
  case skipDays = "skipdays"
  case skipHours = "skiphours"
  case source
  case summary
  case thumbnail
  case title
  case ttl
  case updated
  case url
  case other = ""

  /// The word of an element's local name; some feeds vary the case.
  init(localName: String) { self = XMLWord(rawValue: localName.lowercased()) ?? .other }
}

/// What was wrong with a document, each thing once and never without bound.
struct Flaws {
  private(set) var all: [DocumentFlaw] = []

  init(_ flaws: [DocumentFlaw] = []) {
    for flaw in flaws { add(flaw) }
  }

  /// Adds one; each is told once.
  mutating func add(_ flaw: DocumentFlaw) {
    guard all.count < FormatLimits.flaws, !all.contains(flaw) else { return }
    all.append(flaw)
  }

  /// Whether nothing that was noted cost an image.
  var isLossless: Bool { all.allSatisfy(\.isHarmless) }

  /// The document that a format makes, with these flaws before its own.
  ///
  /// A damaged document of which nothing could be read is not said to be something else.
  func document(
    _ make: () throws(FeedError) -> FeedDocument
  ) throws(FeedError) -> FeedDocument {
    do throws(FeedError) {
      var document = try make()
      document.flaws = all + document.flaws
      return document
    } catch {
      guard let worst = all.first(where: { !$0.isHarmless }) ?? all.first else { throw error }
      throw .malformed(worst)
    }
  }
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
