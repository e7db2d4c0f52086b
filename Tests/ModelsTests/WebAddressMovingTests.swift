import Models
import Testing

struct WebAddressMovingTests {
  @Test(arguments: [
    ("http://a.b/feed", "https://a.b/feed", true),
    ("http://a.b/feed", "http://c.d/feed", true),
    ("https://a.b/feed", "https://c.d/feed", true),
    ("https://a.b/feed", "http://a.b/feed", false),
    ("https://a.b/feed", "https://a.b/feed", false),
    ("https://a.b/feed", "file:///etc/feed", false),
    ("file:///srv/feed", "https://a.b/feed", false),
    ("https://ann:pass@a.b/feed", "https://a.b/new", false),
  ])
  func `follows to what is as safe, and keeps what it needs`(
    from: String,
    to: String,
    mayMove: Bool
  ) throws {
    let address = try #require(WebAddress(from))
    let target = try #require(WebAddress(to))

    #expect(address.mayMove(to: target) == mayMove)
  }
}
