import Models
import Testing
import Workers

struct OPMLFormatTests {
  @Test func `lists feeds in order, once, from any depth`() throws {
    let read = try opml(
      """
      <outline text="Folder"><outline text="Inner"><outline xmlUrl="https://a.b/1"/></outline>
      <outline XMLURL=" http://a.b/2 "/></outline><outline xmlurl="https://A.b/1"/>
      <outline xmlUrl="ftp://a.b/3"/><outline xmlUrl="javascript:alert(1)"/><outline xmlUrl=""/>
      <outline type="link" url="https://a.b/page"/><outline xmlUrl="/4?a=1&amp;b=2"/>
      """
    )

    let feeds = ["https://a.b/1", "http://a.b/2", "https://example.org/4?a=1&b=2"]
    #expect(read.document.continuation == .feeds(try feeds.map { try #require(WebAddress($0)) }))
    #expect(read.document.format == .opml)
    #expect(read.document.title == "My feeds")
    #expect(read.document.flaws == [.feedsLeftOut(2, first: "ftp://a.b/3")])
    #expect(read.document.isLossless)
    #expect(!read.document.listsEverything)
    #expect(read.images.isEmpty)
  }

  @Test(arguments: [("https://a.b/list", 1), ("file:///home/list.opml", 3)])
  func `lists files only when it is one`(address: String, count: Int) throws {
    let list = """
      <opml><body><outline xmlUrl="file:///home/feed.json"/><outline xmlUrl="https://c.d/1"/>
      <outline xmlUrl="data:text/plain,x"/><outline xmlUrl="FILE:///home/b.json"/></body></opml>
      """

    let read = try ReadDocument(list, address: address)

    guard case .feeds(let feeds) = read.document.continuation else {
      Issue.record("no feeds were listed")
      return
    }
    #expect(feeds.count == count)
    let files = ["file:///home/feed.json", "FILE:///home/b.json"].compactMap(WebAddress.init)
    let isTold = read.document.flaws.contains(.filesLeftOut(2, first: files))
    #expect(isTold == (count == 1))
  }

  @Test func `a list from a pipe lists files and folders`() throws {
    let list = "<opml><body><outline xmlUrl='file:///home/ann/Pictures/'/></body></opml>"

    let read = try ReadDocument(list, address: "stdin:")

    let folder = try #require(WebAddress("file:///home/ann/Pictures/"))
    #expect(read.document.continuation == .feeds([folder]))
    #expect(read.document.flaws == [])
  }

  @Test func `names the first of the files that a list of the web must not name`() throws {
    let files = (1...5).map { "<outline xmlUrl='file:///home/\($0)/'/>" }.joined()

    let read = try opml("\(files)<outline xmlUrl='ftp://a.b/3'/><outline xmlUrl='/4'/>")

    let first = try (1...3).map { try #require(WebAddress("file:///home/\($0)/")) }
    #expect(
      read.document.flaws == [
        .feedsLeftOut(1, first: "ftp://a.b/3"), .filesLeftOut(5, first: first),
      ]
    )
    #expect(read.document.isLossless)
    #expect(throws: FeedError.notAFeed(looksLike: "a list of files, which the web may not name")) {
      try opml(files)
    }
  }

  @Test(arguments: ["feed://a.b/1", "feed:http://a.b/1", " FEED://a.b/1 ", "pcast://a.b/1"])
  func `follows the feed of a subscription address`(address: String) throws {
    let read = try opml("<outline xmlUrl='\(address)'/>")

    #expect(read.document.continuation == .feeds([try #require(WebAddress("http://a.b/1"))]))
    #expect(read.document.flaws == [])
  }

  @Test func `keeps the feeds before the place where a list is cut off`() throws {
    let text = "<opml><body><outline xmlUrl='https://a.b/1'/><outline text='Sea"

    let read = try ReadDocument(text)

    #expect(read.document.continuation == .feeds([try #require(WebAddress("https://a.b/1"))]))
    #expect(!read.document.flaws.isEmpty)
  }

  @Test func `says what is wrong with a list without feeds`() {
    #expect(throws: FeedError.notAFeed(looksLike: "an OPML list without feeds")) {
      try opml("<outline text='Empty'/>")
    }
  }

  private func opml(_ outlines: String) throws -> ReadDocument {
    try ReadDocument(
      """
      <?xml version="1.0"?><opml version="2.0"><head><title>My feeds</title></head>
      <body>\(outlines)</body></opml>
      """
    )
  }
}
