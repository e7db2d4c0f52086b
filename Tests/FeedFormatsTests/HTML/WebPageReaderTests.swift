import Models
import Testing
import Workers

struct WebPageReaderTests {
  @Test func `takes the first feed that a page names, and its own record only where there is none`()
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
    #expect(
      read.document.continuation == .feeds([try #require(WebAddress("https://a.b/blog/feed.xml"))])
    )
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

  @Test func `reads the same from chunks of any size`() throws {
    let link = "<link rel='alternate' type='application/rss+xml' href='f'>"
    let page = "<!--" + String(repeating: "-", count: 3000) + "--><html>" + link
    let bytes = Array(page.utf8) + [UInt8](repeating: 0x20, count: 3 << 20)

    let whole = try ReadDocument(bytes)

    for chunk in [1 << 10, 4095, 4097] { #expect(try ReadDocument(bytes, chunk: chunk) == whole) }
    #expect(whole.document.format == .html)
  }
}
