import Models
import Testing
import Workers

@testable import FeedFormats

struct HTMLPicturesTests {
  @Test func `takes every picture of the article, in order and once`() throws {
    let read = try html("<p><img src='1.jpg'></p><IMG SRC=2.jpg><img src=\"1.jpg\"/>")

    #expect(read.originals == ["https://a.b/1.jpg", "https://a.b/2.jpg"])
    #expect(read.thumbnails == [nil, nil])
    #expect(read.entries.map(\.images.count) == [2])
  }

  @Test func `takes the article before what sums it up, and that before a thumbnail`() throws {
    let encoded = "<content:encoded><![CDATA[<img src='/1.jpg'>]]></content:encoded>"
    let description = "<description>&lt;img src='/2.jpg'></description>"
    let thumbnail = "<media:thumbnail url='https://a.b/3.jpg'/>"

    let all = try ReadDocument.rss("<item>\(thumbnail)\(description)\(encoded)</item>")
    let less = try ReadDocument.rss(
      "<item>\(thumbnail)\(description)<content:encoded>x</content:encoded></item>"
    )
    let least = try ReadDocument.rss("<item><description>x</description>\(thumbnail)</item>")

    #expect(all.originals == ["https://example.org/1.jpg"])
    #expect(all.thumbnails == ["https://a.b/3.jpg"])
    #expect(less.originals == ["https://example.org/2.jpg"])
    #expect(least.originals == ["https://a.b/3.jpg"])
  }

  @Test func `mends the space in a base as that in other addresses`() throws {
    let image = try html("<img xml:base='https://c.d/e f/' src='1.jpg'>")
    let link = try html("<a xml:base='https://c.d/e f/' href='2.jpg'><img src='1.jpg'></a>")

    #expect(image.originals == ["https://c.d/e%20f/1.jpg"])
    #expect(link.originals == ["https://c.d/e%20f/2.jpg"])
  }

  @Test(arguments: [
    "<a href='big.jpg'><img src='small.jpg' width='100'></a>",
    "<a class=x href=big.jpg ><span><img src='small.jpg'></span></a>",
    "<a href='other.html'>x</a><a href='big.jpg'><img src='small.jpg'></a><img src='i.gif' width=9>",
    "<img src='small.jpg'><a href='post.html'>p</a> <a href='big.jpg'>[link]</a>",
  ])
  func `takes what a link leads to for the original`(markup: String) throws {
    let read = try html(markup)

    #expect(read.originals == ["https://a.b/big.jpg"])
    #expect(read.thumbnails == ["https://a.b/small.jpg"])
  }

