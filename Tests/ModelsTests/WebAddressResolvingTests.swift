import Testing

@testable import Models

struct AddressPartsTests {
  /// The parts between bars: scheme, authority, path, query, fragment; `-` for a missing part.
  @Test(arguments: [
    ("https://a.b:1/c/d?e=f#g", "https|a.b:1|/c/d|e=f|g"),
    ("https://a.b", "https|a.b||-|-"),
    ("https://a?b/c#d?e/", "https|a||b/c|d?e/"),
    ("https://a#b?c/d", "https|a||-|b?c/d"),
    ("//a/b", "-|a|/b|-|-"),
    ("///b", "-||/b|-|-"),
    ("/a//b", "-|-|/a//b|-|-"),
    ("a/b:c", "-|-|a/b:c|-|-"),
    ("a:b:c", "a|-|b:c|-|-"),
    ("?a:b", "-|-||a:b|-"),
    ("#a", "-|-||-|a"),
    ("a?#", "-|-|a||"),
    ("?", "-|-|||-"),
    ("", "-|-||-|-"),
    ("/", "-|-|/|-|-"),
    ("http:/a", "http|-|/a|-|-"),
    ("1a:b", "-|-|1a:b|-|-"),
  ])
  func `tells components apart, and puts them together as they were`(text: String, expected: String)
  {
    let parts = AddressParts(text)

    let told = [parts.scheme, parts.authority, parts.path, parts.query, parts.fragment]
    #expect(told.map { $0 ?? "-" }.joined(separator: "|") == expected)
    #expect(parts.text == text)
  }
}

struct WebAddressResolvingTests {
  /// RFC 3986, section 5.4.1, without the empty reference, which does not name a picture.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
  ])
  func `resolves the normal examples of the standard`(_ reference: String, _ target: String) throws
  {
    let base = try #require(WebAddress("http://a/b/c/d;p?q"))

    #expect(base.resolving(reference)?.text == target)
  }

  /// RFC 3986, section 5.4.2; the parser does not ignore the scheme of "http:g".
  @Test(arguments: [
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
  ])
  func `resolves the abnormal examples of the standard`(
    _ reference: String,
    _ target: String
  ) throws {
    let base = try #require(WebAddress("http://a/b/c/d;p?q"))

    #expect(base.resolving(reference)?.text == target)
  }

  @Test(arguments: [
    ("  moon.jpg\n", "https://host.example/moon.jpg"),
    ("full moon.jpg", "https://host.example/full%20moon.jpg"),
    ("full\n\tmoon.jpg", "https://host.example/fullmoon.jpg"),
    ("a%2Fb%3Dc%20d.jpg", "https://host.example/a%2Fb%3Dc%20d.jpg"),
    ("Größe.jpg", "https://host.example/Größe.jpg"),
  ])
  func `mends white space and leaves escapes as they are`(
    _ reference: String,
    _ target: String
  ) throws {
    let base = try #require(WebAddress("https://host.example"))

    #expect(base.resolving(reference)?.text == target)
  }

  @Test(arguments: [
    ("/\u{301}a.jpg", "https://host.example/\u{301}a.jpg"),
    ("//\u{301}.example/a.jpg", "https://\u{301}.example/a.jpg"),
    ("b/../\u{301}c.jpg", "https://host.example/folder/\u{301}c.jpg"),
    ("./\u{301}c.jpg", "https://host.example/folder/\u{301}c.jpg"),
  ])
  func `sees what stands before a combining mark`(_ reference: String, _ target: String) throws {
    let base = try #require(WebAddress("https://host.example/folder/feed"))

    #expect(base.resolving(reference)?.text == target)
  }

  @Test(arguments: ["", "  \n"])
  func `finds nothing in an empty reference`(_ reference: String) throws {
    #expect(try #require(WebAddress("https://host.example/a")).resolving(reference) == nil)
  }
}

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
    ("http://any:token@a.example:8470/", "https://a.example:8470/"),
    ("https://a.example/b?c=d@e", "https://a.example/b?c=d@e"),
  ])
  func `is that of the place without user-info`(_ text: String, _ identity: String) throws {
    #expect(try #require(WebAddress(text)).placeIdentity == identity)
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
