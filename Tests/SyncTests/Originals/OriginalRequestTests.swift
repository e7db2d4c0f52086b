import FoundationEssentials
import Models
import Testing
import Workers

struct OriginalRequestTests {
  @Test func `lets an image of a feed that is a file refer to the feed's folder`() {
    let feed = WebAddress(filePath: "/photos/feed.json", relativeTo: "/")

    let request = OriginalRequest(image(of: feed))

    var expected = OriginalRequest(
      imageID: 3,
      address: .original("moon"),
      reach: .publicOnly,
      fileFolder: "/photos",
      since: Date(timeIntervalSince1970: 60)
    )
    expected.purpose = .viewing
    (expected.feed, expected.page) = (feed, feed)
    #expect(request == expected)
  }

  @Test func `lets an image of a feed of the web refer to no file`() {
    let request = OriginalRequest(image(of: .feed))

    var expected = OriginalRequest(
      imageID: 3,
      address: .original("moon"),
      reach: .publicOnly,
      since: Date(timeIntervalSince1970: 60)
    )
    expected.purpose = .viewing
    (expected.feed, expected.page) = (.feed, .feed)
    #expect(request == expected)
  }

  @Test func `takes a picture to be as old as its publication`() {
    var image = image(of: .feed)
    image.published = Date(timeIntervalSince1970: 30)

    #expect(OriginalRequest(image, isCheck: true).since == Date(timeIntervalSince1970: 30))
    #expect(OriginalRequest(image, isCheck: true).isCheck)
  }

  private func image(of feed: WebAddress) -> WebImage {
    WebImage(
      id: 3,
      feed: FeedReference(id: 7, address: feed, title: nil),
      firstSeen: Date(timeIntervalSince1970: 60),
      originalAddress: .original("moon")
    )
  }
}
