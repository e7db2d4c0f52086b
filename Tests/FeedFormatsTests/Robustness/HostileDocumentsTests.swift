import FeedFormats
import Foundation
import Models
import Testing
import Workers

/// Documents made to exhaust the memory or time of their reader.
struct HostileDocumentsTests {
  private static let image = "<item><enclosure url='https://a.b/1.jpg'/></item>"

  @Test(arguments: ["<channel>", "<a>", "<media:group>"])
  func `refuses elements nested without end`(_ tag: String) {
    let deep = "<rss>" + String(repeating: tag, count: 100_000)

    #expect(throws: FeedError.beyondLimit(of: "the nesting of elements", limit: 256)) {
      try ReadDocument(deep)
    }
  }

  @Test func `reads entries of which none has an end`() throws {
    let open = "<item><enclosure url='https://a.b/1.jpg'><description><p>a<br>b<li>c"

    let read = try ReadDocument("<rss><channel>" + String(repeating: open, count: 1000))

    #expect(read.images.count == 1000)
    #expect(
      read.document.flaws == [.missingEndTag, .cutOff]
    )
  }

  @Test(arguments: [
    "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel>"
      + "<item><guid>1</guid><enclosure url='https://a.b/1.jpg'/></item>"
      + "<item><guid>2</guid><media:thumbnail url='https://a.b/small.jpg'/><encl",
    "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:media='http://search.yahoo.com/mrss/'>"
      + "<entry><id>1</id><link rel='enclosure' type='image/jpeg' href='https://a.b/1.jpg'/></entry>"
      + "<entry><id>2</id><media:thumbnail url='https://a.b/small.jpg'/>",
    "[{\"id\":\"1\",\"image\":\"https://a.b/1.jpg\"},"
      + "{\"id\":\"2\",\"thumbnail\":\"https://a.b/small.jpg\",\"ima",
    "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"a\",\"items\":["
      + "{\"id\":\"1\",\"image\":\"https://a.b/1.jpg\"},"
      + "{\"id\":\"2\",\"banner_image\":\"https://a.b/small.jpg\",\"image\":",
  ])
  func `leaves out the entry in which a document is cut off`(_ text: String) throws {
    let read = try ReadDocument(text)

    #expect(read.images.map(\.originalAddress.text) == ["https://a.b/1.jpg"])
    #expect(!read.document.listsEverything)
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "{\"images\":["])
  func `does not follow values of JSON nested without end`(_ opening: String) {
    let deep = String(repeating: opening, count: 100_000)

    #expect(throws: FeedError.self) { try ReadDocument(deep) }
  }

  @Test func `reads the entries around one that is nested too deeply`() throws {
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)

    let read = try ReadDocument("[\"https://a.b/1.png\",\(deep),\"https://a.b/2.png\"]")

    #expect(read.originals == ["https://a.b/1.png", "https://a.b/2.png"])
    #expect(read.document.flaws == [.malformedEntry])
  }

  @Test func `expands no entities, neither in depth nor in width`() throws {
    let laughs = (1...9).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    let depth = "<!DOCTYPE rss [<!ENTITY l0 \"ha\">\(laughs.joined())]>"
    let width = "<!DOCTYPE rss [<!ENTITY w \"\(String(repeating: "w", count: 50_000))\">]>"
    let uses = String(repeating: "&w;", count: 10_000)

    let deep = try ReadDocument("\(depth)<rss><channel><title>&l9;</title>\(Self.image)")
    let wide = try ReadDocument("\(width)<rss><channel><title>\(uses)</title>\(Self.image)")

    #expect(deep.document.title == "&l9;")
    #expect(deep.originals == ["https://a.b/1.jpg"])
    #expect(wide.document.title?.utf8.count == 2048)
    #expect(wide.originals == ["https://a.b/1.jpg"])
  }

  @Test func `takes an attribute that is too long for missing`() throws {
    let long = "https://a.b/" + String(repeating: "x", count: 2 << 20) + ".jpg"

    let read = try ReadDocument.rss("<item><enclosure url='\(long)'/></item>" + Self.image)

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws == [.excessiveAttribute])
  }

  @Test func `looks at some attributes of an element only`() throws {
    let many = (0..<20_000).map { "a\($0)='x'" }.joined(separator: " ")

    let read = try ReadDocument.rss("<item \(many)></item>" + Self.image)

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws.contains(.excessiveAttribute))
  }

  @Test func `cuts a text that is too long, and says so`() throws {
    let long = String(repeating: "<p>word</p>", count: 100_000)

    let read = try ReadDocument.rss("<item><title>\(long)</title>\(Self.image)")

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws.contains(.longText(limit: 65_536)))
  }

  @Test(arguments: [
    ("<rss><channel>", "<item/>", "</channel></rss>"),
    ("<rss><channel>", "</p>", "</channel></rss>"),
    ("<rss><channel>", "<b></b></c>", "</channel></rss>"),
    ("<rss><channel><item>", "<!---->", "</item></channel></rss>"),
    ("[{},", "{},", "{}]"),
    ("{\"items\":[", "1,", "1]}"),
  ])
  func `gives no images for a document of empty entries`(
    head: String,
    entry: String,
    tail: String
  ) throws {
    let parser = try Self.parser()
    let block = Array(String(repeating: entry, count: 2000).utf8)
    var count = 0

    do {
      count += try parser.push(Array(head.utf8)).imageCount
      for _ in 0..<30 { count += try parser.push(block).imageCount }
      count += try parser.push(Array(tail.utf8)).imageCount + parser.finish().entries.imageCount
    } catch {
      #expect(error == .notAFeed(looksLike: "JSON without a list of images"))
    }

    #expect(count == 0)
  }

  @Test func `hands on the images of a long document as it arrives`() throws {
    let parser = try Self.parser()
    let block = Array(String(repeating: Self.image, count: 400).utf8)
    _ = try parser.push(Array("<rss><channel>".utf8))

    var counts: [Int] = []
    for _ in 0..<50 { counts.append(try parser.push(block).imageCount) }
    let rest = try parser.finish().entries.imageCount

    // The parser never holds back more entries than one chunk contains.
    #expect(counts.reduce(rest, +) == 20_000)
    #expect(counts.allSatisfy { $0 <= 800 })
    #expect(rest <= 800)
  }

  private static func parser() throws -> any FeedParsing {
    let address = try #require(WebAddress("https://example.org/feed"))
    return FeedReader().parser(for: FeedSource(address: address))
  }
}

