import Foundation
import Models
import Testing
import Workers

struct RSSFormatTests {
  @Test(arguments: [
    ("<ttl> 60 </ttl>", UpdateHints(leastInterval: 3_600)),
    ("<skipHours><hour>0</hour><hour>23</hour></skipHours>", UpdateHints(skippedHours: 0x80_0001)),
    ("<skipHours><hour>24</hour><hour>25</hour></skipHours>", UpdateHints(skippedHours: 1)),
    (
      "<skipDays><day>Monday</day><day>sunday</day><day>Someday</day></skipDays><ttl>5</ttl>",
      UpdateHints(leastInterval: 300, skippedDays: 0b100_0001)
    ),
    ("<ttl>soon</ttl><hour>3</hour><day>Monday</day>", UpdateHints()),
    ("<ttl>-5</ttl>", UpdateHints()), ("<ttl>99999999999999999999</ttl>", UpdateHints()),
    ("<item><ttl>60</ttl></item>", UpdateHints()),
  ])
  func `a channel says when it wants to be asked for`(_ elements: String, _ hints: UpdateHints)
    throws
  {
    let read = try ReadDocument.rss("<rss><channel>\(elements)<item/></channel></rss>")

    #expect(read.document.hints == hints)
  }

  @Test(arguments: [
    ("<author>jo@a.b (Jo Doe)</author><dc:creator>Jo (Studio)</dc:creator>", "Jo (Studio)"),
    ("<dc:creator>Jo (Studio)</dc:creator><author>jo@a.b (Jo Doe)</author>", "Jo (Studio)"),
    ("<dc:creator>Jo</dc:creator><dc:creator>Al</dc:creator><author>a@b.c</author>", "Jo"),
    ("<itunes:author>Al</itunes:author><dc:creator>Jo</dc:creator>", "Jo"),
    ("<itunes:author>Al</itunes:author><author>jo@a.b (Jo Doe)</author>", "Jo Doe"),
    ("<author>jo@a.b (Jo Doe)</author><dc:creator> </dc:creator>", "Jo Doe"),
    ("<itunes:author>Al</itunes:author>", "Al"),
  ])
  func `the plain name of an author counts before a mail address`(elements: String, author: String)
    throws
  {
    let picture = #"<media:content url="https://a.b/1.jpg"/>"#
    let other = #"<item><guid>2</guid><media:content url="https://a.b/2.jpg"/></item>"#
    let read = try ReadDocument.rss("<item><guid>1</guid>\(elements)\(picture)</item>\(other)")

    #expect(read.images.map(\.author) == [author, nil])
  }

