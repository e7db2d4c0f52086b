import Foundation
import HTTPTypes
import Models
import TestSupport
import Testing
import Web

@testable import Scenes
@testable import gallery_server

/// The pages as a browser without scripts receives them.
struct PageTests {
  @Test func `lists the images with thumbnails, names and addresses`() async throws {
    let bench = try await ServerBench()

    let page = try await bench.ask("/")

    #expect(page.status == 200)
    #expect(page.fields[.contentType] == "text/html; charset=utf-8")
    #expect(page.text.contains(#"href="/images/1""#))
    #expect(page.text.contains("Seeding"))
    #expect(page.text.components(separatedBy: "src=\"/t/").count == 13)
    #expect(!page.text.contains("01-dandelion.jpg"))
  }

  @Test func `names the style and the first thumbnails of a list before the page itself`()
    async throws
  {
    let bench = try await ServerBench(.init(basePath: "/pics"))

    let page = try await bench.ask("/pics/")
    let link = try #require(page.fields[.link])

    let named = link.matches(of: /<([^>]+)>; rel=preload; as=(style|image)/)
      .map { "\($0.1) \($0.2)" }
    let shown = page.text.matches(of: /<img src="([^"]+)"[^>]* alt="[^"]*"( loading="lazy")?>/)
    #expect(named.first == "/pics/assets/\(bench.server.assets.hash)/app.css style")
    #expect(named.dropFirst() == shown.prefix(5).map { "\($0.1) image" }[...])
    #expect(shown.count == 12)
    #expect(shown.map { $0.2 != nil } == (0..<12).map { $0 >= 5 })
    #expect(page.text.contains(#"/app.css">"#) && !page.text.contains(#"/feeds.css">"#))
    #expect(try await bench.ask("/pics/search?q=zeppelin").fields[.link]?.contains("/t/") == false)
    for path in ["/pics/feeds", "/pics/images/1", "/pics/frame"] {
      #expect(try await bench.ask(path).fields[.link] == nil, "\(path)")
    }
    var known = ServerBench.admin
    known[.ifNoneMatch] = page.fields[.eTag]
    let unchanged = try await bench.ask("/pics/", .get, known)
    #expect(unchanged.status == 304 && unchanged.fields[.link] == nil)
  }

  @Test(arguments: [
    ("/images/2", "2", "12"), ("/images/12", "12", "12"), ("/images/12?sort=oldest", "1", "12"),
    ("/images/1?q=zeppelin", nil, nil),
  ])
  func `shows the place of an image in its list`(
    path: String,
    number: String?,
    total: String?
  ) async throws {
    let page = try await ServerBench().ask(path).text

    let place = try #require(page.firstMatch(of: /<span class="place">(.*)<\/span>\n/)).1
    let numbers = place.matches(of: /data-number="(\d+)"/).map { String($0.1) }
    #expect(numbers == [number, total].compactMap(\.self))
  }

  @Test(arguments: [(nil, "All images"), ("dandelion", "Images")])
  func `calls a part of the library not all images`(search: String?, name: String) async throws {
    let bench = try await ServerBench()
    var fields = ServerBench.admin
    if let search {
      let token = try bench.tokens.add(
        Access(name: "guest", isAdmin: false, search: search),
        created: Date(),
        expires: nil
      )
      fields = [.authorization: "Bearer \(token)"]
    }

    let page = try await bench.ask("/", .get, fields).text

    #expect(page.contains("<h1 dir=\"auto\">\(name)</h1>") && page.contains(#"title="\#(name)""#))
    #expect(page.contains(#"aria-label="Feeds""#) == (search == nil))
  }

  @Test(arguments: [false, true])
  func `tells what the camera has written, and the place only where it may`(
    tellsPlaces: Bool
  ) throws {
    var site = Site(basePath: "", assetHash: "a")
    site.tellsPlaces = tellsPlaces
    let page = ShowImagePage(imageID: 7, from: ListAddress(), on: site)
    var facts = DisplayedImageFacts(feed: "Moon", feedID: 1)
    (facts.camera, facts.exposure) = ("X100V", "1/250 s, f/2.8")
    facts.taken = "2019-07-14 18:02:33 +02:00"
    let fields = [("place", "48.85837° N"), ("camera", "X100V")].map {
      DescriptionField(name: $0.0, value: $0.1)
    }

    page.displayDescribedImage(viewModel: .init(fields: fields, image: facts))

    let html = try #require(page.html(between: .init()))
    let text = String(decoding: html.bytes, as: UTF8.self)
    for value in ["X100V", "1/250 s, f/2.8", "2019-07-14 18:02:33 +02:00"] {
      #expect(text.contains("<dd>\(value)</dd>"), "\(value)")
    }
    #expect(!text.contains("Lens"))
    #expect(text.contains("48.85837° N") == tellsPlaces)
  }

  @Test func `has a policy that lets nothing in from elsewhere`() async throws {
    let policy = try #require(try await ServerBench().ask("/").fields[.contentSecurityPolicy])

    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
    #expect(policy.contains("frame-ancestors 'none'; require-trusted-types-for 'script'"))
    #expect(!policy.contains("unsafe") && !policy.contains("upgrade-insecure-requests"))
  }

  @Test func `every page has its scripts and styles in files`() async throws {
    let bench = try await ServerBench()
    for path in ["/", "/images/1", "/feeds", "/frame", "/nothing"] {
      var fields = ServerBench.admin
      fields[.accept] = "text/html"
      let html = try await bench.ask(path, .get, fields).text
      #expect(html.contains("<!DOCTYPE html>"), "\(path)")
      #expect(!html.contains(" style=\"") && !html.contains("onclick"), "\(path)")
      for match in html.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/) {
        #expect(try await bench.ask(String(match.1)).status == 200, "\(match.1)")
      }
    }
  }

  @Test func `keeps assets for a year, compressed for those who take it`() async throws {
    let bench = try await ServerBench(syncing: nil)
    var fields = ServerBench.admin
    fields[.acceptEncoding] = "gzip, br"

    let plain = try await bench.ask("/assets/\(bench.server.assets.hash)/app.css")
    let gzipped = try await bench.ask("/assets/\(bench.server.assets.hash)/app.css", .get, fields)

    #expect(plain.fields[.cacheControl] == "public, max-age=31536000, immutable")
    #expect(gzipped.fields[.contentEncoding] == "gzip")
    #expect(gzipped.bytes.count < plain.bytes.count)
    #expect(try await bench.ask("/assets/0000000000000000/app.css").status == 404)
  }

  @Test func `shows an image with its facts, and leads to its neighbours`() async throws {
    let page = try await ServerBench().ask("/images/2").text

    #expect(page.contains(#"href="/images/1""#))
    #expect(page.contains(#"href="/images/3""#))
    #expect(page.contains("/images/2/original"))
    #expect(page.contains(#"<dt>Licence</dt><dd><a href="https://creativecommons.org/"#))
    #expect(page.contains(#"<dt>First seen</dt><dd><time datetime=""#))
  }

  @Test func `says that there is no such image, as a page for a browser`() async throws {
    var fields = ServerBench.admin
    fields[.accept] = "text/html,application/xhtml+xml"

    let page = try await ServerBench().ask("/images/99", .get, fields)

    #expect(page.status == 404)
    #expect(page.text.contains("<p>this gallery has no image 99; it may have been removed"))
    #expect(page.fields[.contentType] == "text/html; charset=utf-8")
  }

  @Test(arguments: [
    ("/images/99", HTTPRequest.Method.get), ("/images/99/original", .get),
    ("/api/v1/images/99", .get), ("/api/v1/images/99/pin", .put),
    ("/api/v1/images/99/pin", .delete),
  ])
  func `names no command where there is no such image`(
    path: String,
    method: HTTPRequest.Method
  ) async throws {
    let answer = try await ServerBench().ask(path, method)

    #expect(answer.status == 404)
    #expect(answer.text.contains("this gallery has no image 99"))
    #expect(!answer.text.contains("cannot") && !answer.text.contains("list of images"))
  }

  @Test func `lists the feeds with the number of their images`() async throws {
    let page = try await ServerBench().ask("/feeds").text

    #expect(page.contains(#"data-number="12">12<"#))
    #expect(page.contains(#"action="/feeds/1/remove""#))
  }

  @Test func `searches and sorts by address`() async throws {
    let bench = try await ServerBench()

    let found = try await bench.ask("/search?q=dandelion").text
    let nothing = try await bench.ask("/search?q=zeppelin")

    #expect(found.components(separatedBy: "src=\"/t/").count == 2)
    #expect(nothing.status == 200)
    #expect(nothing.text.contains("no image matches"))
    #expect(try await bench.ask("/?sort=random").status == 400)
  }

  @Test(arguments: [
    ("/", HTTPRequest.Method.post, "GET, HEAD"), ("/sync", .get, "POST"),
    ("/api/v1/feeds", .put, "GET, HEAD, POST"), ("/api/v1/feeds/1", .get, "DELETE"),
    ("/api/v1/images/1/pin", .post, "DELETE, PUT"),
    ("/t/\(String(repeating: "0", count: 64))", .delete, "GET, HEAD"),
  ])
  func `tells which methods an address has`(
    path: String,
    method: HTTPRequest.Method,
    allowed: String
  ) async throws {
    for base in ["", "/gallery"] {
      let bench = try await ServerBench(.init(basePath: base), syncing: nil)

      let answer = try await bench.ask(base + path, method)

      #expect(answer.status == 405)
      #expect(answer.fields[.allow] == allowed)
      #expect(answer.fields[.contentType] == "application/problem+json")
    }
  }

  @Test func `answers that nothing has changed`() async throws {
    let bench = try await ServerBench()
    let tag = try #require(try await bench.ask("/").fields[.eTag])
    var fields = ServerBench.admin
    fields[.ifNoneMatch] = tag

    let again = try await bench.ask("/", .get, fields)

    #expect(again.status == 304)
    #expect(again.bytes.isEmpty)
  }

  @Test func `has every address below its base path`() async throws {
    let bench = try await ServerBench(.init(basePath: "/gallery"))
    for path in ["/gallery/", "/gallery/images/2", "/gallery/feeds", "/gallery/frame"] {
      let html = try await bench.ask(path).text
      #expect(html.contains(#"data-base="/gallery""#), "\(path)")
      for match in html.matches(of: /(?:src|href|action)="(\/[^"]*)"/) {
        #expect(match.1.hasPrefix("/gallery/"), "\(match.1) on \(path)")
      }
    }
    #expect(try await bench.ask("/").status == 404)
  }

  @Test func `begins with what to do in an empty library, and names no folder`() async throws {
    let bench = try await ServerBench(syncing: nil)

    #expect(try await bench.ask("/").text.contains("add a feed under Feeds"))
    let feeds = try await bench.ask("/feeds")
    #expect(feeds.status == 200)
    #expect(!feeds.text.contains(bench.folder) && !feeds.text.contains(#"<p class="problem">"#))
    #expect(feeds.text.contains("follows no feed yet"))
  }

  @Test(arguments: [
    "/frame", "/images.rss", "/images.atom", "/images.json", "/iiif/images/manifest.json",
    "/search.rss?q=a",
  ])
  func `a list of a library without feeds is empty in each form`(path: String) async throws {
    let bench = try await ServerBench(syncing: nil)

    let answer = try await bench.ask(path)

    #expect(answer.status == 200)
    #expect(!answer.text.contains(bench.folder))
    #expect(try await bench.ask("/random").status == 404)
    // The addresses of a feed that is not followed lead nowhere, as before.
    #expect(try await bench.ask("/feeds/1.rss").status == 404)
  }

  @Test func `an address of a feed needs no scheme`() async throws {
    #expect(!(try await ServerBench(syncing: nil).ask("/feeds").text.contains("type=\"url\"")))
  }

  @Test func `a search in a feed says so, and leads to all feeds`() async throws {
    let bench = try await ServerBench()

    let inFeed = try await bench.ask("/search?q=dandelion&feed=1").text
    let inAll = try await bench.ask("/search?q=dandelion").text

    #expect(inFeed.contains(">Search for “dandelion” in "))
    #expect(inFeed.contains(#"<a class="widen" href="/search?q=dandelion">"#))
    #expect(inAll.contains(">Search for “dandelion”</h1>"))
    #expect(inAll.contains(#"<a class="widen" href="/search?q=dandelion" hidden>"#))
  }

  @Test func `the tile of a pinned image has a mark, and its name says so`() async throws {
    let bench = try await ServerBench()
    let plain = try await bench.ask("/").text
    #expect(plain.contains(#"id="image-3""#) && !plain.contains("is-pinned"))
    #expect(!plain.contains(", pinned\""))

    _ = try await bench.ask("/api/v1/images/3/pin", .put)
    for address in ["/", "/?sort=title", "/?pinned=1"] {
      let page = try await bench.ask(address).text
      #expect(page.contains(#"<li class="tile is-pinned" id="image-3">"#), "\(address)")
      for mark in ["is-pinned", ", pinned\""] {
        #expect(page.split(separator: mark).count == 2, "\(address)")
      }
    }
    let bucket = try await bench.ask("/api/v1/timeline/0").json
    let ids = try #require(bucket["ids"] as? [Int])
    #expect(bucket["pins"] as? [Bool] == ids.map { $0 == 3 })

    _ = try await bench.ask("/api/v1/images/3/pin", .delete)
    #expect(try await bench.ask("/").text == plain)
    let later = try await bench.ask("/api/v1/timeline/0").json
    #expect((later["pins"] as? [Bool])?.contains(true) == false)
  }

  @Test func `lists pinned images alone, in each form`() async throws {
    let bench = try await ServerBench()
    _ = try await bench.ask("/api/v1/images/3/pin", .put)

    let page = try await bench.ask("/?pinned=1").text
    #expect(page.components(separatedBy: "src=\"/t/").count == 2)
    #expect(page.contains(#"href="/images/3?pinned=1""#))
    #expect(
      try await bench.ask("/images.json?pinned=1").json["items"].map { ($0 as? [Any])?.count } == 1
    )
    #expect(try await bench.ask("/api/v1/timeline?pinned=1").json["total"] as? Int == 1)
    _ = try await bench.ask("/api/v1/images/3/pin", .delete)
    #expect(try await bench.ask("/api/v1/timeline?pinned=1").json["total"] as? Int == 0)
    #expect(try await bench.ask("/?pinned=yes").status == 400)
  }

  @Test func `warnings about pictures are under Feeds, and not above the pictures`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let path = "\(bench.folder)/feed.json"
    try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
    let feed =
      #"[{"url":"http://127.0.0.1:1/a.jpg","thumbnail":"http://127.0.0.1:1/b.jpg","title":"Sea"}]"#
    try Data(feed.utf8).write(to: URL(filePath: path))
    try await bench.sync(WebAddress(filePath: path, relativeTo: "/").text)
    let reader = try bench.tokens.add(
      Access(name: "tv", isAdmin: false),
      created: Date(),
      expires: nil
    )
    let guest: HTTPFields = [.authorization: "Bearer \(reader)"]

    #expect(try await bench.ask("/feeds").text.contains("failed lately"))
    for path in ["/", "/search?q=sea", "/search?q=zeppelin"] {
      #expect(try await !bench.ask(path).text.contains("failed lately"), "\(path)")
    }
    #expect(try await bench.ask("/feeds/1").text.matches(of: /failed lately/).count == 1)
    #expect(try await !bench.ask("/feeds/1", .get, guest).text.contains("failed lately"))
  }

  @Test func `a token for a part of the library has no button that leads nowhere`() async throws {
    let bench = try await ServerBench()
    let access = Access(name: "sky", isAdmin: false, search: "dandelion")
    let token = try bench.tokens.add(access, created: Date(), expires: nil)

    let page = try await bench.ask("/", .get, [.authorization: "Bearer \(token)"]).text

    #expect(!page.contains(#"href="/feeds""#))
    #expect(try await bench.ask("/").text.contains(#"href="/feeds""#))
  }

  @Test(arguments: [
    ("/feeds", 403), ("/feeds/9", 404), ("/images/99", 404), ("/nothing", 404), ("/?limit=x", 400),
  ])
  func `an error leads to no page that the token does not open`(
    path: String,
    status: Int
  ) async throws {
    let bench = try await ServerBench()
    let access = Access(name: "sky", isAdmin: false, search: "dandelion")
    let token = try bench.tokens.add(access, created: Date(), expires: nil)
    var (fields, whole) = ([.authorization: "Bearer \(token)"] as HTTPFields, ServerBench.admin)
    fields[.accept] = "text/html"
    whole[.accept] = "text/html"

    let page = try await bench.ask(path, .get, fields)

    #expect(page.status == status)
    #expect(!page.text.contains(#"href="/feeds""#) && !page.text.contains("All images"))
    #expect(page.text.contains(#"<a href="/">Images</a>"#))
    let other = try await bench.ask(path == "/feeds" ? "/nothing" : path, .get, whole).text
    #expect(other.contains(#"href="/feeds""#) && other.contains(#"<a href="/">All images</a>"#))
  }

  @Test(arguments: ["/nothing", "/feeds/9", "/images/none", "/api/v1/nothing"])
  func `says the same of every address that has nothing`(path: String) async throws {
    let answer = try await ServerBench().ask(path)

    #expect(answer.status == 404)
    #expect(answer.json["title"] as? String == "Not found")
    #expect(answer.json["detail"] as? String == "this gallery has nothing at this address")
  }

  @Test func `compresses pages for browsers`() async throws {
    let bench = try await ServerBench()
    var fields = ServerBench.admin
    fields[.acceptEncoding] = "gzip, br"

    let plain = try await bench.ask("/")
    let gzipped = try await bench.ask("/", .get, fields)

    #expect(gzipped.fields[.contentEncoding] == "gzip")
    #expect(gzipped.fields[.eTag] == plain.fields[.eTag])
    #expect(gzipped.bytes.count * 2 < plain.bytes.count)
  }

  @Test func `Back leads from the page of an image to its place`() async throws {
    let bench = try await ServerBench()

    #expect(
      try await bench.ask("/images/2?sort=title").text.contains(##"href="/?sort=title#image-2""##)
    )
    #expect(try await bench.ask("/?sort=title").text.contains(#"<li class="tile" id="image-2">"#))
  }

  @Test func `a slide show of nothing says so, and leads to its list`() async throws {
    let bench = try await ServerBench()

    let empty = try await bench.ask("/frame?q=zeppelin&seconds=5").text
    let shown = try await bench.ask("/frame").text
    let unpinned = try await bench.ask("/frame?pinned=1").text
    let new = try await ServerBench(syncing: nil).ask("/frame").text

    let note = #"<p class="frame-note" role="status">"#
    #expect(empty.contains(note + "No image matches.</p>"))
    #expect(unpinned.contains(note + "No image matches.</p>"))
    #expect(new.contains(note + "No images yet.</p>"))
    let site = Site(basePath: "", assetHash: "a")
    let waiting = FramePage(ListAddress(), seconds: nil, first: nil, isEmpty: false, on: site).html
    #expect(
      String(decoding: waiting.bytes, as: UTF8.self)
        .contains(note + "No picture of this list is stored.</p>")
    )
    #expect(empty.contains(#"href="/search?q=zeppelin""#) && empty.contains(#"data-seconds="5""#))
    #expect(shown.contains(#"<p class="frame-note" role="status" hidden>"#))
  }
}
