import Testing
import Workers

struct DocumentStartTests {
  private static let feed = "<rss><channel><title>A</title></channel></rss>"

  @Test(arguments: [
    "<br />\n<b>Warning</b>: oops in <b>x.php</b> on line <b>3</b><br />\n<?xml version='1.0'?>",
    "<br />\n<b>Notice</b>: oops<br />\n",
    "Notice: oops in x.php\n<?xml version=\"1.0\"?>",
    "Notice: oops in x.php\n",
    "<!-- cached --><?xml version='1.0' encoding='utf-8'?>",
  ])
  func `finds the feed behind what programs print before it`(noise: String) throws {
    let read = try ReadDocument(noise + Self.feed)

    #expect(read.document.title == "A")
    #expect(read.document.flaws == [.preceded])
  }

  @Test(arguments: ["", " \n", "\u{FEFF}", "\u{FEFF}\u{FEFF} ", " \u{FEFF}", "<!-- <rss> -->"])
  func `passes over what may stand there without a word`(lead: String) throws {
    let read = try ReadDocument(lead + Self.feed)

    #expect(read.document.title == "A")
    #expect(read.document.flaws == [])
  }

  @Test func `leaves a page that only speaks of feeds`() {
    #expect(throws: FeedError.notAFeed(looksLike: "an HTML page")) {
      try ReadDocument("<html><body><p>Write &lt;rss&gt; <rss> there</body></html>")
    }
    #expect(throws: FeedError.notAFeed(looksLike: "plain text")) {
      try ReadDocument("Good morning, <b>all</b> of you")
    }
  }

  @Test func `reads the first of two documents in one`() throws {
    let item = "<item><enclosure url='https://a.b/1.jpg'/></item>"
    let feed = "<rss><channel>\(item)</channel></rss>\n"

    let read = try ReadDocument(feed + "<?xml version='1.0'?>" + feed)
    let list = try ReadDocument("[\"https://a.b/1.png\"]\n[\"https://a.b/2.png\"]")

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws.contains(.followed))
    #expect(list.originals == ["https://a.b/1.png"])
    #expect(list.document.flaws == [.followed])
    #expect(!list.document.listsEverything)
  }

  @Test func `reads past control characters and stray bytes, and says so`() throws {
    let bytes =
      Array("<rss><channel><title>A\u{B}B\u{0}C ü caf".utf8) + [0xE9]
      + Array("</title></channel></rss>".utf8)

    let read = try ReadDocument(bytes)

    #expect(read.document.title == "A B C ü café")
    #expect(read.document.flaws == [.badUTF8, .controlCharacters])
  }

  @Test func `does not say of a list in doubt that it is everything`() throws {
    let bytes =
      Array("[{\"title\":\"caf".utf8) + [0xE9, 0x22]
      + Array(",\"url\":\"https://a.b/1.png\"}]".utf8)

    let read = try ReadDocument(bytes)

    #expect(read.titles == ["café"])
    #expect(!read.document.listsEverything)
  }
}