  @Test func `reads everything an item says`() throws {
    let read = try ReadDocument.rss(
      """
      <item><title>A &lt;b&gt;house&lt;/b&gt;</title><link>https://a.b/page</link>
      <guid isPermaLink="false">g1</guid><pubDate>Wed, 02 Oct 2002 13:00:00 GMT</pubDate>
      <description>&lt;p&gt;By the &lt;i&gt;sea&lt;/i&gt;.&lt;/p&gt;</description>
      <author>jo@a.b (Jo Doe)</author>
      <media:license href="https://creativecommons.org/licenses/by/4.0/">CC BY</media:license>
      <media:content url="o.jpg" width="4000" height="3000"/>
      <media:thumbnail url="t.jpg" width="320" height="240"/></item>
      """
    )

    #expect(
      read.images == [
        FeedImage(
          title: "A house",
          caption: "By the sea.",
          author: "Jo Doe",
          licence: "https://creativecommons.org/licenses/by/4.0/",
          published: Date(timeIntervalSince1970: 1_033_563_600),
          pageAddress: WebAddress("https://a.b/page"),
          thumbnailAddress: WebAddress("https://a.b/t.jpg"),
          originalAddress: try #require(WebAddress("https://a.b/o.jpg")),
          width: 4000,
          height: 3000
        )
      ]
    )
    #expect(read.entries.map(\.id) == ["g1"])
    #expect(read.document.title == "Feed")
    #expect(read.document.format == .mediaRSS)
    #expect(!read.document.listsEverything)
  }

  @Test func `resolves addresses against chained bases, else the item's link`() throws {
    let read = try ReadDocument(
      """
      <rss xml:base="https://a.b/one/"><channel xml:base="two/"><item>
      <link>page</link><enclosure url="1.jpg"/><enclosure xml:base="/three/" url="2.jpg"/>
      </item></channel></rss>
      """
    )
    let plain = try ReadDocument.rss(
      "<item><link>/posts/1/</link><enclosure url='3.jpg'/></item>"
    )

    #expect(read.originals == ["https://a.b/one/two/1.jpg", "https://a.b/three/2.jpg"])
    #expect(read.images.first?.pageAddress == WebAddress("https://a.b/one/two/page"))
    #expect(plain.originals == ["https://example.org/posts/1/3.jpg"])
  }

  @Test func `takes the bytes that are declared of a picture, unless they are none`() throws {
    let read = try ReadDocument.rss(
      """
      <item><enclosure url="1.jpg" type="image/jpeg" length="1234"/></item>
      <item><enclosure url="2.jpg" type="image/jpeg" length="0"/></item>
      <item><media:content url="3.jpg" medium="image" fileSize="567"/></item>
      """
    )

    #expect(read.images.map(\.bytes) == [1_234, nil, 567])
  }

  @Test func `takes an address from an element's text`() throws {
    let read = try ReadDocument.rss(
      """
      <item><media:content type="image/png"> https://a.b/1 </media:content></item>
      <item><enclosure type="image/png">https://a.b/2</enclosure></item>
      <item><image>https://a.b/3</image></item>
      """
    )

    #expect(read.originals == ["https://a.b/1", "https://a.b/2", "https://a.b/3"])
  }

  @Test func `keeps the item's title apart from the medium's`() throws {
    let read = try ReadDocument.rss(
      """
      <item><media:title>Medium</media:title><title>Item</title>
      <media:content url="https://a.b/1.jpg"/></item>
      <item><media:content url="https://a.b/2.jpg"><media:title>Own</media:title></media:content>
      </item>
      """
    )

    #expect(read.titles == ["Item", "Own"])
  }

  @Test func `takes a guid that is a link for the page`() throws {
    let enclosure = "<enclosure url='https://a.b/1.jpg'/>"

    let read = try ReadDocument.rss(
      """
      <item><guid>https://a.b/p</guid>\(enclosure)</item>
      <item><guid isPermaLink="false">https://a.b/q</guid>\(enclosure)</item>
      """
    )

    #expect(read.images.map(\.pageAddress) == [WebAddress("https://a.b/p"), nil])
    #expect(read.entries.map(\.id) == ["https://a.b/p", "https://a.b/q"])
  }

  @Test(arguments: [
    "http://backend.userland.com/rss2", "https://cyber.harvard.edu/rss/rss.html",
    "http://www.w3.org/2005/Atom", "urn:made-up",
  ])
  func `reads items in any namespace that the document has`(namespace: String) throws {
    let declaration = "xmlns=\"\(namespace)\" xmlns:r=\"\(namespace)\""
    for (root, channel, prefix) in [
      (declaration, "", ""), ("", declaration, ""), (declaration, "", "r:"),
    ] {
      let read = try ReadDocument(
        """
        <\(prefix)rss version="2.0" \(root)><\(prefix)channel \(channel)>
        <\(prefix)title>A</\(prefix)title><\(prefix)item>
        <\(prefix)enclosure url="https://a.b/1.jpg"/></\(prefix)item>
        <\(prefix)item><\(prefix)title>B</\(prefix)title>
        <content xmlns="http://purl.org/rss/1.0/modules/content/">none</content>
        <\(prefix)enclosure url="https://a.b/2.jpg"/></\(prefix)item>
        </\(prefix)channel></\(prefix)rss>
        """
      )

      #expect(read.originals == ["https://a.b/1.jpg", "https://a.b/2.jpg"])
      #expect(read.titles == [nil, "B"])
      #expect(read.document.title == "A")
      #expect(read.document.format == .rss)
    }
  }
}

struct RDFTests {
  @Test func `reads everything an item of RSS 1_0 says`() throws {
    let read = try ReadDocument(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#">
      <channel rdf:about="https://a.b/"><title>Feed</title><items><rdf:Seq>
      <rdf:li rdf:resource="https://a.b/1"/></rdf:Seq></items></channel>
      <image rdf:about="https://a.b/logo.png"><url>https://a.b/logo.png</url></image>
      <item rdf:about="https://a.b/1"><title>One</title><link>https://a.b/page</link>
      <description>Text</description><dc:creator>Jo Doe</dc:creator><dc:rights>Mine</dc:rights>
      <dc:date>2002-10-02T13:00:00Z</dc:date>
      <enc:enclosure rdf:resource="https://a.b/1.jpg" enc:type="image/jpeg"/></item></rdf:RDF>
      """
    )

    #expect(
      read.images == [
        FeedImage(
          title: "One",
          caption: "Text",
          author: "Jo Doe",
          licence: "Mine",
          published: Date(timeIntervalSince1970: 1_033_563_600),
          pageAddress: WebAddress("https://a.b/page"),
          originalAddress: try #require(WebAddress("https://a.b/1.jpg"))
        )
      ]
    )
    #expect(read.entries.map(\.id) == ["https://a.b/1"])
    #expect(read.document.format == .rdf)
    #expect(read.document.title == "Feed")
  }

  @Test(arguments: [
    "http://my.netscape.com/rdf/simple/0.9/", "http://channel.netscape.com/rdf/simple/0.9/",
    "http://purl.org/rss/1.0/",
  ])
  func `reads items under any prefix`(namespace: String) throws {
    let read = try ReadDocument(
      """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="\(namespace)">
      <s:channel><s:title>Feed</s:title></s:channel><s:item><s:title>One</s:title>
      <s:description>&lt;img src="https://a.b/1.jpg"&gt;</s:description></s:item></r:RDF>
      """
    )

    #expect(read.document.title == "Feed")
    #expect(read.titles == ["One"])
    #expect(read.originals == ["https://a.b/1.jpg"])
  }
}
