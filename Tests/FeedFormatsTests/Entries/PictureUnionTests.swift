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

  private static func description(_ html: String) -> String {
    "<description><![CDATA[\(html)]]></description>"
  }

  private static let thumbnail = "<media:thumbnail url='https://c.d/t/9' width='320'/>"
  private static let page = "<link>https://a.b/7</link>"

  @Test(arguments: [
    "<enclosure url='https://a.b/7/full.jpg' type='image/jpeg'/>" + thumbnail,
    "<media:content url='https://a.b/7/full.jpg' medium='image'/>" + thumbnail,
    "<media:content url='https://a.b/7/full.jpg' medium='image'>\(thumbnail)</media:content>",
    "<enclosure url='https://a.b/7/full.jpg' type='image/jpeg'/><media:content"
      + " url='https://a.b/7/full.jpg' medium='image' width='4000' height='3000'/>" + thumbnail,
  ])
  func `takes the thumbnail of the picture in front for no other picture`(front: String) throws {
    let link = "<a href='https://a.b/7'><img src='https://c.d/t/9' width='320'></a>"

    let alone = try ReadDocument.rss("<item>\(Self.page)\(front)\(Self.description(link))</item>")
    let more = Self.description(link + "<img src='https://c.d/g1.jpg'>")
    let others = try ReadDocument.rss("<item>\(Self.page)\(front)\(more)</item>")

    #expect(alone.originals == ["https://a.b/7/full.jpg"])
    #expect(alone.thumbnails == ["https://c.d/t/9"])
    #expect(alone.images.allSatisfy { $0.renditions.isEmpty })
    #expect(others.originals == ["https://a.b/7/full.jpg", "https://c.d/g1.jpg"])
  }

  @Test(arguments: [
    // No picture is in front.
    (thumbnail, "https://c.d/t/9", ["https://c.d/t/9"]),
    // The text has the picture in front, too, so the other one is not its small form.
    (
      "<enclosure url='https://c.d/g1.jpg'/>" + thumbnail, "https://c.d/t/9",
      ["https://c.d/t/9", "https://c.d/g1.jpg"]
    ),
    // Two are in front, and the thumbnail is of either.
    (
      "<enclosure url='https://a.b/1.jpg'/><enclosure url='https://a.b/2.jpg'/>" + thumbnail,
      "https://c.d/t/9", ["https://a.b/1.jpg", "https://a.b/2.jpg", "https://c.d/t/9"]
    ),
    // Another address.
    (
      "<enclosure url='https://a.b/1.jpg'/>" + thumbnail, "https://c.d/t/8",
      ["https://a.b/1.jpg", "https://c.d/t/8"]
    ),
  ])
  func `takes a thumbnail that may be another picture for one`(
    front: String,
    inText: String,
    originals: [String]
  ) throws {
    let more = front.contains("g1") ? "<img src='https://c.d/g1.jpg'>" : ""
    let text = Self.description("<a href='https://a.b/7'><img src='\(inText)'></a>" + more)

    let read = try ReadDocument.rss("<item>\(Self.page)\(front)\(text)</item>")

    #expect(read.originals == originals)
  }

  @Test(arguments: [
    ("<img src='https://c.d/t/9'>", 2),
    ("<a href='https://c.d/other'><img src='https://c.d/t/9'></a>", 2),
    ("<a href='https://a.b/7'><img src='https://c.d/t/9'></a>", 1),
  ])
  func `takes the entry's thumbnail in the text for a picture unless it leads to the page`(
    html: String,
    count: Int
  ) throws {
    let front = "<enclosure url='https://a.b/portrait.jpg' type='image/jpeg'/>" + Self.thumbnail
    let rss = try ReadDocument.rss("<item>\(Self.page)\(front)\(Self.description(html))</item>")
    let json = try ReadDocument(
      """
      {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "https://a.b/7",
      "image": "https://c.d/t/9", "content_html": "\(html)",
      "attachments": [{"url": "https://a.b/portrait.jpg", "mime_type": "image/jpeg"}]}]}
      """
    )

    let originals = ["https://a.b/portrait.jpg", "https://c.d/t/9"]
    #expect(rss.originals == Array(originals.prefix(count)))
    #expect(json.originals == Array(originals.prefix(count)))
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
    after repeated: [String] = [],
    _ item: (Int) -> String
  ) throws -> ReadDocument {
    try ReadDocument.rss(
      (1...entries).map { "<item><guid>\($0)</guid>\(item($0))</item>" }.joined(),
      repeated: repeated
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

  // MARK: From one document to the next

  @Test(arguments: [1, 2, 150])
  func `remembers what earlier documents repeated`(entries: Int) throws {
    let first = try feed(of: 3) { html("\($0).jpg", "banner.jpg") }
    let later = try feed(of: entries, after: first.document.repeated) {
      html("\($0).jpg", "banner.jpg")
    }

    #expect(first.document.repeated.count == 1)
    #expect(later.originals == (1...entries).map { "https://a.b/\($0).jpg" })
    #expect(later.document.repeated == first.document.repeated)
  }

  @Test func `finds what only later entries repeat for the next document`() throws {
    let item = { (number: Int) in
      number > 100 ? html("\(number).jpg", "banner.jpg") : html("\(number).jpg")
    }
    let first = try feed(of: 400, item)
    let next = try feed(of: 400, after: first.document.repeated, item)

    #expect(first.images.count == 700)
    #expect(next.images.count == 400)
    #expect(next.document.repeated == first.document.repeated)
  }

  @Test func `finds it in a sample of a long document`() throws {
    let long = try feed(of: 9_000) { html("\($0).jpg", $0 > 200 ? "banner.jpg" : "\($0)-2.jpg") }

    #expect(long.document.repeated.count == 1)
  }

  @Test func `forgets what no entry names any more, and what is no longer repeated stays hidden`()
    throws
  {
    let banner = try feed(of: 3) { html("\($0).jpg", "banner.jpg") }.document.repeated
    let without = try feed(of: 3, after: banner) { html("\($0).jpg") }
    let once = try feed(of: 9, after: banner) { html($0 == 5 ? "banner.jpg" : "\($0).jpg") }

    #expect(without.document.repeated == [])
    #expect(once.images.count == 8)
    #expect(once.document.repeated == banner)
  }

  @Test func `remembers nothing of a feed without other pictures`() throws {
    let webcam = try feed(of: 5) { _ in "<enclosure url='https://a.b/latest.jpg'/>" }
    let one = try feed(of: 1, after: webcam.document.repeated) { _ in
      "<enclosure url='https://a.b/latest.jpg'/>"
    }

    #expect(webcam.document.repeated == [])
    #expect(one.images.count == 1)
  }

  @Test func `keeps a banner hidden in a single new entry, even if the entry declares it`() throws {
    let item = { (name: String) in "<media:content url='https://a.b/\(name)' medium='image'/>" }
    let first = try feed(of: 3) { item("jo.jpg") + html("\($0).jpg") }
    let next = try feed(of: 1, after: first.document.repeated) { _ in item("jo.jpg") }

    #expect(next.images.isEmpty)
  }

  @Test func `remembers the thumbnails that entries share`() throws {
    let item = { (number: Int) in
      "<media:thumbnail url='https://a.b/logo.png'/>" + html("\(number).jpg")
    }
    let first = try feed(of: 3, item)
    let next = try feed(of: 2, after: first.document.repeated, item)

    #expect(first.document.repeated.count == 1)
    #expect(next.thumbnails == [nil, nil])
    #expect(next.document.repeated == first.document.repeated)
  }

  @Test func `remembers a limited number, the most frequent first`() throws {
    let read = try feed(of: 9) { number in
      "<content:encoded><![CDATA["
        + (1...99).map { "<img src='https://a.b/b\($0).jpg'>" }.joined()
        + (number < 9 ? "" : "<img src='https://a.b/\(number).jpg'>") + "]]></content:encoded>"
    }

    #expect(read.document.repeated.count == FeedDocument.mostRepeated)
  }

  @Test func `reports each hidden picture once, so that a stored one stays`() throws {
    let read = try feed(of: 120) { html("\($0).jpg", "banner.jpg") }
    let hidden = read.entries.flatMap(\.repeated).map(\.text)

    #expect(hidden == ["https://a.b/banner.jpg"])
  }

  // MARK: Other formats

  @Test func `leaves out the logo that the pages of a sitemap share`() throws {
    let sitemap = { (logo: Bool) in
      "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' "
        + "xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>"
        + (1...4).map { number in
          let names = logo ? ["logo.png", "\(number).jpg"] : ["\(number).jpg"]
          let images = names.map {
            "<image:image><image:loc>https://a.b/\($0)</image:loc></image:image>"
          }
          return "<url><loc>https://a.b/\(number)</loc>\(images.joined())</url>"
        }.joined() + "</urlset>"
    }

    #expect(try ReadDocument(sitemap(true)).originals == (1...4).map { "https://a.b/\($0).jpg" })
    #expect(try ReadDocument(sitemap(false)).images.count == 4)
    #expect(try ReadDocument(sitemap(true)).document.repeated.count == 1)
  }

  @Test func `leaves out the placeholder that entries of a list share`() throws {
    let list = { (count: Int) in
      let entries = (1...count).map { number in
        let name = number.isMultiple(of: 2) ? "no-image.png" : "\(number).jpg"
        return #"{"id": \#(number), "title": "T\#(number)", "image": "https://a.b/\#(name)"}"#
      }
      return "[\(entries.joined(separator: ","))]"
    }

    #expect(try ReadDocument(list(6)).originals == [1, 3, 5].map { "https://a.b/\($0).jpg" })
    #expect(try ReadDocument(list(4)).images.count == 4)
    #expect(try ReadDocument(list(200)).images.count == 100)
  }

  @Test func `keeps the one picture of all entries of a list`() throws {
    let entries = (1...5).map { #"{"id": \#($0), "image": "https://a.b/latest.jpg"}"# }
    let read = try ReadDocument("[\(entries.joined(separator: ","))]")

    #expect(read.images.count == 5)
    #expect(read.document.listsEverything)
  }
}

/// The choice of only the picture in front of an entry's text.
struct FrontImageTests {
  private static let text =
    "<description><![CDATA[<img src='https://c.d/1.jpg'><img src='https://c.d/2.jpg'>"
    + "]]></description>"

  @Test(arguments: [
    "<media:content url='https://c.d/front.jpg' medium='image'/>",
    "<enclosure url='https://c.d/front.jpg' type='image/jpeg' length='1'/>",
    "<image><url>https://c.d/front.jpg</url></image>",
  ])
  func `takes the picture in front alone`(front: String) throws {
    let read = try ReadDocument.rss("<item>\(front)\(Self.text)</item>", imageChoice: .front)

    #expect(read.originals == ["https://c.d/front.jpg"])
  }

  @Test func `takes the pictures of the text if there is none in front`() throws {
    let read = try ReadDocument.rss("<item>\(Self.text)</item>", imageChoice: .front)
    let poster = try ReadDocument.rss(
      "<item><media:thumbnail url='https://c.d/poster.jpg'/></item>",
      imageChoice: .front
    )

    #expect(read.originals == ["https://c.d/1.jpg", "https://c.d/2.jpg"])
    #expect(poster.originals == ["https://c.d/poster.jpg"])
  }

  @Test func `takes all pictures of the first place`() throws {
    let front =
      "<media:content url='https://c.d/a.jpg' medium='image'/>"
      + "<media:content url='https://c.d/b.jpg' medium='image'/>"
      + "<enclosure url='https://c.d/c.jpg' type='image/jpeg'/>"
    let read = try ReadDocument.rss("<item>\(front)\(Self.text)</item>", imageChoice: .front)

    #expect(read.originals == ["https://c.d/a.jpg", "https://c.d/b.jpg"])
  }

  @Test func `takes the next place if the first has only a banner`() throws {
    let items = (1...3).map { number in
      "<item><media:content url='https://c.d/jo.jpg' medium='image'/><enclosure "
        + "url='https://c.d/\(number).jpg' type='image/jpeg'/></item>"
    }
    let read = try ReadDocument.rss(items.joined(), imageChoice: .front)

    #expect(read.originals == (1...3).map { "https://c.d/\($0).jpg" })
  }

  @Test func `says that the pictures of the text are in a later place`() throws {
    let item = "<item><enclosure url='https://c.d/f.jpg' type='image/jpeg'/>\(Self.text)</item>"
    let read = try ReadDocument(
      Array("<rss><channel>\(item)</channel></rss>".utf8),
      isExplained: true,
      imageChoice: .front
    )

    let passed = read.entries.compactMap(\.explanation).flatMap(\.passed)
    #expect(passed.map(\.reason) == [.laterPlace, .laterPlace])
  }
}
