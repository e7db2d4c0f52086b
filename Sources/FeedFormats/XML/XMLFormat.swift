import FoundationEssentials
import Models
import Workers

/// A format whose documents are XML: it receives elements as they open and close, and makes entries.
///
/// To add a format, write its reader and add it to `XMLWalk.formats`.
protocol XMLFormat: SendableMetatype {
  /// The kind of its documents.
  static var kind: FeedFormat.Kind { get }

  /// Whether a document with this root is of the format.
  static func reads(root: XMLName) -> Bool

  init(source: FeedSource)

  /// The entries that are complete; the reader takes them and empties the list.
  var entries: [FeedEntry] { get set }

  /// Whether an element of this name begins an entry, which means that open elements lack their end tags.
  static func beginsEntry(_ name: XMLName) -> Bool

  /// Handles an element's start, and returns the content that the format needs.
  mutating func open(_ element: XMLElement) throws(FeedError) -> XMLContent

  /// Handles the end of an element, with the text of the kind that `open` asked for.
  mutating func close(_ name: XMLName, in parent: XMLName, text: XMLText)

  /// Adds the entries that are held back to the complete ones: no further entry comes.
  mutating func release()

  /// The description of the whole document.
  ///
  /// - Throws: A `FeedError` when the document is not a feed.
  func document() throws(FeedError) -> FeedDocument
}

extension XMLFormat {
  mutating func release() {}
}

/// An element at its start tag.
struct XMLElement {
  let name: XMLName
  /// The name of the element around it.
  let parent: XMLName
  let attributes: XMLAttributes
  /// The base address that `xml:base` sets for it; nil without an `xml:base`.
  let base: WebAddress?
}

/// The content of an element that a format needs.
enum XMLContent {
  /// The elements in it, and the text between them.
  case children
  /// All text in it, including the text of its children.
  case text
  /// All text in it as HTML, with the child elements that matter for pictures in HTML.
  case markup
  /// No content.
  case none
}

/// The text of an element, converted to the type that the format needs.
struct XMLText {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The text as an address, without surrounding white space; nil when it is empty.
  var address: String? { trimmed(limit: FormatLimits.address) }

  /// The text as an entry's id, without surrounding white space; nil when it is empty.
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

  /// The text as HTML that contains pictures; nil when it contains no pictures.
  func markup(base: WebAddress?) -> EntryMarkup? { EntryMarkup(bytes, base: base) }

  /// The text as a date.
  var date: Date? { FeedDate.read(bytes.span) }
}

/// An element's name: its vocabulary and its word in that vocabulary.
struct XMLName: Equatable {
  let space: XMLNamespace
  let word: XMLWord

  /// The parent of the root.
  static let document = XMLName(.other, .other)

  init(_ space: XMLNamespace, _ word: XMLWord) {
    self.space = space
    self.word = word
  }
}

/// The element names that some format understands, without their prefixes.
///
/// A name is looked up once per document, so that readers switch over a byte and not over strings.
enum XMLWord: String, CaseIterable {
  case author
  case authorName = "author_name"
  case body
  case caption
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
  case height
  case hour
  case id
  case image
  case issued
  case item
  case lastmod
  case license
  case link
  case loc
  case modified
  case name
  case oEmbed = "oembed"
  case opml
  case outline
  case pubDate = "pubdate"
  case published
  case rdf
  case rights
  case rss
  case skipDays = "skipdays"
  case skipHours = "skiphours"
  case sitemap
  case sitemapindex
  case source
  case summary
  case thumbnail
  case thumbnailHeight = "thumbnail_height"
  case thumbnailURL = "thumbnail_url"
  case thumbnailWidth = "thumbnail_width"
  case title
  case ttl
  case type
  case updated
  case url
  case urlset
  case webPage = "web_page"
  case width
  case other = ""

  /// The word of an element's local name; the case does not matter, because some feeds vary it.
  init(localName: String) { self = XMLWord(rawValue: localName.lowercased()) ?? .other }
}

/// The flaws of a document, each once and limited in number.
struct Flaws {
  private(set) var all: [DocumentFlaw] = []

  init(_ flaws: [DocumentFlaw] = []) {
    for flaw in flaws { add(flaw) }
  }

  /// Adds a flaw, unless it is known or the limit is reached.
  mutating func add(_ flaw: DocumentFlaw) {
    guard all.count < FormatLimits.flaws, !all.contains(flaw) else { return }
    all.append(flaw)
  }

  /// Whether all flaws are harmless, so that no image is lost.
  var isLossless: Bool { all.allSatisfy(\.isHarmless) }

  /// Makes the document of a format, and puts these flaws before the document's own.
  ///
  /// If no part of a damaged document can be read, the error names the damage, and not another kind of file.
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

/// OPML, a list of feeds in folders of any depth (https://opml.org/spec2.opml).
struct OPMLFormat: XMLFormat {
  static let kind = FeedFormat.Kind.listOfFeeds

  static func reads(root: XMLName) -> Bool { root.word == .opml }

  var entries: [FeedEntry] = []
  private var title: String?
  private var feeds: AddressList

  init(source: FeedSource) {
    // A list from a pipe is on this machine, too; the sync decides which of its files and folders count.
    feeds = AddressList(of: source.address, mayNameFiles: source.address.isPiped)
  }

  static func beginsEntry(_ name: XMLName) -> Bool { false }

  mutating func open(_ element: XMLElement) -> XMLContent {
    switch element.name.word {
    case .outline:
      // The spelling of the name varies; LiveJournal has `xmlURL`.
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
    let files = feeds.leftOutFiles
    if feeds.all.isEmpty {
      throw .notAFeed(
        looksLike: files.number > 0
          ? "a list of files, which the web may not name" : "an OPML list without feeds"
      )
    }
    var document = FeedDocument(format: .opml, title: title)
    document.continuation = .feeds(feeds.all)
    if feeds.isCut { document.flaws.append(.excessiveFeeds) }
    if feeds.leftOut.number > 0 {
      let first = PlainText.line(of: feeds.leftOut.first, limit: FormatLimits.title) ?? ""
      document.flaws.append(.feedsLeftOut(feeds.leftOut.number, first: first))
    }
    if files.number > 0 {
      document.flaws.append(.filesLeftOut(files.number, first: files.first))
    }
    return document
  }
}
