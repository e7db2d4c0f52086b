import Testing
import Workers

@testable import FeedFormats

/// Markup that never ends, and more names than a document may have; the parser loses only the excess.
struct LongMarkupTests {
  private static let image = "<item><enclosure url='https://a.b/1.jpg'/></item>"
  private static let filler = String(repeating: "x", count: 10_500_000)

  @Test(arguments: [
    ("<!--", "-->", [DocumentFlaw]()), ("<?x ", "?>", []),
    ("<item><b><![CDATA[", "]]></b></item>", [.longText(limit: 65_536)]),
  ])
  func `reads what follows a piece without end`(_ piece: (String, String, [DocumentFlaw])) throws {
    let read = try ReadDocument.rss("\(piece.0)\(Self.filler)\(piece.1)\(Self.image)")

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws == piece.2)
  }

  @Test func `reads what follows a comment and a declaration before the root`() throws {
    let read = try ReadDocument(
      "<!--\(Self.filler)--><!DOCTYPE rss [<!--\(Self.filler)-->]><rss><channel>\(Self.image)"
        + "</channel></rss>"
    )

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws == [])
  }

  @Test(arguments: ["é", "月", "]", "]]", "-", "]é"], [1000, .max])
  func `keeps the characters of a section that is cut`(text: String, chunk: Int) throws {
    let count = FormatLimits.elementText * 2 / text.utf8.count + 7
    let body = String(repeating: text, count: count)
    let markup = Array("<rss><channel><title><![CDATA[A\(body)]]></title>\(Self.image)".utf8)

    let read = try ReadDocument(markup, chunk: chunk)

    #expect(read.document.title?.first == "A")
    #expect(read.document.title?.contains("\u{FFFD}") == false)
    #expect(read.document.title?.contains("CDATA") == false)
    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(
      read.document.flaws == [.longText(limit: 65_536), .cutOff]
    )
  }

  @Test func `leaves the end of a long comment out, whatever is in it`() throws {
    let comment = String(repeating: "月é", count: FormatLimits.elementText)

    let read = try ReadDocument.rss("<!--\(comment)-->\(Self.image)")

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws == [])
  }

  @Test(arguments: ["/>", " />", "></x>"])
  func `closes an element of too many attributes where it ends`(end: String) throws {
    let many = (0..<1000).map { "a\($0)='x'" }.joined(separator: " ")

    let read = try ReadDocument.rss("<item><x \(many)\(end)<enclosure url='1.jpg'/></item>")

    #expect(read.originals == ["https://example.org/folder/1.jpg"])
    #expect(read.document.flaws == [.excessiveAttribute])
  }

  @Test func `cuts the name of an attribute`() throws {
    let name = String(repeating: "n", count: 100_000)

    let read = try ReadDocument.rss("<item><enclosure \(name)='x' url='1.jpg'/></item>")

    #expect(read.originals == ["https://example.org/folder/1.jpg"])
    #expect(read.document.flaws == [.excessiveAttribute])
  }

  @Test(arguments: ["<n# />", "<n a#=''/>", "<n xmlns:a#='b'/>"])
  func `refuses names without end`(element: String) {
    let filler = String(repeating: "x", count: 100)
    let elements = (0..<16_000).map { element.replacing("#", with: "name\(filler)\($0)") }

    #expect(
      throws: FeedError.beyondLimit(of: "the bytes of different names", limit: FormatLimits.names)
    ) {
      try ReadDocument.rss("<item>\(elements.joined())</item>")
    }
  }

  @Test func `bears namespaces of any number of addresses`() throws {
    let filler = String(repeating: "x", count: 100)
    let elements = (0..<16_000).map { "<n xmlns:a='\(filler)\($0)'/>" }.joined()

    let read = try ReadDocument.rss("<item>\(elements)<enclosure url='1.jpg'/></item>")

    #expect(read.originals == ["https://example.org/folder/1.jpg"])
    #expect(read.document.flaws == [])
  }

  @Test(arguments: [0, 1000, FormatLimits.opening - 1, FormatLimits.opening, 100_000])
  func `says how much white space it looks at`(count: Int) throws {
    let isLong = count >= FormatLimits.opening
    let kind = isLong ? "white space in its first 4096 bytes" : "an empty document"

    #expect(throws: FeedError.notAFeed(looksLike: kind)) {
      try ReadDocument(String(repeating: " ", count: count))
    }
  }

  @Test func `says how many feeds of a list it takes`() throws {
    let outlines = (0...FormatLimits.listedAddresses).map { "<outline xmlUrl='\($0).xml'/>" }

    let read = try ReadDocument("<opml><body>\(outlines.joined())</body></opml>")

    #expect(read.document.flaws == [.excessiveFeeds])
  }

  @Test func `takes no more of a list than its addresses have room`() throws {
    let long = String(repeating: "x", count: 8_000)
    let outlines = (0..<600).map { "<outline xmlUrl='http://a.b/\($0)/\(long)'/>" }

    let read = try ReadDocument("<opml><body>\(outlines.joined())</body></opml>")

    guard case .feeds(let feeds) = read.document.continuation else {
      Issue.record("no feeds")
      return
    }
    #expect(feeds.count == FormatLimits.listedAddressBytes / (long.count + 15))
    #expect(read.document.flaws == [.excessiveFeeds])
  }
}
