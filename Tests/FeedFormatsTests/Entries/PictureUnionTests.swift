import FeedFormats
import Models
import Testing
import Workers

/// An entry's images are the union of its sources, each picture once.
struct PictureUnionTests {
  private static let text =
    "<content:encoded><![CDATA["
    + (1...5).map { "<img src='https://c.d/g\($0).jpg' width='1200' height='800'>" }.joined()
    + "]]></content:encoded>"
  private static let inText = (1...5).map { "https://c.d/g\($0).jpg" }

  @Test(arguments: [
    "<media:content url='https://c.d/front.jpg' medium='image'/>",
    "<enclosure url='https://c.d/front.jpg' type='image/jpeg' length='1'/>",
    "<image><url>https://c.d/front.jpg</url></image>",
  ])
  func `puts the picture in front before those of the text`(front: String) throws {
    let read = try ReadDocument.rss("<item>\(front)\(Self.text)</item>")

    #expect(read.originals == ["https://c.d/front.jpg"] + Self.inText)
  }

  @Test(arguments: [
    "g1.jpg", "g1-1024x683.jpg", "g1.jpg?w=600", "g1.webp", "g1.jpg?token=abc&expires=5",
  ])
  func `takes the picture in front once if it is in the text, too`(name: String) throws {
    let front = "<media:content url='https://c.d/\(name)' medium='image'/>"

    let read = try ReadDocument.rss("<item>\(front)\(Self.text)</item>")

    #expect(read.images.count == 5)
    #expect(read.originals.dropFirst() == Self.inText.dropFirst())
    #expect(read.originals.first?.contains("/g1") == true)
  }

  @Test func `lets the text's order count if it contains the picture in front`() throws {
    let front =
      "<media:content url='https://c.d/g3.jpg' medium='image'><media:title>Cover"
      + "</media:title></media:content>"

    let read = try ReadDocument.rss("<item>\(front)\(Self.text)</item>")

    #expect(read.originals == Self.inText)
    #expect(read.titles[2] == "Cover")
  }

  @Test func `takes the largest rendition for the original, whatever its place`() throws {
    let small = try ReadDocument.rss(
      """
      <item><media:content url="https://a.b/c-300x200.jpg" medium="image"/><description>
      &lt;img src="https://a.b/c.jpg"></description></item>
      """
    )
    let large = try ReadDocument.rss(
      """
      <item><media:content url="https://a.b/c.jpg" medium="image" width="4000" height="3000"/>
      <description>&lt;img src="https://a.b/c-300x200.jpg" width="300"></description></item>
      """
    )

    #expect(small.originals == ["https://a.b/c.jpg"])
    #expect(small.thumbnails == ["https://a.b/c-300x200.jpg"])
    #expect(large.originals == ["https://a.b/c.jpg"])
    #expect(large.images.first?.width == 4000)
    #expect(large.thumbnails == ["https://a.b/c-300x200.jpg"])
  }

  @Test func `keeps pictures apart whose addresses differ in another member of the query`() throws {
    let read = try ReadDocument.rss(
      """
      <item><enclosure url="https://a.b/photo.php?id=1" type="image/jpeg"/><description>
      &lt;img src="https://a.b/photo.php?id=2">&lt;img src="https://a.b/photo.php?id=1&amp;amp;w=99">
      </description></item>
      """
    )

    #expect(read.originals == ["https://a.b/photo.php?id=2", "https://a.b/photo.php?id=1"])
  }

  @Test func `unites the sources of Atom and of JSON Feed`() throws {
    let atom = try ReadDocument.atom(
      """
      <entry><link rel="enclosure" type="image/jpeg" href="https://a.b/1.jpg"/>
      <content type="html">&lt;img src="https://a.b/2.jpg"></content></entry>
      """
    )
    let json = try ReadDocument(
      """
      {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1",
      "image": "https://a.b/1.jpg", "content_html": "<img src='https://a.b/2.jpg'>"}]}
      """
    )

    #expect(atom.originals == ["https://a.b/1.jpg", "https://a.b/2.jpg"])
    #expect(json.originals == ["https://a.b/1.jpg", "https://a.b/2.jpg"])
  }

