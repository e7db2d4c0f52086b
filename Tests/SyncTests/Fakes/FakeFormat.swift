import Models
import Workers

/// Reads documents in which each word is an image of that name.
final class FakeFormat: FeedReading {
  private let flaws: [DocumentFlaw]
  private let seen = Locked<[FeedSource]>([])

  init(flaws: [DocumentFlaw] = []) { self.flaws = flaws }

  /// The sources for which parsers were made.
  var sources: [FeedSource] { seen.withLock { $0 } }

  func parser(for source: FeedSource) -> any FeedParsing {
    seen.withLock { $0.append(source) }
    return FakeParser(
      flaws: flaws,
      isExplained: source.isExplained,
      isOfPage: source.isOfPage
    )
  }
}

/// Reads one document of words; each word is an image of that name, with these exceptions.
///
/// - `sun/moon` is an entry of two images.
/// - `+late` is an image that only the end completes, `!` is damage.
/// - `>name` is the next page, `*name` a member of the collection, `@name` a feed to sync instead,
///   `&name` a feed of a list of feeds, also by its whole address.
/// - `%rss` is the format, as soon as it is read; without it, documents are plain JSON, pages or lists of feeds.
/// - `.` says that the document lists everything.
/// - `^name` is one of the feeds that a web page names.
/// - `=name` is a member that has only the pictures of an entry of that title.
/// - `~name` is a picture that the document repeats.
/// - `?` is a web page that names no feed; the other words are its own pictures.
/// - If entries are explained, `-word` is an entry without images.
final class FakeParser: FeedParsing {
  private let flaws: [DocumentFlaw]
  private let isExplained: Bool
  private let isOfPage: Bool
  private var marked: [Character: [String]] = [:]
  private var isEmpty = true
  private(set) var unpackedBytes = 0
  let hasMore = false

  var kind: FeedFormat.Kind? { marked["%"] == nil ? nil : format.kind }

  private var format: FeedFormat {
    if let name = marked["%"]?.first { return FeedFormat(rawValue: name) ?? .json }
    let isPage = ["@", "?", "^"].contains { marked[$0] != nil }
    return marked["&"] != nil ? .opml : isPage ? .html : .json
  }

  init(flaws: [DocumentFlaw], isExplained: Bool = false, isOfPage: Bool = false) {
    self.flaws = flaws
    self.isExplained = isExplained
    self.isOfPage = isOfPage
  }

  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedEntry] {
    unpackedBytes += bytes.count
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
    isEmpty = isEmpty && words.isEmpty
    guard !words.contains("!") else { throw .malformed(.malformedTag) }
    let isMarked = { (word: String) in word.first.map { "+>*@&.%?=^~".contains($0) } == true }
    for word in words where isMarked(word) {
      word.first.map { marked[$0, default: []].append(String(word.dropFirst())) }
    }
    if marked["?"] != nil, !isOfPage { return [] }
    return words.filter { !isMarked($0) }.map(entry)
  }

  private func entry(_ word: String) -> FeedEntry {
    guard isExplained else { return FeedEntry(named: word) }
    var entry = word.hasPrefix("-") ? FeedEntry(images: []) : FeedEntry(named: word)
    entry.explanation = EntryExplanation(title: word)
    return entry
  }

  func finish() throws(FeedError) -> (entries: [FeedEntry], document: FeedDocument) {
    guard !isEmpty else { throw .notAFeed(looksLike: "an empty file") }
    if marked["?"] != nil, !isOfPage { throw .webPage }
    var document = FeedDocument(
      format: format,
      title: "Words",
      flaws: flaws,
      listsEverything: marked["."] != nil,
      continuation: continuation
    )
    for name in marked["=", default: []] {
      document.parts[.page(name)] = EntryWords(id: nil, title: name)
    }
    document.repeated = marked["~", default: []]
    document.offers = marked["@", default: []].map(WebAddress.page)
    return (marked["+", default: []].map { FeedEntry(named: $0) }, document)
  }

  private var continuation: FeedContinuation {
    if let next = marked[">"]?.first { return .nextPage(.page(next)) }
    if let members = marked["*"] ?? marked["="] { return .members(members.map(WebAddress.page)) }
    if let feeds = marked["^"] { return .choice(feeds.map(WebAddress.page)) }
    let feeds = (marked["&"] ?? marked["@"])?.map { WebAddress($0) ?? .page($0) }
    return feeds.map { .feeds($0) } ?? .none
  }
}
