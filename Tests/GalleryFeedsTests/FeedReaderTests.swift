import FeedFormats
import Foundation
import GalleryFeeds
import Models
import Testing
import Workers

typealias Reader = GalleryFeeds.FeedReader

struct FeedReaderTests {
  static let address = "https://example.org/folder/feed"

  /// The documents of the corpus, but for those that tests of formats have in their code.
  static let corpus: [String] = {
    let list = folder.appending(path: "CORPUS.tsv")
    let lines = (try? String(contentsOf: list, encoding: .utf8))?.split(separator: "\n") ?? []
    let places = lines.dropFirst().compactMap { $0.split(separator: "\t").last.map(String.init) }
    return Set(places.filter { !$0.contains(": ") }).sorted()
  }()

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../FeedFormatsTests/Documents")

  static func bytes(of document: String) throws -> [UInt8] {
    try Array(Data(contentsOf: folder.appending(path: document)))
  }

  @Test func `the corpus is there`() { #expect(Self.corpus.count > 290) }

  @Test(arguments: corpus)
  func `a document gives through the product what it gives to the program`(
    _ document: String
  ) throws {
    let bytes = try Self.bytes(of: document)
    let source = FeedSource(address: try #require(WebAddress(Self.address)))
    let parser = FeedFormats.FeedReader().parser(for: source)
    var expected: [Models.FeedEntry] = []
    let end: (entries: [Models.FeedEntry], document: Workers.FeedDocument)
    do throws(FeedError) {
      expected += try parser.push(bytes)
      while parser.hasMore { expected += try parser.push([]) }
      end = try parser.finish()
      expected += end.entries
    } catch {
      let refusal = #expect(throws: FeedReadingError.self) {
        try Reader().read(bytes, from: Self.address)
      }
      switch (error, refusal) {
      case (.notAFeed(let kind), .notAFeed(let likeness)): #expect(kind == likeness)
      case (.malformed(let flaw), .malformed(let problem)):
        #expect(flaw.words == problem.description)
      default: Issue.record("\(error) became \(String(describing: refusal))")
      }
      return
    }

    let read = try Reader().read(bytes, from: Self.address)

    #expect(read.entries.map(\.id) == expected.map(\.id))
    #expect(read.entries.map(\.repeated) == expected.map { $0.repeated.map(\.text) })
    let images = read.entries.flatMap(\.images)
    let others = expected.flatMap(\.images)
    #expect(images.map(\.original) == others.map(\.originalAddress.text))
    #expect(images.map(\.thumbnail) == others.map(\.thumbnailAddress?.text))
    #expect(images.map(\.renditions) == others.map { $0.renditions.map(\.text) })
    #expect(images.map(\.title) == others.map(\.title))
    #expect(images.map(\.caption) == others.map(\.caption))
    #expect(images.map(\.author) == others.map(\.author))
    #expect(images.map(\.licence) == others.map(\.licence))
    #expect(images.map(\.published) == others.map(\.published))
    #expect(images.map(\.page) == others.map(\.pageAddress?.text))
    #expect(images.map(\.width) == others.map(\.width))
    #expect(images.map(\.height) == others.map(\.height))
    #expect(images.map(\.bytes) == others.map(\.bytes))
    #expect(read.document.format.rawValue == end.document.format.rawValue)
    #expect(read.document.title == end.document.title)
    #expect(read.document.problems.map(\.isHarmless) == end.document.flaws.map(\.isHarmless))
    #expect(read.document.problems.map(\.description) == end.document.flaws.map(\.words))
    #expect(read.document.listsEverything == end.document.listsEverything)
    #expect(read.document.manifest?.label == end.document.manifest?.label)
    #expect(read.document.offers == end.document.offers.map(\.text))
    #expect(read.document.shortestInterval == end.document.hints.leastInterval)
    #expect(read.document.hub?.address == end.document.push.hub?.text)
  }

  @Test(arguments: corpus)
  func `a document that arrives in parts gives the same`(_ document: String) async throws {
    let bytes = try Self.bytes(of: document)
    guard let whole = try? Reader().read(bytes, from: Self.address) else { return }

    var entries: [GalleryFeeds.FeedEntry] = []
    var end: GalleryFeeds.FeedDocument?
    for try await event in Reader().events(in: Parts(bytes, of: 1021), from: Self.address) {
      #expect(end == nil)
      switch event {
      case .entry(let entry): entries.append(entry)
      case .end(let document): end = document
      }
    }

    #expect(entries == whole.entries)
    #expect(end == whole.document)
  }

  @Test func `a document that breaks off gives the entries that arrived, and the error`() async {
    // A reader needs the first 4,096 bytes in order to recognise a document that has not ended.
    let comment = String(repeating: " ", count: 4_096)
    let document = """
      <rss version="2.0"><channel><title>Feed</title><!--\(comment)-->
      <item><guid>1</guid><enclosure url="1.jpg" type="image/jpeg"/></item>
      <item><guid>2</guid><enclosure url="2.jpg" type="image/jpeg"/></item>
      <item><guid>3</guid><enclo
      """
    var entries: [GalleryFeeds.FeedEntry] = []

    await #expect(throws: CancellationError.self) {
      let parts = Parts(Array(document.utf8), of: 50, failure: CancellationError())
      for try await event in Reader().events(in: parts, from: Self.address) {
        if case .entry(let entry) = event { entries.append(entry) }
      }
    }

    #expect(entries.map(\.id) == ["1", "2"])
    #expect(entries.first?.images.map(\.original) == ["https://example.org/folder/1.jpg"])
  }