  @Test func `gives the entry's thumbnail to the picture in front`() throws {
    let front = "<enclosure url='https://c.d/front.jpg'/><media:thumbnail url='https://c.d/t.png'/>"

    let read = try ReadDocument.rss("<item>\(front)\(Self.text)</item>")

    #expect(read.thumbnails.first == "https://c.d/t.png")
    #expect(read.thumbnails.dropFirst().allSatisfy { $0 == nil })
  }
}

/// Pictures that many entries of a document repeat are none of theirs.
struct RepeatedPicturesTests {
  private func feed(
    of entries: Int,
    _ item: (Int) -> String
  ) throws -> ReadDocument {
    try ReadDocument.rss(
      (1...entries).map { "<item><guid>\($0)</guid>\(item($0))</item>" }.joined()
    )
  }

  private func html(_ pictures: String...) -> String {
    let tags = pictures.map { "<img src='https://a.b/\($0)'>" }.joined()
    return "<description><![CDATA[\(tags)]]></description>"
  }

  @Test(arguments: [(2, 4), (3, 3), (12, 12), (150, 150)])
  func `leaves out a banner that the entries repeat`(entries: Int, images: Int) throws {
    let read = try feed(of: entries) { html("\($0).jpg", "banner.jpg") }

    #expect(read.images.count == images)
    #expect(read.entries.count == entries)
  }

  @Test func `keeps a picture in less than a third of the entries`() throws {
    let read = try feed(of: 12) { html($0 <= 3 ? "same.jpg" : "\($0).jpg") }
    let often = try feed(of: 12) { html($0 <= 4 ? "same.jpg" : "\($0).jpg") }

    #expect(read.images.count == 12)
    #expect(often.images.count == 8)
  }

  @Test func `leaves out the portrait of an author in front of the text`() throws {
    let read = try feed(of: 4) {
      "<media:content url='https://a.b/jo.jpg' medium='image'/>" + html("\($0).jpg")
    }

    #expect(read.originals == (1...4).map { "https://a.b/\($0).jpg" })
    #expect(read.document.format == .mediaRSS)
  }

  @Test func `keeps the one picture that all entries declare`() throws {
    let webcam = try feed(of: 5) { _ in "<enclosure url='https://a.b/latest.jpg'/>" }
    let podcast = try feed(of: 5) { _ in "<itunes:image href='https://a.b/cover.jpg'/>" }
    let banner = try feed(of: 5) { _ in html("banner.jpg") }

    #expect(webcam.images.count == 5)
    #expect(podcast.images.count == 5)
    #expect(banner.images.count == 0)
  }

  @Test func `keeps two addresses apart that only sign alike`() throws {
    let read = try feed(of: 5) { html("image?token=\($0)") }

    #expect(read.images.count == 5)
  }

  @Test func `loads what a script would where several entries have one stand-in`() throws {
    let read = try feed(of: 2) { number in
      "<description><![CDATA[<img src='https://a.b/theme/x.png' data-any='https://a.b/\(number).jpg'>"
        + "]]></description>"
    }

    #expect(read.originals == ["https://a.b/1.jpg", "https://a.b/2.jpg"])
  }

  @Test func `returns the entries that it holds back when the document breaks off`() throws {
    let address = try #require(WebAddress("https://a.b/feed"))
    for text in [
      "<rss><channel><item><enclosure url='https://a.b/1.jpg'/></item><item>",
      "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link rel='enclosure' type='image/png' "
        + "href='https://a.b/1.jpg'/></entry><entry>",
      #"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": 1, "image": "1.jpg"}, "#
        + String(repeating: " ", count: 300_000),
    ] {
      let parser = FeedReader().parser(for: FeedSource(address: address))
      let padded = text.hasPrefix("{") ? text : text + String(repeating: " ", count: 5_000)

      #expect(try parser.push(Array(padded.utf8)).isEmpty)
      #expect(parser.breakOff().imageCount == 1)
    }
  }

  @Test func `says which addresses the document repeats`() throws {
    let address = try #require(WebAddress("https://a.b/feed"))
    let items = (1...3).map { "<item>\(html("\($0).jpg", "banner.jpg"))</item>" }.joined()
    let source = FeedSource(address: address, isExplained: true)
    let parser = FeedReader().parser(for: source)

    let entries =
      try parser.push(Array("<rss><channel>\(items)</channel></rss>".utf8))
      + parser.finish().entries

    #expect(
      entries.compactMap(\.explanation).flatMap(\.passed).map(\.reason)
        == Array(repeating: .repeated, count: 3)
    )
  }
}
