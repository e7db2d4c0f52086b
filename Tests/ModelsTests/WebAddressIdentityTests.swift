import Models
import Testing

struct WebAddressIdentityTests {
  @Test(arguments: [
    ("http://host.example/a.jpg", "https://host.example/a.jpg"),
    ("HTTPS://Host.Example/a.jpg", "https://host.example/a.jpg"),
    ("http://host.example:80/a.jpg", "https://host.example/a.jpg"),
    ("http://host.example:8080/a.jpg", "https://host.example:8080/a.jpg"),
    ("https://host.example:443/a.jpg", "https://host.example/a.jpg"),
    ("https://host.example:/a.jpg", "https://host.example/a.jpg"),
    ("https://host.example", "https://host.example/"),
    ("https://host.example?page=2", "https://host.example/?page=2"),
    ("https://host.example/a.jpg#top", "https://host.example/a.jpg"),
    ("https://host.example/./a/../b/.hid/a.jpg", "https://host.example/b/.hid/a.jpg"),
    ("https://host.example/a/..", "https://host.example/"),
    ("file:///srv/./a%20b.xml#c", "file:///srv/a%20b.xml"),
    ("FILE://localhost/srv/%61.xml", "file:///srv/a.xml"),
    ("file:/srv/a.xml", "file:///srv/a.xml"),
    ("https://Ann@Host.Example/a.jpg", "https://Ann@host.example/a.jpg"),
  ])
  func `is shared by two spellings of one address`(_ text: String, _ identity: String) throws {
    #expect(try #require(WebAddress(text)).identity == identity)
  }

  @Test(arguments: [
    ("https://host.example/a.jpg", "https://host.example/A.jpg"),
    ("https://host.example/a.jpg?w=1", "https://host.example/a.jpg?w=2"),
    ("https://host.example/a%2Fb", "https://host.example/a/b"),
    ("https://host.example:8443/a.jpg", "https://host.example/a.jpg"),
    ("https://host.example/a?b=./c", "https://host.example/a?b=c"),
    // `..` may lead through a symbolic link.
    ("file:///srv/a/../b.xml", "file:///srv/b.xml"),
    ("https://ann@host.example/a.jpg", "https://host.example/a.jpg"),
  ])
  func `differs where pictures may`(_ one: String, _ other: String) throws {
    #expect(try #require(WebAddress(one)).identity != #require(WebAddress(other)).identity)
  }
}