  @Test func `a parser gives nothing behind the end, and the same error again`() throws {
    let item = #"<item><enclosure url="1.jpg" type="image/jpeg"/></item>"#
    let feed = Array("<rss><channel>\(item)</channel></rss>".utf8)
    let ended = try FeedParser(address: Self.address)
    let images = try ended.push(feed) + ended.finish().entries
    let failed = try FeedParser(address: Self.address)
    let broken = try FeedParser(address: Self.address)
    _ = try broken.push(feed) + broken.breakOff()

    #expect(images.flatMap(\.images).count == 1)
    #expect(try ended.push(feed) == [] && ended.breakOff() == [])
    #expect(try ended.finish().entries == [] && ended.finish().document.format == .rss)
    let first = #expect(throws: FeedReadingError.self) { try failed.finish() }
    let second = #expect(throws: FeedReadingError.self) { try failed.push(feed) }
    #expect(first != nil && first == second)
    let cut = #expect(throws: FeedReadingError.self) { try broken.finish() }
    #expect(cut?.description == "damaged beyond reading: the document is cut off")
  }

  @Test(arguments: ["", "feed.xml", "/feed.xml", "//example.org/feed.xml"])
  func `a relative address of a document is refused`(_ address: String) async {
    #expect(throws: FeedReadingError.relativeAddress(address)) {
      try Reader().read([], from: address)
    }
    await #expect(throws: FeedReadingError.relativeAddress(address)) {
      for try await _ in Reader().events(in: Parts([], of: 1), from: address) {}
    }
  }

  @Test(arguments: [[], Array("<html><p>Hello".utf8), [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]])
  func `what is not a feed is refused`(_ bytes: [UInt8]) {
    #expect {
      try Reader().read(bytes, from: Self.address)
    } throws: { error in
      if case FeedReadingError.notAFeed = error { true } else { false }
    }
  }

  @Test func `a refusal describes itself in words`() throws {
    let relative = FeedReadingError.relativeAddress("feed.xml")
    let page = #expect(throws: FeedReadingError.self) {
      try Reader().read("<html><p>Hello".utf8, from: Self.address)
    }
    let limit = FeedReadingError.limitExceeded(of: "an entry", limit: 5)

    #expect("\(relative)" == "the address 'feed.xml' is not absolute")
    #expect(try #require(page).description.hasPrefix("not a feed but "))
    #expect("\(limit)" == "an entry beyond the limit of 5")
    #expect(limit.localizedDescription == limit.description)
  }

  @Test func `an explained entry names the addresses that it did not choose`() throws {
    var reader = Reader()
    reader.explains = true
    let read = try reader.read(
      Array(
        """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
        <media:group><media:content url="large.jpg" width="2000" height="1000"/>
        <media:content url="small.jpg" width="800" height="400"/></media:group>
        <description>&lt;img src="data:image/gif;base64,R0lG"&gt;</description>
        <pubDate>some day</pubDate></item></channel></rss>
        """.utf8
      ),
      from: Self.address
    )

    let explanation = try #require(read.entries.first?.explanation)
    #expect(explanation.images.map(\.original.address) == ["https://example.org/folder/large.jpg"])
    #expect(explanation.images.map(\.original.place) == [.media])
    #expect(explanation.images.map(\.original.side) == [2000])
    #expect(explanation.passed.contains { $0.reason == .unreachable && $0.place == .markup })
    #expect(explanation.dateDoubt == .unreadable("some day"))
  }

  @Test func `the front choice leaves out the pictures of the text`() throws {
    let item = """
      <rss version="2.0"><channel><item><enclosure url="1.jpg" type="image/jpeg"/>
      <description>&lt;img src="2.jpg"&gt;</description></item></channel></rss>
      """
    var reader = Reader()
    #expect(try reader.read(item.utf8, from: Self.address).entries.first?.images.count == 2)
    reader.choice = .front
    #expect(try reader.read(item.utf8, from: Self.address).entries.first?.images.count == 1)
  }

  @Test func `a flaw has its kind, number and names`() throws {
    let list = """
      <opml version="2.0"><body><outline xmlUrl="https://example.org/a"/>
      <outline xmlUrl="gopher://example.org/b"/></body></opml>
      """
    let document = try Reader().read(list.utf8, from: Self.address).document

    let problem = try #require(document.problems.first)
    #expect(problem.kind == .feedsLeftOut)
    #expect(problem.number == 1)
    #expect(problem.names == ["gopher://example.org/b"])
    #expect(problem.isHarmless)
    #expect(document.continuation == .feeds(["https://example.org/a"]))
  }

  @Test func `a flaw describes itself in words, with its number and its names`() throws {
    let list = """
      <opml version="2.0"><body><outline xmlUrl="https://example.org/a"/>
      <outline xmlUrl="gopher://me:secret@example.org/b"/></body></opml>
      """
    let left = try #require(
      try Reader().read(list.utf8, from: Self.address).document.problems.first
    )
    let feed = "<rss version=\"2.0\"><channel><title>A & B</title>"
    let flaws = try Reader().read(feed.utf8, from: Self.address).document.problems

    #expect("\(left)".hasPrefix("1 feed of the list left out, such as 'gopher://"))
    #expect(!"\(left)".contains("secret"))
    #expect(flaws.map { "\($0)" }.contains("an & that begins no character reference"))
    #expect(flaws.allSatisfy { !"\($0)".isEmpty && !"\($0)".hasSuffix(".") })
  }
}

/// Bytes that arrive in parts of a length; an error may follow them.
private struct Parts: AsyncSequence {
  private let bytes: [UInt8]
  private let length: Int
  private let failure: (any Error)?

  init(_ bytes: [UInt8], of length: Int, failure: (any Error)? = nil) {
    (self.bytes, self.length, self.failure) = (bytes, length, failure)
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(rest: bytes[...], length: length, failure: failure)
  }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<UInt8>
    let length: Int
    let failure: (any Error)?

    mutating func next() async throws -> ArraySlice<UInt8>? {
      if rest.isEmpty {
        if let failure { throw failure }
        return nil
      }
      defer { rest = rest.dropFirst(length) }
      return rest.prefix(length)
    }
  }
}
