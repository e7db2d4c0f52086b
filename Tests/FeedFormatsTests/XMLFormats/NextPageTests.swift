import Models
import Testing
import Workers

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
