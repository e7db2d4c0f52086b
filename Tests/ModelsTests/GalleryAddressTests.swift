import Models
import Testing

extension WebAddress {
  fileprivate static func at(_ text: String) -> WebAddress {
    guard let address = WebAddress(text) else { preconditionFailure("\(text) is no address") }
    return address
  }
}

struct GalleryAddressTests {
  private let gallery = WebAddress("https://host.example:8470/api/v1/changes").flatMap {
    GalleryAddress($0)
  }

  @Test func `a cursor stands in the address as it is`() {
    let text = gallery?.changes(behind: "1.0c5e-a_Z.1.0.0.44")?.text

    #expect(text == "https://host.example:8470/api/v1/changes?since=1.0c5e-a_Z.1.0.0.44")
  }

  @Test(arguments: ["", "a b", "a&types=feed", "../a", "a\r\nb", "ä", "a%41"])
  func `a text with other characters is not a cursor`(text: String) {
    #expect(!GalleryAddress.isCursor(text))
    #expect(gallery?.changes(behind: text) == nil)
  }

  @Test(arguments: [
    ("feeds/2", "feeds/2", "feed=2"), ("feeds/2?sort=title#top", "feeds/2", "feed=2"),
    ("search?q=moon", "search?q=moon", "search=moon"),
    ("search?sort=title&q=full+moon", "search?q=full+moon", "search=full+moon"),
    ("search?q=m%C3%B6nd&feed=2", "search?feed=2&q=m%C3%B6nd", "feed=2&search=m%C3%B6nd"),
    ("feeds/2?q=moon", "search?feed=2&q=moon", "feed=2&search=moon"),
    ("?feed=2", "feeds/2", "feed=2"), ("?q=moon", "search?q=moon", "search=moon"),
  ])
  func `the page of a feed or a search is that of a part`(
    page: String,
    base: String,
    parameters: String
  ) throws {
    for prefix in ["https://host.example/", "http://any:token@host.example:8470/photos/"] {
      let whole = GalleryAddress(base: .at(prefix), isStatic: false)
      let part = whole.part(ofPage: .at(prefix + page))
      let changes = "\(prefix)api/v1/changes?\(parameters)"

      #expect(part.isPart && !whole.isPart)
      #expect(part.base.text == prefix + base)
      #expect(part.changes(behind: nil)?.text == changes)
      #expect(part.changes(behind: "1.a.0")?.text == "\(changes)&since=1.a.0")
      #expect(part.thumbnails([])?.text.hasPrefix("\(prefix)api/v1/thumbnails") == true)
      // As a later sync finds it, and as another page points to it.
      #expect(GalleryAddress(base: part.base, isStatic: false) == part)
      #expect(GalleryAddress(part.address) == part)
    }
  }

  @Test(arguments: [
    "", "feeds", "feeds/", "feeds/x", "feeds/2/", "images/7", "search", "search?q=", "frame",
    "?sort=title", "api/v1/changes",
  ])
  func `any other page is that of the whole gallery`(page: String) {
    let whole = GalleryAddress(base: .at("https://host.example/"), isStatic: false)

    #expect(whole.part(ofPage: .at("https://host.example/\(page)")) == whole)
  }

  @Test(
    arguments: [
      ("feeds/2", 2, nil), ("search?q=two+words", nil, "two words"),
      ("search?q=a%26b&feed=03", 3, "a&b"), ("", nil, nil),
    ] as [(String, Int64?, String?)]
  )
  func `a part has the feed and the words that the gallery reads`(
    page: String,
    feedID: Int64?,
    search: String?
  ) {
    let whole = GalleryAddress(base: .at("https://host.example/"), isStatic: false)
    let part = whole.part(ofPage: .at("https://host.example/\(page)"))

    #expect(part.feedID == feedID)
    #expect(part.search == search)
  }

  @Test func `a static site, and a page elsewhere, have no part`() {
    let (page, base) = ("https://host.example/feeds/2", WebAddress.at("https://host.example/"))
    let site = GalleryAddress(base: base, isStatic: true)
    let other = GalleryAddress(base: .at("https://other.example/"), isStatic: false)

    #expect(site.part(ofPage: .at(page)) == site)
    #expect(other.part(ofPage: .at(page)) == other)
  }

