import Models
import Testing

struct WebAddressFileTests {
  @Test(arguments: [
    ("/photos/feed.xml", "file:///photos/feed.xml"),
    ("feed.xml", "file:///home/ann/feed.xml"),
    ("./feed.xml", "file:///home/ann/feed.xml"),
    ("../feed.xml", "file:///home/ann/../feed.xml"),
    ("my feed?.xml", "file:///home/ann/my%20feed%3F.xml"),
    ("100%.xml", "file:///home/ann/100%25.xml"),
    ("Möwe#1.xml", "file:///home/ann/M%C3%B6we%231.xml"),
  ])
  func `is made of a path`(_ path: String, _ address: String) {
    #expect(WebAddress(filePath: path, relativeTo: "/home/ann").text == address)
  }

  @Test(arguments: [
    "/photos/feed.xml", "/a b/ü?#%.xml", "/100%25/x", "/tab\there", "/\u{301}a/\u{301}b",
  ])
  func `gives the path back that it was made of`(_ path: String) {
    #expect(WebAddress(filePath: path, relativeTo: "/").filePath == path)
  }

  @Test(arguments: [
    ("file:///a%20b", "/a b"), ("file://localhost/a", "/a"), ("file:/a", "/a"),
    ("file:///a%2", "/a%2"), ("file:///a%+1b", "/a%+1b"), ("file:///a%zz", "/a%zz"),
    ("file://server.example/a", nil), ("https://host.example/a", nil),
  ])
  func `has a path only when it names a file of this machine`(
    _ text: String,
    _ path: String?
  ) throws {
    #expect(try #require(WebAddress(text)).filePath == path)
  }

  @Test(arguments: [
    ("file:///home/ann/feed.xml", "/home/ann"), ("file:///feed.xml", "/"),
    ("file:///home/\u{301}feed.xml", "/home"),
    ("https://host.example/a/b", nil),
  ])
  func `knows the folder of its file`(_ text: String, _ folder: String?) throws {
    #expect(try #require(WebAddress(text)).fileFolder == folder)
  }
}
