import Foundation
import Models
import Testing
import Workers

struct JSONFeedFormatTests {
  @Test func `reads everything an item says`() throws {
    let read = try feed(
      """
      {"id": 7, "url": "https://a.b/p/", "title": "A", "content_html": "<p>By the sea</p>",
      "date_published": "2002-10-02T13:00:00Z", "authors": [{"name": "Jo"}],
      "license": "CC0", "attachments": [{"url": "1.png", "mime_type": "image/png"},
      {"url": "2.mp3", "mime_type": "audio/mpeg"}], "image": "https://a.b/3.png"}
      """
    )

    #expect(
      read.images == [
        FeedImage(
          title: "A",
          caption: "By the sea",
          author: "Jo",
          licence: "CC0",
          published: Date(timeIntervalSince1970: 1_033_563_600),
          pageAddress: WebAddress("https://a.b/p/"),
          thumbnailAddress: WebAddress("https://a.b/3.png"),
          originalAddress: try #require(WebAddress("https://a.b/p/1.png"))
        )
      ]
    )
    #expect(read.entries.map(\.id) == ["7"])
    #expect(read.document.format == .jsonFeed)
    #expect(read.document.title == "T")
  }

  @Test func `takes the image before the banner, and one of them`() throws {
    let read = try feed(
      """
      {"id": "1", "image": "https://a.b/1.png", "banner_image": "https://a.b/2.png"},
      {"id": "2", "banner_image": "https://a.b/3.png"}
      """
    )

    #expect(read.originals == ["https://a.b/1.png", "https://a.b/3.png"])
  }

  @Test func `takes the image as the thumbnail of the only picture that is attached`() throws {
    let attached = #""attachments": [{"url": "https://a.b/1.jpg", "mime_type": "image/*"}"#
    let read = try feed(
      """
      {"id": "1", "image": "https://a.b/cover.jpg", \(attached)]},
      {"id": "2", "image": "https://a.b/1.jpg", \(attached)]}
      """
    )
    let several = try feed(
      """
      {"id": "3", "image": "https://a.b/cover.jpg", \(attached), {"url": "https://a.b/2.jpg"}]}
      """
    )

    #expect(read.originals == ["https://a.b/1.jpg", "https://a.b/1.jpg"])
    #expect(read.thumbnails == ["https://a.b/cover.jpg", nil])
    #expect(several.originals == ["1", "2", "cover"].map { "https://a.b/\($0).jpg" })
  }

  @Test func `takes no icon that every item repeats for thumbnails`() throws {
    let items = (1...3).map { number in
      """
      {"id": "\(number)", "image": "https://a.b/same.png", "attachments": [
      {"url": "https://a.b/\(number).jpg", "mime_type": "image/jpeg"}]}
      """
    }
    let read = try feed(items.joined(separator: ","))

    #expect(read.originals == (1...3).map { "https://a.b/\($0).jpg" })
    #expect(read.thumbnails == [nil, nil, nil])
  }

  @Test func `leaves out the feed's icon`() throws {
    let read = try feed(
      """
      {"id": "1", "image": "https://a.b/icon.png"},
      {"id": "2", "image": "https://a.b/icon.png", "banner_image": "https://a.b/2.png"}
      """
    )

    #expect(read.originals == ["https://a.b/2.png"])
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 0), (150, 0)])
  func `leaves out an icon that every item repeats`(items: Int, images: Int) throws {
    let item = #"{"id": "1", "image": "https://a.b/same.png"}"#

    let read = try feed(Array(repeating: item, count: items).joined(separator: ","))

    #expect(read.originals.count == images)
  }

  @Test func `keeps a picture that two items share, in order`() throws {
    let same = #"{"id": "1", "image": "https://a.b/same.png"}"#
    let other = #"{"id": "2", "image": "https://a.b/other.png"}"#

    let read = try feed([same, other, same].joined(separator: ","))
    let often = try feed([same, same, same, other, same].joined(separator: ","))

    #expect(read.originals.map { $0.contains("same") } == [true, false, true])
    #expect(often.originals == ["https://a.b/other.png"])
  }

  @Test func `recognises a feed whose version comes last`() throws {
    let item = #"{"id": "1", "content_text": "x", "image": "https://a.b/1.png"}"#

    let read = try ReadDocument(
      "{\"items\": [\(item)], \"title\": \"T\", \"version\": \"https://jsonfeed.org/version/1\"}"
    )

    #expect(read.document.format == .jsonFeed)
    #expect(read.originals == ["https://a.b/1.png"])
  }

  private func feed(_ items: String) throws -> ReadDocument {
    try ReadDocument(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "T",
      "icon": "https://a.b/icon.png", "items": [\(items)]}
      """
    )
  }

  @Test func `keeps the order while it waits for an icon to show`() throws {
    let read = try ReadDocument(
      """
      {"version":"https://jsonfeed.org/version/1.1","title":"Feed","items":[
      {"id":"a","image":"a.jpg"},{"id":"b","attachments":[{"url":"b.jpg"}]},
      {"id":"c","image":"a.jpg"}]}
      """
    )
    let icon = try ReadDocument(
      """
      {"version":"https://jsonfeed.org/version/1.1","title":"Feed","items":[
      {"id":"a","image":"a.jpg"},{"id":"b","attachments":[{"url":"b.jpg"}]},
      {"id":"c","image":"a.jpg"},{"id":"d","image":"a.jpg"}]}
      """
    )

    #expect(read.entries.map(\.id) == ["a", "b", "c"])
    #expect(icon.entries.filter { !$0.images.isEmpty }.map(\.id) == ["b"])
  }
}
