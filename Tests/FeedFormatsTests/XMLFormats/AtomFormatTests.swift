import Foundation
import Models
import Testing
import Workers

struct AtomFormatTests {
  @Test func `a program that names itself as the author is not one, and 1970 is not a date`() throws
  {
    let read = try ReadDocument(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>Moon</title><generator>press</generator>
      <author><name>press</name></author><entry><id>1</id>
      <updated>1970-01-01T00:00:00Z</updated>
      <link rel="enclosure" type="image/jpeg" href="https://a.b/1.jpg"/></entry></feed>
      """
    )

    #expect(read.images.map(\.author) == [nil])
    #expect(read.images.map(\.published) == [nil])
  }

  @Test func `reads everything an entry says`() throws {
    let read = try ReadDocument.atom(
      """
      <author><name>Jo Doe</name></author><rights>All mine</rights>
      <entry><id>urn:1</id><title type="html">A &amp;amp; B</title>
      <link rel="alternate" href="page"/><published>2002-10-02T13:00:00Z</published>
      <updated>2003-10-02T13:00:00Z</updated>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>By</p><p>the sea</p></div>
      </content><link rel="enclosure" type="image/png" href="o.png"/></entry>
      """
    )

    #expect(
      read.images == [
        FeedImage(
          title: "A & B",
          caption: "By the sea",
          author: "Jo Doe",
          licence: "All mine",
          published: Date(timeIntervalSince1970: 1_033_563_600),
          pageAddress: WebAddress("https://example.org/folder/page"),
          originalAddress: try #require(WebAddress("https://example.org/folder/o.png"))
        )
      ]
    )
    #expect(read.entries.map(\.id) == ["urn:1"])
    #expect(read.document.title == "Feed")
    #expect(read.document.format == .atom)
  }

  @Test func `resolves addresses against the document, not the entry's link`() throws {
    let enclosure = "<link rel='enclosure' href='o.png'/>"

    let read = try ReadDocument.atom(
      """
      <entry><link href="https://a.b/page/"/>\(enclosure)</entry>
      <entry xml:base="https://c.d/e/">\(enclosure)</entry>
      """
    )

    #expect(read.originals == ["https://example.org/folder/o.png", "https://c.d/e/o.png"])
  }

  @Test func `passes over the source an entry was taken from`() throws {
    let read = try ReadDocument.atom(
      """
      <entry><title>Entry</title><source><title>Other</title><id>other</id></source>
      <link rel="enclosure" href="https://a.b/1.png"/></entry>
      """
    )

    #expect(read.titles == ["Entry"])
    #expect(read.entries.first?.id == nil)
  }

  @Test func `reads prefixed elements and Atom 0_3`() throws {
    let read = try ReadDocument(
      """
      <a:feed xmlns:a="http://purl.org/atom/ns#"><a:title>Old</a:title><a:entry>
      <a:issued>2002-10-02T13:00:00Z</a:issued>
      <a:link rel="enclosure" href="https://a.b/1.png"/></a:entry></a:feed>
      """
    )

    #expect(read.document.title == "Old")
    #expect(read.images.map(\.published) == [Date(timeIntervalSince1970: 1_033_563_600)])
  }

  @Test func `keeps the title of the feed from those of other vocabularies`() throws {
    let read = try ReadDocument.atom(
      """
      <rights>Ours</rights>
      <itunes:title xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">Other</itunes:title>
      <media:title>Other</media:title><media:copyright>Theirs</media:copyright>
      <entry><link rel="enclosure" href="a.jpg"/></entry>
      """
    )

    #expect(read.document.title == "Feed")
    #expect(read.images.map(\.licence) == ["Ours"])
  }
}

struct DeclaredBytesTests {
  @Test func `are those of an enclosure of Atom`() throws {
    let read = try ReadDocument(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry>
      <link rel="enclosure" href="https://a.b/1.jpg" length="1234"/></entry></feed>
      """
    )

    #expect(read.images.map(\.bytes) == [1_234])
  }

  @Test func `are those of an attachment of JSON Feed`() throws {
    let read = try ReadDocument(
      """
      {"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","attachments":[
      {"url":"https://a.b/1.jpg","mime_type":"image/jpeg","size_in_bytes":1234}]}]}
      """
    )

    #expect(read.images.map(\.bytes) == [1_234])
  }
}

struct NextPageTests {
  private static let link = "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='next' href='?p=2'/>"

  @Test(arguments: [
    "<rss><channel>\(link)<item/></channel></rss>",
    "<feed xmlns='http://www.w3.org/2005/Atom'>\(link)<entry/></feed>",
    "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><channel>\(link)</channel></r:RDF>",
    "{\"version\": \"https://jsonfeed.org/version/1\", \"next_url\": \"?p=2\", \"items\": []}",
  ])
  func `names the next page`(document: String) throws {
    let read = try ReadDocument(document, address: "https://a.b/feed?p=1")

    let next = try #require(WebAddress("https://a.b/feed?p=2"))
    #expect(read.document.continuation == .nextPage(next))
  }

  @Test(arguments: ["https://a.b/feed?p=1", "http://a.b/feed?p=1#x", "file:///etc/feed", "x:y", ""])
  func `never leads back or to where a document may not lead`(address: String) throws {
    let link = "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='next' href='\(address)'/>"

    let read = try ReadDocument(
      "<rss><channel>\(link)</channel></rss>",
      address: "https://a.b/feed?p=1"
    )

    #expect(read.document.continuation == .none)
  }

  @Test func `takes no link of an entry for the feed's`() throws {
    let read = try ReadDocument.atom("<entry><link rel='next' href='?p=2'/></entry>")

    #expect(read.document.continuation == .none)
  }
}
