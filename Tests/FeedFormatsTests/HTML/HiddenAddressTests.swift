import Testing

@testable import FeedFormats

/// Pictures that only scripts load, whose addresses are in attributes of any name.
struct HiddenAddressTests {
  private static let blank = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAA"

  @Test(arguments: [
    "data-src", "data-lazy-src", "data-srcset", "data-cfsrc", "data-ezsrc", "data-lazyload",
    "data-url", "data-srv", "data-large_image", "data-pagespeed-lazy-src", "data-wpfc-original-src",
    "data-lazysrc", "data-flickity-lazyload", "data-full", "zoomfile", "data-orig-src",
    "data-opt-src", "data-bg", "file", "nitro-lazy-src", "data-large-file", "data-img-src",
  ])
  func `takes the address from an attribute of any name`(name: String) throws {
    let inline = try html("<img src='\(Self.blank)' \(name)='https://c.d/1.jpg' alt=''>")
    let missing = try html("<img \(name)='https://c.d/1.jpg'>")
    let empty = try html("<img src='' \(name)='https://c.d/1.jpg?a=1&amp;b=2'>")

    #expect(inline.originals == ["https://c.d/1.jpg"])
    #expect(missing.originals == ["https://c.d/1.jpg"])
    #expect(empty.originals == ["https://c.d/1.jpg?a=1&b=2"])
  }

  @Test func `takes the largest of a set in an attribute of any name`() throws {
    let set = "https://c.d/s.jpg 300w, https://c.d/l.jpg 2000w"
    let inImage = try html("<img src='\(Self.blank)' data-any-set='\(set)'>")
    let inSource = try html(
      "<picture><source srcset='\(Self.blank)' data-any-set='\(set)'><img src='\(Self.blank)'></picture>"
    )

    #expect(inImage.originals == ["https://c.d/l.jpg"])
    #expect(inImage.thumbnails == ["https://c.d/s.jpg"])
    #expect(inSource.originals == ["https://c.d/l.jpg"])
  }

  @Test(arguments: [
    "data-thumb='/t.jpg' data-any='/1.jpg'", "data-any='/t.jpg' data-any-full='/1.jpg'",
    "data-low='/t.jpg' data-zoom-image='/1.jpg' data-preview='/t.jpg'",
  ])
  func `prefers the attribute that names the full picture`(attributes: String) throws {
    #expect(try html("<img src='\(Self.blank)' \(attributes)>").originals == ["https://a.b/1.jpg"])
  }

  @Test(arguments: [
    "alt='c/1.jpg'", "title='c/1.jpg'", "data-author-image='/face.jpg'", "data-caption='a/1.jpg'",
    "data-name='1.jpg'", "data-json='{\"a\": \"/1.jpg\"}'", "data-page='https://a.b/1'",
    "onclick='/1.jpg'", "data-words='See a/1.jpg for more'",
  ])
  func `takes no text and no portrait for a picture`(attributes: String) throws {
    #expect(try html("<img src='\(Self.blank)' \(attributes)>").originals == [])
  }

  @Test func `keeps the address of the tag itself where it is a picture`() throws {
    let read = try html("<img src='1.jpg' data-hover='https://c.d/2.jpg'>")

    #expect(read.originals == ["https://a.b/1.jpg"])
  }

  @Test func `replaces an address that stands in the place of several pictures`() throws {
    let named = try html("<img src='/theme/loading.gif' data-any='/1.jpg'>")
    let several = try html(
      "<img src='/x.png' data-any='/1.jpg'><img src='/x.png' data-any='/2.jpg'>"
    )

    #expect(named.originals == ["https://a.b/1.jpg"])
    #expect(several.originals == ["https://a.b/1.jpg", "https://a.b/2.jpg"])
  }

  @Test(arguments: [
    "<div data-bg='/1.jpg'></div>", "<figure data-any='/1.jpg'><img src='data:,'></figure>",
    "<a href='/1.jpg'><div class='item' data-thumbnail='/t.jpg'></div></a>",
    "<a href='#' data-any='/1.jpg'><img></a>",
    "<div data-any='/1.jpg'><span></span><img src='about:blank'></div>",
  ])
  func `takes the address from the element around the picture`(markup: String) throws {
    #expect(try html(markup).originals == ["https://a.b/1.jpg"])
  }

  @Test func `reads a set of which only scripts know the addresses`() throws {
    let read = try html("<img src='h.jpg' data-srcset='h.jpg' srcset='\(Self.blank)'>")

    #expect(read.originals == ["https://a.b/h.jpg"])
  }

  private func html(_ markup: String) throws -> ReadDocument {
    try ReadDocument.rss(
      """
      <item><link>https://a.b/</link><description><![CDATA[<p>\(markup)</p>]]></description></item>
      """
    )
  }
}

struct LinkedPictureTests {
  @Test(arguments: [
    (
      "https://blogger.googleusercontent.com/img/a/AVvXsEg0aB1=s4032",
      "https://blogger.googleusercontent.com/img/a/AVvXsEg0aB1=w400-h300"
    ),
    ("https://b.c/img/b/R29/s4032/I_1.jpg", "https://b.c/img/b/R29/w400-h300/I_1.jpg"),
    (
      "https://i.example/0x0/https%3A%2F%2Fblog.example%2Ffull.jpg",
      "https://i.example/400x300/https%3A%2F%2Fblog.example%2Ffull.jpg"
    ),
    (
      "https://substackcdn.com/image/fetch/f_auto,q_auto:good/https%3A%2F%2Fs3.example%2F1.jpeg",
      "https://substackcdn.com/image/fetch/w_1456,c_limit/https%3A%2F%2Fs3.example%2F1.jpeg"
    ),
    ("https://c.d/2024-05-01T10:30:00.jpg", "https://c.d/2024-05-01T10:30:00-400x300.jpg"),
    ("https://photos.example/full/123", "https://photos.example/small/123"),
    ("https://c.d/p/123?token=a", "https://c.d/p/123?w=300&token=b"),
    ("https://c.d/image.php?id=7", "https://c.d/image.php?id=7&width=400"),
  ])
  func `leads to the full picture`(target: String, shown: String) throws {
    let read = try Self.html("<a href='\(target)'><img src='\(shown)' width='400'></a>")

    #expect(read.originals == [target])
    #expect(read.thumbnails == [shown])
  }

  @Test(arguments: [
    ("https://c.d/photo.php?id=1", "https://c.d/photo.php?id=2"),
    ("https://c.d/wiki/Datei:Bild.jpg", "https://c.d/Bild.jpg"),
    ("https://c.d/wiki/%D0%A4%D0%B0%D0%B9%D0%BB:A.jpg", "https://c.d/A.jpg"),
    ("https://c.d/2024/05/", "https://c.d/2024/05/a.jpg"),
    ("https://c.d/small/123", "https://c.d/full/123"),
    ("https://other.example/full/123", "https://photos.example/small/123"),
  ])
  func `is another thing than the picture`(target: String, shown: String) throws {
    let read = try Self.html("<a href='\(target)'><img src='\(shown)'></a>")

    #expect(read.originals == [shown])
  }

  private static func html(_ markup: String) throws -> ReadDocument {
    try ReadDocument.rss("<item><description><![CDATA[\(markup)]]></description></item>")
  }
}
