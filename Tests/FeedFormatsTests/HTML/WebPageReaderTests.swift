import Models
import Testing
import Workers

struct WebPageReaderTests {
  @Test func `takes the feeds that a page names, and its own record only where there is none`()
    throws
  {
    let read = try ReadDocument(
      """
      <!DOCTYPE html><html><head><title>A</title>
      <link rel="stylesheet" href="a.css"><link rel="icon" href="i.png">
      <link rel="alternate" type="application/json" href="/wp-json/1">
      <link rel="alternate" type="application/rss+xml; charset=utf-8" href="feed.xml">
      <LINK TYPE='application/atom+xml' HREF='https://c.d/atom?a=1&amp;b=2' REL='home Alternate'/>
      <link rel="alternate" type="application/feed+json" href="/feed.json">
      <link rel="alternate" type="application/rss+xml" href="./feed.xml">
      <link rel="alternate" type="text/html" hreflang="de" href="/de">
      <!-- <link rel="alternate" type="application/rss+xml" href="old.xml"> -->
      <script>'<link rel="alternate" type="application/rss+xml" href="script.xml">'</script>
      </head><body><img src="1.jpg"></body></html>
      """,
      address: "https://a.b/blog/"
    )

    #expect(read.document.format == .html)
    #expect(read.images == [])
    #expect(read.document.continuation == .choice(read.document.offers))
    #expect(
      read.document.offers.map(\.text) == [
        "https://a.b/blog/feed.xml", "https://c.d/atom?a=1&b=2", "https://a.b/feed.json",
      ]
    )
  }

  @Test(arguments: [
    "<html><head><base href='/c/'><link rel=alternate type=application/rss+xml href=f></head>",
    "<?xml version='1.0'?><!-- a > b --><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0'>"
      + "<html><base href='/c/'/><link rel='feed' type='application/atom+xml' href='f'/></html>",
    "\u{FEFF}\n<HTML><BODY><base href=/c/><link rel='alternate' type='application/rss+xml' href='f'>",
  ])
  func `resolves a feed's address against the page's base`(page: String) throws {
    let read = try ReadDocument(page, address: "https://a.b/page")

    #expect(read.document.continuation == .feeds([try #require(WebAddress("https://a.b/c/f"))]))
  }

  @Test(arguments: [
    "<!DOCTYPE html><html><head></head><body><a href='feed.xml'>RSS</a></body></html>",
    "<html><link rel='alternate' type='application/rss+xml' href='file:///etc/passwd'></html>",
    "<html><link rel='alternate' type='application/rss+xml'></html>",
    "<html><link rel='alternate stylesheet' type='application/rss+xml' href='f'></html>",
  ])
  func `says that a page without a feed is a page`(page: String) {
    #expect(throws: FeedError.notAFeed(looksLike: "an HTML page")) { try ReadDocument(page) }
  }

  @Test func `reads a page as a feed of its own pictures`() throws {
    let page = """
      <!DOCTYPE html><html><head><title> Birds &amp; <b>bees</b> </title><base href="/pictures/">
      <link rel="alternate" type="application/rss+xml" href="feed.xml"></head><body>
      <img src="wren.jpg"><a href="robin.jpg"><img src="robin-small.jpg"></a>
      <img src="pixel.gif" width="1" height="1"><picture><source srcset="owl-2000.jpg 2000w">
      <img src="owl.jpg"></picture><img src="wren.jpg"></body></html>
      """

    let read = try ReadDocument(Array(page.utf8), address: "https://a.b/birds", isOfPage: true)

    #expect(
      read.originals
        == ["wren.jpg", "robin.jpg", "owl-2000.jpg"].map { "https://a.b/pictures/\($0)" }
    )
    #expect(read.thumbnails[1] == "https://a.b/pictures/robin-small.jpg")
    #expect(Set(read.titles) == ["Birds & bees"])
    #expect(read.document.title == "Birds & bees")
    #expect(read.document.format == .html && read.document.continuation == .none)
    #expect(read.images.allSatisfy { $0.pageAddress?.text == "https://a.b/birds" })
  }

  @Test(arguments: [
    """
    <html><head><title>Index of /photos</title></head><body><h1>Index of /photos</h1><table>
    <tr><td><img src="/icons/blank.gif" alt="[ICO]"></td><td><a href="?C=N;O=D">Name</a></td></tr>
    <tr><td><img src="/icons/back.gif" width="200" height="200"></td><td><a href="/">Parent</a></td></tr>
    <tr><td><a href="sea%20gull.jpg"><img src="/icons/image2.gif" alt="[IMG]"></a></td>
    <td><a href="sea%20gull.jpg">sea gull.jpg</a></td></tr>
    <tr><td><a href="owl.PNG">owl.PNG</a></td></tr><tr><td><a href="notes.txt">notes.txt</a></td></tr>
    """,
    """
    <html><head><title>photos</title></head><body><pre><a href="../">../</a>
    <a href="sea%20gull.jpg">sea gull.jpg</a> 01-Nov-2026 10:00 12345
    <a href="/photos/owl.PNG">owl.PNG</a><a href="more/">more/</a></pre></body></html>
    """,
  ])
  func `reads the list of a folder's files as a feed of the pictures to which it links`(
    page: String
  ) throws {
    let read = try ReadDocument(Array(page.utf8), address: "https://a.b/photos/", isOfPage: true)

    let addresses = ["https://a.b/photos/sea%20gull.jpg", "https://a.b/photos/owl.PNG"]
    #expect(read.originals == addresses)
    #expect(read.titles == ["sea gull", "owl"])
    #expect(read.entries.map(\.id) == addresses)
    #expect(read.document.flaws == [] && read.document.format == .html)
  }

  @Test func `finds no image in the list of a folder without pictures`() throws {
    let page = "<html><title>Index of /a</title><img src='/icons/folder.gif'><a href='b/'>b</a>"

    #expect(try ReadDocument(Array(page.utf8), isOfPage: true).images == [])
  }

  @Test func `reads no links of a page with pictures of its own`() throws {
    let page = "<html><title>Birds</title><img src='wren.jpg'><a href='owl.jpg'>an owl</a>"

    let read = try ReadDocument(Array(page.utf8), isOfPage: true)

    #expect(read.originals == ["https://example.org/folder/wren.jpg"])
  }

  @Test func `says that a list of a folder's files is too long`() throws {
    let links = (1...5001).map { "<a href='\($0).jpg'>\($0)</a>" }.joined()

    let page = "<html><title>Index of /</title>\(links)"
    let read = try ReadDocument(Array(page.utf8), isOfPage: true)

    #expect(read.images.count == 5000)
    #expect(read.document.flaws == [.excessiveFiles(limit: 5000)])
    #expect(!read.document.listsEverything)
  }

  @Test func `a page without pictures is a feed without images`() throws {
    let read = try ReadDocument(Array("<html><p>Hello".utf8), isOfPage: true)

    #expect(read.images == [] && read.document.format == .html)
  }

  @Test func `reads the same from chunks of any size`() throws {
    let link = "<link rel='alternate' type='application/rss+xml' href='f'>"
    let page = "<!--" + String(repeating: "-", count: 3000) + "--><html>" + link
    let bytes = Array(page.utf8) + [UInt8](repeating: 0x20, count: 3 << 20)

    let whole = try ReadDocument(bytes)

    for chunk in [1 << 10, 4095, 4097] { #expect(try ReadDocument(bytes, chunk: chunk) == whole) }
    #expect(whole.document.format == .html)
  }
}