/// Damages every document in every way, with samples that are the same in every run.
///
/// Large documents get fewer samples, because the variety of documents matters more.
struct DamageTests {
  /// The documents that repeat a picture, which a part of them may not do often enough to leave it out.
  private static let repeating: Set = ["atom/typepad-pets.xml"]

  @Test(arguments: try documents())
  func `keeps what came before a cut`(_ name: String) throws {
    let bytes = try ReadDocument.bytes(of: name)
    guard let whole = outcome(of: bytes) else { return }
    var random = SeededGenerator(seed: 1)

    for _ in 0..<samples(for: bytes) {
      let length = Int.random(in: 0..<bytes.count, using: &random)
      guard let part = outcome(of: Array(bytes.prefix(length))) else { continue }
      let repeats = Self.repeating.contains(name)
      #expect(repeats || part.images.count <= whole.images.count, "cut at \(length)")
      #expect(!part.document.listsEverything, "cut at \(length)")
      // The last entry may have lost a part, and an entry without an id may have been a part of it.
      let last = part.entries.last?.id
      let complete = part.entries.reversed().drop { $0.id == last }.reversed()
        .flatMap(\.images).map(\.originalAddress.text)
        .filter { !repeats || whole.originals.contains($0) }
      #expect(whole.originals.starts(with: complete), "cut at \(length)")
    }
  }

  @Test(arguments: try documents())
  func `survives any byte that is wrong, however the bytes come`(_ name: String) throws {
    let bytes = try ReadDocument.bytes(of: name)
    var random = SeededGenerator(seed: 2)

    for _ in 0..<samples(for: bytes) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        damaged[place] = UInt8.random(in: 0...255, using: &random)
      }
      let chunk = Int.random(in: 1...3000, using: &random)
      let whole = outcome(of: damaged)
      #expect(outcome(of: damaged, chunk: chunk) == whole, "chunks of \(chunk)")
      #expect((whole?.images.count ?? 0) <= Self.bound(of: bytes))
    }
  }

  @Test(arguments: try documents())
  func `survives parts that are missing or come twice`(_ name: String) throws {
    let bytes = try ReadDocument.bytes(of: name)
    var random = SeededGenerator(seed: 3)

    for _ in 0..<samples(for: bytes) {
      let first = Int.random(in: 0..<bytes.count, using: &random)
      let second = Int.random(in: 0..<bytes.count, using: &random)
      let spliced = Array(bytes[..<first] + bytes[second...])
      #expect((outcome(of: spliced)?.images.count ?? 0) <= Self.bound(of: spliced))
    }
  }

  /// The result of reading; nil if reading fails, which is allowed.
  private func outcome(of bytes: [UInt8], chunk: Int = .max) -> ReadDocument? {
    do {
      return try ReadDocument(bytes, chunk: chunk)
    } catch is FeedError {
      return nil
    } catch {
      Issue.record("only a FeedError may be thrown: \(error)")
      return nil
    }
  }

  private func samples(for bytes: [UInt8]) -> Int { max(2, min(12, 30_000 / (bytes.count + 1))) }

  /// A bound of the images in a document: naming an image takes some bytes.
  ///
  /// A packed document is small for its content, so the bound is 64 at least.
  private static func bound(of bytes: [UInt8]) -> Int { max(64, bytes.count / 8) }

  private static func documents() throws -> [String] {
    let folder = Bundle.module.bundleURL.appending(path: "Documents")
    let files = FileManager.default.enumerator(atPath: folder.path)
    let names = files?.compactMap { $0 as? String } ?? []
    return names.filter { !$0.hasSuffix(".md") && $0.contains(".") }.sorted()
  }
}