  @Test(arguments: [
    "https://host.example/api/v1/changes?feed=x", "https://host.example/api/v1/changes?feed=",
    "https://host.example/api/v1/changes?since=1", "https://host.example/api/v1/changes?feed=2&a=b",
    "https://host.example/api/v1/tree/root?feed=2", "https://host.example/feeds/2",
    "ftp://host.example/api/v1/changes?feed=2",
  ])
  func `is no address of changes`(address: String) {
    #expect(GalleryAddress(.at(address)) == nil)
  }

  @Test(arguments: [
    ("/?token=TOKEN", "/"), ("?token=TOKEN", "/"), ("/feeds/2?token=TOKEN", "/feeds/2"),
    ("/search?q=moon&token=TOKEN", "/search?q=moon"),
    ("/g/search?token=TOKEN&q=moon&sort=title", "/g/search?q=moon&sort=title"),
    ("/images/7?token=TOKEN&q=moon", "/images/7?q=moon"),
  ])
  func `the token of a page becomes a login`(typed: String, page: String) {
    let token = String(repeating: "aB3-_", count: 9).prefix(43)
    let address = "http://host.example:8470\(typed.replacing("TOKEN", with: token))"
    let login = GalleryAddress.login(fromPage: .at(address))

    #expect(login?.text == "http://gallery:\(token)@host.example:8470\(page)")
  }

  @Test(arguments: [
    "/?token=short", "/feeds/2.rss?token=TOKEN", "/images.json?token=TOKEN",
    "/rss?user=3&token=TOKEN", "/users/2?token=TOKEN&a=b", "/?token=TOKEN&token=TOKEN",
    "/?q=token", "/",
  ])
  func `other addresses with a token stay as they are`(typed: String) {
    let token = String(repeating: "aB3-_", count: 9).prefix(43)
    let address = "http://host.example\(typed.replacing("TOKEN", with: token))"

    #expect(GalleryAddress.login(fromPage: .at(address)) == nil)
  }

  @Test func `a cursor has at most 1,024 bytes`() {
    #expect(GalleryAddress.isCursor(String(repeating: "a", count: 1_024)))
    #expect(!GalleryAddress.isCursor(String(repeating: "a", count: 1_025)))
  }

  @Test(arguments: [
    ("https://any:secret@a.b:8470/g/", false), ("https://a.b:8470/g/feeds/3", false),
    ("https://a.b:8470/g/search?q=sea", false), ("https://a.b:8470/g/", true),
  ])
  func `addresses of the gallery stand for files that it does not tell`(
    base: String,
    isStatic: Bool
  ) throws {
    let gallery = GalleryAddress(base: try #require(WebAddress(base)), isStatic: isStatic)
    let feed = try #require(gallery.feed(3, of: "0c5e-1"))

    #expect(feed.text == "https://a.b:8470/g/feeds/3.json?library=0c5e-1")
    #expect(gallery.original(ofImage: 7)?.text == "https://a.b:8470/g/images/7/original")
    #expect(GalleryAddress.isUntoldFeed(feed, of: "0c5e-1"))
    #expect(!GalleryAddress.isUntoldFeed(feed, of: "0c5e-2"))
    let named = try #require(GalleryAddress.untoldFeed(feed))
    #expect(named == (3, "0c5e-1"))
    for other in [
      "https://a.b/feeds/3.json", "https://a.b/feeds/3.json?library=",
      "https://a.b/3.json?library=u", "https://a.b/feeds/x.json?library=u",
      "https://a.b/?library=u", "file:///feeds/3.json?library=u",
    ] {
      #expect(GalleryAddress.untoldFeed(try #require(WebAddress(other))) == nil, "\(other)")
    }
    let original = try #require(gallery.original(ofImage: 7))
    #expect(gallery.arriving(ofImage: 7)?.withoutLogin == original)
    #expect(GalleryAddress.isUntoldOriginal(original, ofImage: 7))
    for other in [
      "https://a.b/images/17/original", "https://a.b/images/7/original?token=u",
      "https://a.b/images/7/original.jpg", "file:///images/7/original",
    ] {
      let other = try #require(WebAddress(other))
      #expect(!GalleryAddress.isUntoldOriginal(other, ofImage: 7), "\(other)")
    }
    let unknown = try #require(gallery.feed(3, of: ""))
    #expect(unknown != feed && !GalleryAddress.isUntoldFeed(unknown, of: ""))
  }
}
