import Foundation
import Models
import Testing
import Workers

@testable import FeedFormats

struct XMLReaderTests {
  @Test func `reads the entries around a damaged one`() throws {
    let read = try ReadDocument.rss(
      """
      <item><title>One</title><enclosure url="https://a.b/1.jpg"/></item>
      <item><title>Two</title><description>a <br> b</description>
      <enclosure url="https://a.b/2.jpg"/></item>
      <item><title>Three</title><enclosure url="https://a.b/3.jpg"/></item>
      """
    )

    #expect(read.titles == ["One", "Two", "Three"])
    #expect(read.document.flaws != [])
  }

  @Test func `ends an entry whose end tag is missing where the next begins`() throws {
    let read = try ReadDocument.rss(
      """
      <item><title>One</title><enclosure url="https://a.b/1.jpg"/>
      <item><title>Two</title><enclosure url="https://a.b/2.jpg"/></item>
      """
    )

    #expect(read.titles == ["One", "Two"])
    #expect(read.document.flaws != [])
  }

  @Test func `keeps bare ampersands and knows HTML's names`() throws {
    let read = try ReadDocument.rss(
      """
      <item><title>R&D caf&eacute;</title><enclosure url="https://a.b/1.jpg?a=1&b=2"/></item>
      <item><title><![CDATA[a & b &amp; c]]></title><enclosure url="https://a.b/2.jpg"/></item>
      """
    )

    #expect(read.titles == ["R&D café", "a & b & c"])
    #expect(read.originals == ["https://a.b/1.jpg?a=1&b=2", "https://a.b/2.jpg"])
    #expect(read.document.flaws == [.bareAmpersand])
  }

  @Test func `reads undeclared prefixes`() throws {
    let read = try ReadDocument(
      "<rss><channel><item><media:content url='https://a.b/1.jpg'/></item></channel></rss>"
    )

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws == [.undeclaredPrefix])
    #expect(read.document.isLossless)
  }

  @Test func `reads the first of two attributes of one name, and says so once`() throws {
    let read = try ReadDocument(
      "<rss><channel><a b='1' b='2'/><item>"
        + "<enclosure url='https://a.b/1.jpg' url='https://a.b/2.jpg'/></item></channel></rss>"
    )

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws == [.malformedTag])
    #expect(!read.document.isLossless)
  }

  @Test func `warns of what follows the end`() throws {
    let item = "<item><enclosure url='https://a.b/1.jpg'/></item>"

    let read = try ReadDocument("<rss><channel>\(item)</channel></rss><p>Bye</p>")

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws == [.followed])
  }

  @Test func `reads an entry that stands in something else`() throws {
    let read = try ReadDocument.rss(
      """
      <image><url>https://a.b/0.jpg</url><items a="b"><item><title>One</title>
      <enclosure url="https://a.b/1.jpg"/></item><item><title>Two</title>
      <enclosure url="https://a.b/2.jpg"/></item></items></image><item><title>Three</title>
      <enclosure url="https://a.b/3.jpg"/></item>
      """
    )

    #expect(read.titles == ["One", "Two", "Three"])
    #expect(read.document.title == "Feed")
    #expect(read.document.flaws == [])
  }

  @Test(arguments: 0..<200)
  func `never meets markup that the parser refuses`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "<", ">", "</", "/>", "=", "\"", "'", "&", ";", " ", "\n", "]]>", "<![CDATA[", "<!--", "-->",
      "<?", "?>", "<?xml ", "<!DOCTYPE ", "[", "]", "a", "é", "\u{2028}", "\u{FFFF}", ":", "-", ".",
      "1",
      "a='b'", "a=b", "<item>", "</item>", "<a:b c:d='e'>", "</a:b>", "&amp;", "&#0;", "&#xD800;",
      "\0",
    ]
    let noise = (0..<400).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()

    let read = try ReadDocument(Array("<rss><channel>\(noise)".utf8), chunk: Int(seed % 50) + 1)

    #expect(!read.document.flaws.contains(.malformedMarkup), "\(noise)")
    #expect(!read.document.flaws.contains(.noMemory))
  }

  @Test func `fetches no entities and survives their multiplication`() throws {
    let read = try ReadDocument(
      """
      <!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
      <!ENTITY x SYSTEM "file:///etc/hostname">]><rss><channel><title>&b;&x;</title>
      <item><enclosure url="https://a.b/1.jpg"/></item></channel></rss>
      """
    )

    #expect(read.document.title == "&b;&x;")
    #expect(read.originals == ["https://a.b/1.jpg"])
  }

  @Test func `refuses elements nested without end`() {
    let deep = "<rss>" + String(repeating: "<channel>", count: 300)

    #expect(throws: FeedError.beyondLimit(of: "the nesting of elements", limit: 256)) {
      try ReadDocument(deep)
    }
  }

  @Test func `refuses an entry with pictures without end`() {
    let thumbnails = String(repeating: "<media:thumbnail url='https://a.b/t'/>", count: 5001)

    #expect(throws: FeedError.beyondLimit(of: "the pictures of one entry", limit: 5000)) {
      try ReadDocument.rss("<item>\(thumbnails)</item>")
    }
  }
}