  @Test(arguments: [
    "<a href='page.html'><img src='1.jpg'></a>",
    "<a href='/wiki/File:Big.jpg'><img src='1.jpg'></a>",
    "<a href='http://2.bp.blogspot.com/s1600-h/big.jpg'><img src='1.jpg'></a>",
    "<a href='https://github.com/a/b/blob/main/big.png'><img src='1.jpg'></a>",
    "<a href='big.jpg'>text</a><img src='1.jpg'>",
    "<a href='1.jpg'><img src='1.jpg'></a>",
  ])
  func `takes the picture itself where a link leads to a page`(markup: String) throws {
    let read = try html(markup)

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.thumbnails == [nil])
  }

  @Test(arguments: [
    "<img src='m.jpg' srcset='s.jpg 300w, l.jpg 2000w, t.jpg 100w'>",
    "<img srcset='s.jpg 300w,l.jpg 2000w'>",
    "<img src='s.jpg' width=400 srcset='l.jpg 2x'>",
    "<img src='s.jpg' srcset='l.jpg 1.5x'>",
    "<picture><source srcset='l.jpg 900w' type='image/webp'><img src='s.jpg' width='300'></picture>",
    "<img src='data:image/gif;base64,R0' data-srcset='s.jpg 300w, l.jpg 600w'>",
    "<img src='s.jpg?' data-orig-file='l.jpg' data-orig-size='4000,3000' width='300'>",
  ])
  func `takes the largest size for the original`(markup: String) throws {
    let read = try html(markup)

    #expect(read.originals == ["https://a.b/l.jpg"])
    #expect(read.thumbnails.map { $0?.hasPrefix("https://a.b/s.jpg") } == [true])
  }

  @Test(arguments: [
    "<img src='stand-in.gif' data-src='1.jpg'>",
    "<img src='stand-in.gif' data-lazy-src='1.jpg'>",
    "<img src='stand-in.gif' data-original='1.jpg'>",
    "<img src='data:image/png;base64,AA' class=lazy><noscript><img src='1.jpg'></noscript>",
    "<amp-img src='1.jpg' width=300 height=200></amp-img>",
    "<img alt='a > b' src='1.jpg'>",
    "<img alt=\"5'\" src = '1.jpg'>",
    "<!-- <img src='2.jpg'> --><img src='1.jpg'>",
    "<script>x = \"<img src='2.jpg'>\"</script><img src='1.jpg'>",
    "<video><source srcset='2.jpg'></video><img src='1.jpg'>",
    "<b>1 < 2 <img src='1.jpg'>",
    "<img src='1.jpg'><img src='2.jpg",
    "&lt;p&gt;&lt;img src=&quot;1.jpg&quot;&gt;",
  ])
  func `finds the picture`(markup: String) throws {
    #expect(try html(markup).originals == ["https://a.b/1.jpg"])
  }

  @Test(arguments: [
    "<p>The tag &lt;img src='1.jpg'&gt; shows a picture.</p>",
    "<image src='1.jpg'>", "<img>", "<img src=''>", "<img srcset=' , '>", "<video poster='1.jpg'>",
    "<embed src='1.jpg'>", "<img src='1.jpg",
  ])
  func `finds none where there is none`(markup: String) throws {
    #expect(try html(markup).originals == [])
  }

  @Test func `reads HTML that stands as elements, with their bases`() throws {
    let read = try ReadDocument.atom(
      """
      <entry xml:base="https://a.b/"><content type="xhtml"><div
      xmlns="http://www.w3.org/1999/xhtml"><a href="big.jpg"><img src="s.jpg"/></a>
      <p xml:base="c/"><img src="1.jpg?a=1&amp;b=2"/></p><img src="2.jpg"/>
      <p>&lt;img src="3.jpg"/></p></div></content></entry>
      """
    )

    let base = "https://a.b/"
    #expect(read.originals == [base + "big.jpg", base + "c/1.jpg?a=1&b=2", base + "2.jpg"])
    #expect(read.thumbnails == [base + "s.jpg", nil, nil])
    #expect(read.images.first?.caption == "<img src=\"3.jpg\"/>")
  }

  @Test func `reads the HTML of a JSON Feed`() throws {
    let read = try ReadDocument(
      """
      {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1",
      "url": "https://a.b/page/", "content_html": "<img src=\\"1.jpg\\" width=\\"640\\">"}]}
      """
    )

    #expect(read.originals == ["https://a.b/page/1.jpg"])
    #expect(read.images.first?.width == 640)
  }

  @Test func `reads markup without end in one pass`() {
    let openings = ["<a ", "<img src='", "<!--", "<script>", "<a href=\"", "&lt;", "<", "<p "]
    for opening in openings {
      let markup = String(repeating: opening, count: 100_000) + "<img"
      #expect(HTMLPictures.read(Array(markup.utf8).span).images.isEmpty)
    }
  }

  @Test func `keeps what an article of any length begins with`() throws {
    let image = "<img src=\"https://a.b/1.jpg\"/>"
    let more = String(repeating: "<br/><i>&lt;</i>", count: 200_000)

    let read = try ReadDocument.rss("<item><description>\(image)\(more)</description></item>")

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws == [.longText(limit: 1_048_576)])
  }

  private func html(_ markup: String) throws -> ReadDocument {
    try ReadDocument.rss(
      "<item><link>https://a.b/page</link><description><![CDATA[\(markup)]]></description></item>"
    )
  }
}

struct SourceSetTests {
  @Test(
    arguments: [
      ("a.jpg 300w, b.jpg 600w", ["a.jpg 300", "b.jpg 600"]),
      ("a.jpg?w=1,2 300w,b.jpg 600w", ["a.jpg?w=1,2 300", "b.jpg 600"]),
      ("a.jpg, b.jpg 2x", ["a.jpg 640", "b.jpg 1280"]),
      ("  ,a.jpg ,", ["a.jpg 640"]),
      ("a,b.jpg 1.5x", ["a,b.jpg 960"]),
      ("a.jpg 20h 30w", ["a.jpg 30"]),
      ("a.jpg nonsense, b.jpg -1w", ["a.jpg 640", "b.jpg 640"]),
      ("", []),
      (",,,", []),
    ] as [(String, [String])]
  )
  func `reads addresses and how wide their pictures are`(text: String, sizes: [String]) {
    let candidates = SourceSet.candidates(in: text, shownAt: nil)

    #expect(candidates.map { "\($0.reference) \($0.longerSide ?? 0)" } == sizes)
  }

  @Test func `multiplies the width that the page shows by the density`() {
    let candidates = SourceSet.candidates(in: "a.jpg 1x, b.jpg 2x", shownAt: 300)

    #expect(candidates.map(\.width) == [300, 600])
  }

  @Test func `looks at no more than a page has use for`() {
    let text = String(repeating: "a.jpg 1w, ", count: 1000)

    #expect(SourceSet.candidates(in: text, shownAt: nil).count == 64)
  }
}
