import Models
import Testing

struct WebAddressResolvingTests {
  /// RFC 3986, section 5.4.1; without the empty reference, which names no picture.
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

  /// RFC 3986, section 5.4.2; the scheme of "http:g" is not ignored.
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
