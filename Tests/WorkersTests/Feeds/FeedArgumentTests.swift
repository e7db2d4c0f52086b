import Models
import Testing
import Workers

struct FeedArgumentTests {
  @Test(arguments: [
    ("7", FeedArgument.id(7)),
    ("007", .id(7)),
    ("0", .id(0)),
    ("ftp://example.org/feed", .unusable(scheme: "ftp")),
    ("gopher://example.org/feed", .unusable(scheme: "gopher")),
  ])
  func `tells ids and what cannot be synced`(_ text: String, _ argument: FeedArgument) {
    #expect(FeedArgument(text, relativeTo: "/home/ann") == argument)
  }

  @Test(arguments: [
    ("https://example.org/feed", "https://example.org/feed"),
    ("HTTP://Example.org", "HTTP://Example.org"),
    ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
    ("file:///srv/feed.xml", "file:///srv/feed.xml"),
    ("feed.xml", "file:///home/ann/feed.xml"),
    ("photos/my feed.xml", "file:///home/ann/photos/my%20feed.xml"),
    ("/srv/feed.xml", "file:///srv/feed.xml"),
    ("7.xml", "file:///home/ann/7.xml"),
    ("-7", "file:///home/ann/-7"),
    ("set:1/feed.xml", "file:///home/ann/set:1/feed.xml"),
    ("99999999999999999999", "file:///home/ann/99999999999999999999"),
  ])
  func `tells addresses and paths`(_ text: String, _ address: String) throws {
    let expected = try #require(WebAddress(address))

    #expect(FeedArgument(text, relativeTo: "/home/ann") == .address(expected))
  }

  @Test func `takes digits behind a dot and a slash for a file`() {
    let address = WebAddress(filePath: "./7", relativeTo: "/home/ann")

    #expect(FeedArgument("./7", relativeTo: "/home/ann") == .address(address))
  }

  @Test(arguments: [
    (FeedArgument.id(7), true),
    (.id(8), false),
    (.address(.feed), true),
    (.address(.sample("former")), true),
    (.address(.sample("other")), false),
    (.unusable(scheme: "https"), false),
  ])
  func `means the feed with its id or an address of it`(_ argument: FeedArgument, _ isMeant: Bool) {
    #expect(argument.means(Feed(id: 7, address: .feed, aliases: [.sample("former")])) == isMeant)
  }
}