struct XMLNamesTests {
  @Test func `knows each of very many names again, however they share places`() {
    let words = ["title", "link", "guid", "item", "description"]
    var names = XMLNames()

    for round in 0..<3 {
      for number in 0..<500 {
        let word = words[number % words.count]
        let spelling = number < words.count ? word : "p\(number):\(word)"
        let space: XMLNamespace = number < words.count ? .rss : .other

        let name = enter(spelling, in: &names)

        #expect(name == XMLName(space, XMLWord(localName: word)), "\(round)")
      }
    }
  }

  @Test func `tells names of one spelling apart by their prefix`() {
    var names = XMLNames()

    for _ in 0..<2 {
      let spaces = ["title", "media:title", "dc:title"].map { enter($0, in: &names).space }

      #expect(spaces == [.rss, .media, .dublinCore])
    }
    #expect(names.hasUndeclared)
  }

  @Test func `knows what is declared where`() {
    var names = XMLNames()
    let media = "http://search.yahoo.com/mrss/"
    let atom = "http://www.w3.org/2005/Atom"

    #expect(enter("a:b", ["xmlns:a": media], in: &names, depth: 0).space == .media)
    #expect(enter("a:b", ["xmlns:a": atom], in: &names, depth: 1).space == .atom)
    names.leave(depth: 1)
    #expect(enter("a:b", in: &names, depth: 1).space == .media)
    #expect(enter("entry", ["xmlns": atom], in: &names, depth: 1).space == .atom)
    #expect(enter("title", in: &names, depth: 2).space == .atom)
    names.leave(depth: 2)
    names.leave(depth: 1)
    #expect(enter("title", in: &names, depth: 1).space == .rss)
    #expect(!names.hasUndeclared)
    names.leave(depth: 0)
    _ = enter("a:b", in: &names, depth: 0)
    #expect(names.hasUndeclared)
  }

  @Test(arguments: [
    (["a:href": "b"], true), (["xml:base": "b"], false), (["href": "b"], false),
    (["xmlns:a": "b", "a:href": "c"], false), (["xmlns:a": "", "a:href": "c"], true),
  ])
  func `knows attributes whose prefix is not declared`(attributes: [String: String], is: Bool) {
    var names = XMLNames()

    _ = enter("link", attributes, in: &names)

    #expect(names.hasUndeclared == `is`)
  }

  @Test func `is full with more different names than a document may have`() {
    var names = XMLNames()
    let filler = String(repeating: "x", count: 100)
    for number in 0..<5000 { _ = enter("a\(filler)\(number)", in: &names) }
    for _ in 0..<20_000 { _ = enter("a", in: &names) }
    #expect(!names.isFull)

    for number in 5000..<20_000 { _ = enter("a\(filler)\(number)", in: &names) }

    #expect(names.isFull)
  }

  private func enter(
    _ name: String,
    _ attributes: [String: String] = [:],
    in names: inout XMLNames,
    depth: Int = 0
  ) -> XMLName {
    let words: [String] = attributes.flatMap { [$0.key, $0.value] }
    let texts = words.compactMap { strdup($0) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer<UInt8>?(bytes(of: $0)) } + [nil]
    guard let spelling = strdup(name) else { return .document }
    defer { free(spelling) }
    return pointers.withUnsafeBufferPointer { pointers in
      guard let start = pointers.baseAddress else { return .document }
      return names.enter(bytes(of: spelling), XMLAttributes(start), depth: depth).name
    }
  }

  private func bytes(of text: UnsafeMutablePointer<CChar>) -> UnsafePointer<UInt8> {
    UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
  }
}
