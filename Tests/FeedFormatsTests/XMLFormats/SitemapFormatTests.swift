import Foundation
import Models
import Testing
import Workers

struct SitemapFormatTests {
  private func sitemap(_ urls: String) throws -> ReadDocument {
    try ReadDocument(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\(urls)</urlset>
      """
    )
  }

  @Test func `each page with images is an entry`() throws {
    let read = try sitemap(
      """
      <url><loc>https://a.b/one</loc><lastmod>2026-03-05</lastmod>
        <image:image><image:loc>https://c.d/1.jpg</image:loc><image:title>One &amp; only</image:title>
          <image:caption>A caption</image:caption><image:license>https://e.f/by</image:license>
        </image:image>
        <image:image><image:loc>https://c.d/photo?id=2</image:loc></image:image></url>
      <url><loc>https://a.b/two</loc></url>
      <url><loc>https://a.b/three</loc><image:image><image:loc>/3.jpg</image:loc></image:image></url>
      """
    )

    #expect(read.document.format == .sitemap && read.document.continuation == .none)
    #expect(
      read.originals == [
        "https://c.d/1.jpg", "https://c.d/photo?id=2", "https://example.org/3.jpg",
      ]
    )
    #expect(read.entries.map(\.id) == ["https://a.b/one", "https://a.b/three"])
    #expect(read.titles == ["One & only", nil, nil])
    #expect(read.images[0].caption == "A caption")
    #expect(read.images[0].licence == "https://e.f/by")
    #expect(read.images[0].pageAddress?.text == "https://a.b/one")
    #expect(read.images[0].published == Date(timeIntervalSince1970: 1_772_668_800))
    #expect(!read.document.listsEverything)
  }

  @Test func `other prefixes and none are read`() throws {
    let read = try ReadDocument(
      """
      <urlset><url><loc>https://a.b/</loc><i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">
      <i:loc> https://c.d/1.jpg </i:loc></i:image><image><loc>https://c.d/2.jpg</loc></image></url></urlset>
      """
    )

    #expect(read.originals == ["https://c.d/1.jpg", "https://c.d/2.jpg"])
  }

  @Test func `an index leads to its sitemaps`() throws {
    let read = try ReadDocument(
      """
      <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <sitemap><loc>https://a.b/posts.xml</loc><lastmod>2026-03-05</lastmod></sitemap>
      <sitemap><loc>https://a.b/images.xml.gz</loc></sitemap></sitemapindex>
      """
    )

    let members = ["https://a.b/posts.xml", "https://a.b/images.xml.gz"]
    #expect(read.document.continuation == .members(members.compactMap { WebAddress($0) }))
    #expect(read.images == [])
  }

  @Test func `a sitemap without images is a feed without images`() throws {
    let read = try sitemap("<url><loc>https://a.b/</loc></url>")

    #expect(read.document.format == .sitemap && read.entries.isEmpty)
  }
}
