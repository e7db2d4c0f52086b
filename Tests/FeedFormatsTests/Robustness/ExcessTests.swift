import Models
import Testing
import Workers

@testable import FeedFormats

/// Documents with very many or very long values, which the parser must not keep in memory.
struct ExcessTests {
  @Test func `takes no attributes from a declaration`() throws {
    let read = try ReadDocument(
      """
      <!DOCTYPE rss [<!ATTLIST enclosure url CDATA "https://example.org/declared.jpg">]>
      <rss version="2.0"><channel><item><enclosure type="image/jpeg"/></item>
      <item><enclosure type="image/jpeg" url="own.jpg"/></item></channel></rss>
      """
    )

    #expect(read.originals == ["https://example.org/folder/own.jpg"])
  }

  @Test func `takes addresses and ids up to a length`() throws {
    let long = "https://a.b/" + String(repeating: "x", count: FormatLimits.address) + ".jpg"
    let id = String(repeating: "i", count: FormatLimits.id + 1)
    let xml = try ReadDocument.rss(
      """
      <item><guid>\(id)</guid><link>\(long)</link>
      <enclosure type="image/jpeg" url="\(long)"/><enclosure type="image/jpeg" url="a.jpg"/></item>
      """
    )
    let json = try ReadDocument(
      """
      {"version":"https://jsonfeed.org/version/1.1","title":"Feed","items":[{"id":"\(id)",
      "url":"\(long)","attachments":[{"url":"\(long)"},{"url":"a.jpg"}]}]}
      """
    )

    for read in [xml, json] {
      #expect(read.originals == ["https://example.org/folder/a.jpg"])
      #expect(read.entries.map(\.id) == [nil])
      #expect(read.images.map(\.pageAddress) == [nil])
    }
  }

  @Test(
    arguments: [
      #"<enclosure url="a.jpg"/>"#, "<image>a.jpg</image>",
      #"<a:link xmlns:a="http://www.w3.org/2005/Atom" rel="enclosure" href="a.jpg"/>"#,
      #"<p:thumbnail xmlns:p="http://www.apple.com/ilife/wallpapers">a</p:thumbnail>"#,
    ]
  )
  func `ends an entry of endless pictures`(element: String) throws {
    let elements = String(repeating: element, count: FormatLimits.picturesPerEntry + 2)

    #expect(throws: FeedError.beyondLimit(of: "the pictures of one entry", limit: 5000)) {
      try ReadDocument.rss("<item>\(elements)</item>")
    }
  }

  @Test func `ends an entry of endless links in Atom`() throws {
    let link = #"<link rel="enclosure" href="a.jpg"/>"#
    let links = String(repeating: link, count: FormatLimits.picturesPerEntry + 2)

    #expect(throws: FeedError.beyondLimit(of: "the pictures of one entry", limit: 5000)) {
      try ReadDocument.atom("<entry>\(links)</entry>")
    }
  }

  @Test func `takes so many attachments and no more`() throws {
    let attachments = (0...FormatLimits.picturesPerEntry).map { #"{"url":"\#($0).jpg"}"# }
    let read = try ReadDocument(
      """
      {"version":"https://jsonfeed.org/version/1.1","title":"Feed",
      "items":[{"id":"1","attachments":[\(attachments.joined(separator: ","))]}]}
      """
    )

    #expect(read.images.count == FormatLimits.picturesPerEntry)
  }

  @Test func `counts the sizes of pictures in HTML`() {
    let set = (1...50).map { "\($0).jpg \($0)w" }.joined(separator: ", ")
    let markup = Array(String(repeating: #"<img srcset="\#(set)">"#, count: 200).utf8)

    #expect(HTMLPictures.read(markup.span).images.count == FormatLimits.picturesPerEntry / 50)
  }

  @Test(
    arguments: [
      "<item><title>A</p></p></p></title><enclosure url='1.jpg'/></item>",
      "<item><title>A\u{0}</title><enclosure url='1.jpg'/></item>",
      "<item><title>A</title><enclosure title='\u{8}' url='1.jpg'/></item>",
      "<item><title>A\u{1B}&#0;&#8;</title></p></p></p><enclosure url='1.jpg'/></item>",
    ]
  )
  func `loses nothing after stray ends and control characters`(item: String) throws {
    let read = try ReadDocument.rss(item + "<item><enclosure url='2.jpg'/></item>")

    #expect(
      read.originals == [
        "https://example.org/folder/1.jpg", "https://example.org/folder/2.jpg",
      ]
    )
    #expect(read.titles.first??.hasPrefix("A") == true)
    #expect(read.document.title == "Feed")
  }

  @Test func `keeps so much of what comes before the first entry`() throws {
    let filler = String(repeating: "x", count: 600 << 10)
    let read = try ReadDocument(
      """
      {"a":"\(filler)","b":"\(filler)","title":"Feed","photos":[{"id":1,"url":"a.jpg"}]}
      """
    )

    #expect(read.document.title == "Feed")
    #expect(read.originals == ["https://example.org/folder/a.jpg"])
  }

  @Test(.timeLimit(.minutes(60)))
  func `looks at so many names that mean the same`() throws {
    let members = (0..<60_000).map { place in
      let name = String(place, radix: 2).replacing("0", with: "-").replacing("1", with: "_")
      return #""url\#(name)":"\#(place).jpg""#
    }
    let read = try ReadDocument("[{\(members.joined(separator: ","))}]")

    #expect(read.images.count == 1)
  }
}
