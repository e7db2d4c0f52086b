import Foundation
import Models
import Testing
import Workers

/// The hub that a document names, and the document's topic there (WebSub, section 4).
struct HubLinkTests {
  private let hub = WebAddress("https://hub.example/publish")
  private let topic = WebAddress("https://example.org/feed.xml")

  private func links(_ hub: String? = nil, _ topic: String? = nil) -> PushLinks {
    PushLinks(
      hubs: [hub.flatMap(WebAddress.init)].compactMap(\.self),
      topic: topic.flatMap(WebAddress.init)
    )
  }

  private func atom(_ links: String) throws -> PushLinks {
    try ReadDocument.atom(links + "<entry><id>1</id></entry>").document.push
  }

  @Test func `Atom has them as links of the feed, before or behind its entries`() throws {
    let both = """
      <link rel="hub" href="https://hub.example/publish"/>
      <link rel="self" href="https://example.org/feed.xml"/>
      """

    #expect(try atom(both).hub == hub)
    #expect(try atom(both).topic == topic)
    #expect(try ReadDocument.atom("<entry><id>1</id></entry>" + both).document.push.hub == hub)
    #expect(try ReadDocument.atom("<entry>\(both)</entry>").document.push == PushLinks())
  }

  @Test func `RSS borrows the links of Atom`() throws {
    let read = try ReadDocument(
      """
      <rss xmlns:atom="http://www.w3.org/2005/Atom"><channel>
      <atom:link rel="hub" href="https://hub.example/publish"/>
      <atom:link rel="self" href="https://example.org/feed.xml"/><item/></channel></rss>
      """
    )

    #expect(read.document.push == links("https://hub.example/publish", topic?.text))
  }

  @Test(arguments: [
    (#"[{"type":"WebSub","url":"https://hub.example/publish"}]"#, true),
    (
      #"[{"type":"rssCloud","url":"a:b"},{"type":"websub","url":"https://hub.example/publish"}]"#,
      true
    ),
    (#"[{"type":"rssCloud","url":"https://hub.example/publish"}]"#, false),
    (#"[{"url":"https://hub.example/publish"},7,null]"#, false),
  ])
  func `JSON Feed has hubs of several kinds`(hubs: String, hasHub: Bool) throws {
    for order in ["\"hubs\":\(hubs),\"items\":[]", "\"items\":[],\"hubs\":\(hubs)"] {
      let read = try ReadDocument(
        """
        {"version":"https://jsonfeed.org/version/1.1","title":"a",\
        "feed_url":"https://example.org/feed.xml",\(order)}
        """
      )

      #expect(read.document.push.hub == (hasHub ? hub : nil))
      #expect(read.document.push.topic == topic)
    }
  }

  @Test func `addresses are relative to the document`() throws {
    let found = try atom(#"<link rel="hub" href="/hub?a=b&amp;c"/><link rel="self" href="x.xml"/>"#)

    #expect(found == links("https://example.org/hub?a=b&c", "https://example.org/folder/x.xml"))
  }

  @Test(arguments: [
    "ftp://hub.example/", "mailto:a@b.c", "https://user:word@hub.example/", "https:///", "",
    "https://hub.example/" + String(repeating: "x", count: 2_048),
  ])
  func `the first of several hubs is taken that can be asked`(unusable: String) throws {
    let hubs = [unusable, "https://hub.example/publish", "https://other.example/"]
      .map { #"<link rel="hub" href="\#($0)"/>"# }.joined()

    #expect(try atom(hubs).hub == hub)
    #expect(try atom(#"<link rel="self" href="\#(unusable)"/>"#).topic == nil || unusable.isEmpty)
  }

  @Test func `no more hubs are looked at than a feed can need`() throws {
    let unusable = String(repeating: #"<link rel="hub" href="ftp://a.b/"/>"#, count: 8)

    #expect(try atom(unusable + #"<link rel="hub" href="https://hub.example/"/>"#).hub == nil)
  }
}
