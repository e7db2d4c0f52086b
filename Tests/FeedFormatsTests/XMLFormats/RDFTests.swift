import Foundation
import Models
import Testing
import Workers

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
          entryID: "https://a.b/1",
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
