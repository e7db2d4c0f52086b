import Foundation
import HTTPTypes
import Models
import Testing
import Web
import Workers

@testable import gallery_server

/// Tokens in addresses, for programs that know only addresses: feed readers, viewers and scripts.
struct AddressTokenTests {
  private static let documents = [
    "/images.rss", "/images.atom", "/images.json", "/iiif/images/manifest.json", "/feeds/1.rss",
    "/search.atom?q=a",
  ]

  private func token(_ bench: ServerBench, _ access: Access) throws -> String {
    try bench.tokens.add(access, created: Date(), expires: nil)
  }

  private func adding(_ token: String, to path: String) -> String {
    "\(path)\(path.contains("?") ? "&" : "?")token=\(token)"
  }

  /// The paths of all pictures and documents of this server that a document names.
  private func links(in text: String) -> Set<String> {
    let plain = text.replacing("\\/", with: "/").replacing("&amp;", with: "&")
      .replacing("&quot;", with: "\"").replacing("\\\"", with: "\"")
    return Set(
      plain.matches(of: /http:\/\/127\.0\.0\.1:8470(\/[^"<> ]*)/).map { String($0.1) }
        .filter { $0.contains("feed_token=") || $0.contains("/~") }
    )
  }

  @Test(
    arguments: documents + [
      "/api/v1/images", "/api/v1/images/1", "/api/v1/timeline", "/random", "/metrics",
    ]
  )
  func `programs get the answer itself`(path: String) async throws {
    let bench = try await ServerBench()

    let answer = try await bench.ask(adding(ServerBench.token, to: path), .get, [:])

    #expect(answer.status == (path == "/random" ? 303 : 200))
    #expect(answer.fields[.setCookie] == nil)
    #expect(
      try await bench.ask(adding(ServerBench.token, to: path), .head, [:]).status == answer.status
    )
    #expect(try await bench.ask(adding("wrong", to: path), .get, [:]).status == 401)
  }

  @Test(arguments: documents)
  func `a feed opens its pictures and its pages without the token`(path: String) async throws {
    let bench = try await ServerBench()
    _ = try await bench.ask("/images/1/original")

    let document = try await bench.ask(adding(ServerBench.token, to: path), .get, [:]).text
    let links = links(in: document)

    #expect(!document.contains(ServerBench.token))
    #expect(links.contains { $0.contains("/t/") } && links.contains { $0.contains("/original") })
    for link in links where !link.hasSuffix("/canvas") {
      var answer = try await bench.ask(link, .get, [:])
      if answer.status == 303 {
        answer = try await bench.ask(try #require(answer.fields[.location]), .get, [:])
      }
      // The service of an image is the beginning of the addresses of its information and parts.
      if answer.status == 303 {
        answer = try await bench.ask(try #require(answer.fields[.location]), .get, [:])
      }
      #expect(answer.status == 200, "\(link)")
      #expect(answer.policy == "cross-origin", "\(link)")
    }
  }

  @Test(arguments: [
    "/images.rss?limit=5", "/iiif/images/manifest.json?limit=5", "/images.json?limit=5",
  ])
  func `the pages of a feed follow one another by its own token`(path: String) async throws {
    let bench = try await ServerBench()
    var next: String? = adding(ServerBench.token, to: path)
    var count = 0
    while let page = next {
      let answer = try await bench.ask(page, .get, [:])
      #expect(answer.status == 200)
      count += 1
      let link = answer.fields[.link]
      next = link.map { String($0.dropFirst("<http://127.0.0.1:8470".count).prefix { $0 != ">" }) }
    }

    #expect(count == 3)
  }

  @Test func `the token of a list opens this list alone, and changes nothing`() async throws {
    let bench = try await ServerBench()
    let all = try await bench.ask("/images.json?token=\(ServerBench.token)", .get, [:]).text
    let one = try await bench.ask("/search.json?q=dandelion&token=\(ServerBench.token)", .get, [:])
      .text
    let token = try #require(one.firstMatch(of: /feed_token=([A-Za-z0-9_.-]+)/)?.1)
    let pictures = Set(all.matches(of: /\/t\/([0-9a-f]{64})/).map { String($0.1) })
    let own = try #require(one.firstMatch(of: /\/t\/([0-9a-f]{64})/)?.1)

    #expect(pictures.count == 12)
    for picture in pictures {
      let status = try await bench.ask("/t/\(picture)?feed_token=\(token)", .get, [:]).status
      #expect(status == (picture == own ? 200 : 404))
    }
    #expect(
      try await bench.ask("/images.json?feed_token=\(token)", .get, [:]).json["items"] as? [Any]
        != nil
    )
    let fields: HTTPFields = [.authorization: "Bearer \(token)"]
    #expect(try await bench.ask("/", .get, fields).status == 401)
    #expect(
      try await bench.ask("/api/v1/images/1/pin?feed_token=\(token)", .put, [:]).status == 401
    )
    #expect(
      try await bench.ask("/api/v1/images/1/pin?token=\(ServerBench.token)", .put, [:]).status
        == 401
    )
    #expect(try await bench.ask("/?token=\(token)", .get, [:]).status == 401)
  }

  @Test(arguments: [
    "/api/v1/feeds", "/api/v1/jobs", "/api/v1/tree/root", "/metrics", "/feeds", "/api/v1/changes",
    "/api/v1/events",
  ])
  func `the token of a list of all images tells no facts about feeds and the server`(
    path: String
  ) async throws {
    let bench = try await ServerBench()
    let list = try await bench.ask("/images.json?token=\(ServerBench.token)", .get, [:]).text
    let token = try #require(list.firstMatch(of: /feed_token=([A-Za-z0-9_.-]+)/)?.1)

    #expect(try await bench.ask("/images.json?feed_token=\(token)", .get, [:]).status == 200)
    #expect(try await bench.ask("\(path)?feed_token=\(token)", .get, [:]).status == 403)
    #expect(try await bench.ask(path).status != 403)
  }

  @Test func `the token of a list ends with its parent, and cannot be changed`() async throws {
    let bench = try await ServerBench()
    let parent = try token(bench, Access(name: "reader", isAdmin: false, search: "dandelion"))
    let text = try await bench.ask("/images.json?token=\(parent)", .get, [:]).text
    let token = String(try #require(text.firstMatch(of: /feed_token=([A-Za-z0-9_.-]+)/)?.1))
    let path = "/images.json?feed_token="
    #expect(try await bench.ask(path + token, .get, [:]).status == 200)

    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for wrong in [
      "\(parts[0]).1.\(parts[2]).\(parts[3])", "\(parts[0])...\(parts[3])",
      "\(parts[0]).\(parts[1]).s.\(parts[3])",
      "...", "", token + "0", String(token.dropLast()), parent,
    ] {
      #expect(try await bench.ask(path + wrong, .get, [:]).status == 401, "\(wrong)")
    }

    try bench.tokens.remove(name: "reader")
    #expect(try await bench.ask(path + token, .get, [:]).status == 401)
  }

  @Test(arguments: [nil, "", "two words", "Ünïcode & signs"])
  func `a token of a list opens the part that it was made for`(search: String?) throws {
    let tokens = FeedTokens(serverToken: "key")
    let hash = String(repeating: "ab", count: 32)
    for feed: Int64? in [nil, 7] {
      let part = LibraryPart(feedID: feed, search: search)
      let token = try #require(tokens.token(for: part, parent: hash))

      #expect(tokens.open(token, parents: ["0", hash])?.part == part)
      #expect(tokens.open(token, parents: []) == nil)
      #expect(FeedTokens(serverToken: "other").open(token, parents: [hash]) == nil)
      #expect(
        tokens.open(token, parents: [hash.prefix(16) + String(repeating: "0", count: 48)]) == nil
      )
    }
  }

  // MARK: Addresses that a person gives to a program

  @Test(arguments: [
    ("http://127.0.0.1:8470/?token=TOKEN", "http://gallery:TOKEN@127.0.0.1:8470/"),
    (
      "https://photos.example.org/gallery/feeds/3?token=TOKEN",
      "https://gallery:TOKEN@photos.example.org/gallery/feeds/3"
    ),
    ("http://[fd00::5]:8470?token=TOKEN", "http://gallery:TOKEN@[fd00::5]:8470/"),
    ("http://127.0.0.1:8470/images.rss?token=TOKEN", nil),
    ("http://127.0.0.1:8470/?token=short", nil),
    ("http://127.0.0.1:8470/?token=TOKEN&q=a", "http://gallery:TOKEN@127.0.0.1:8470/?q=a"),
    ("http://me@127.0.0.1:8470/?token=TOKEN", nil),
    ("file:///a?token=TOKEN", nil),
  ])
  func `a sync of the printed address logs in with its token, and masks it`(
    text: String,
    login: String?
  ) throws {
    let token = ServerBench.token
    let given = text.replacing("TOKEN", with: token)
    let expected = login?.replacing("TOKEN", with: token) ?? given

    let argument = FeedArgument(given, relativeTo: "/", fileExists: { _ in false })

    #expect(argument == .address(try #require(WebAddress(expected))))
    #expect(login == nil || !WebAddress(expected).map(\.masked)!.contains(token))
  }

  @Test func `messages mask the token of a list`() throws {
    let address = try #require(WebAddress("http://127.0.0.1/t/0?feed_token=a.b.c.d"))

    #expect(address.masked == "http://127.0.0.1/t/0?feed_token=***")
  }

  // MARK: Viewers of other origins

  @Test(arguments: [
    "/iiif/feeds/1/manifest.json", "/iiif/image/x/info.json", "/feeds/1.rss", "/api/v1/images",
    "/images.json",
  ])
  func `a browser may ask for another site whether it may read`(path: String) async throws {
    let bench = try await ServerBench(.init(basePath: "/g"), syncing: nil)
    let fields: HTTPFields = [
      .origin: "https://viewer.example", .accessControlRequestMethod: "GET",
      .accessControlRequestHeaders: "authorization",
    ]

    let answer = try await bench.ask("/g" + path, .options, fields)

    #expect(answer.status == 204)
    #expect(answer.fields[.accessControlAllowOrigin] == "*")
    #expect(answer.fields[.accessControlAllowMethods] == "GET, HEAD")
    #expect(answer.fields[.accessControlAllowHeaders]?.contains("Authorization") == true)
    for page in ["/g/", "/g/feeds", "/g/images/1"] {
      #expect(try await bench.ask(page, .options, fields).status == 401)
    }
    #expect(try await bench.ask("/g" + path, .options, fields, host: "evil.example").status == 421)
  }

  @Test
  func `another site reads what a token in the request opens, and nothing that a cookie opens`()
    async throws
  {
    let bench = try await ServerBench()
    let visit = try await bench.ask("/?token=\(ServerBench.token)", .get, [:])
    let cookie = try #require(visit.fields[.setCookie]).prefix { $0 != ";" }

    for path in ["/iiif/images/manifest.json", "/api/v1/images", "/images.rss"] {
      var fields = ServerBench.admin
      fields[.origin] = "https://viewer.example"
      let own = try await bench.ask(path, .get, fields)
      #expect(own.fields[.accessControlAllowOrigin] == "*")
      #expect(own.policy == "cross-origin")
      let ofCookie = try await bench.ask(path, .get, [.cookie: String(cookie)])
      #expect(ofCookie.status == 200)
      #expect(ofCookie.fields[.accessControlAllowOrigin] == nil)
      #expect(ofCookie.policy == "same-origin")
    }
    #expect(try await bench.ask("/").fields[.accessControlAllowOrigin] == nil)
  }

  @Test func `a viewer opens parts of a picture by a token in the path`() async throws {
    let bench = try await ServerBench()
    _ = try await bench.ask("/images/1/original")
    let reader = try token(bench, Access(name: "viewer", isAdmin: false))

    let manifest = try await bench.ask("/iiif/~\(reader)/images/manifest.json", .get, [:])
    let canvases = try #require(manifest.json["items"] as? [[String: Any]])
    let pages = try #require(canvases.first?["items"] as? [[String: Any]])
    let annotations = try #require(pages.first?["items"] as? [[String: Any]])
    let body = try #require(annotations.first?["body"] as? [String: Any])
    let service = try #require((body["service"] as? [[String: Any]])?.first?["id"] as? String)
    #expect(body["format"] as? String == "image/jpeg")
    #expect(service.contains("/iiif/~") && !service.contains(reader))

    let path = String(service.dropFirst("http://127.0.0.1:8470".count))
    let information = try await bench.ask("\(path)/info.json", .get, [:])
    #expect(information.json["id"] as? String == service)
    #expect(information.json["width"] as? Int == canvases.first?["width"] as? Int)
    let part = try await bench.ask("\(path)/0,0,64,64/32,/0/default.jpg", .get, [:])
    #expect(part.status == 200 && part.fields[.contentType] == "image/jpeg")
    #expect(part.fields[.link]?.contains(service) == true)
    #expect(try await bench.ask("/iiif/~wrong/images/manifest.json", .get, [:]).status == 401)
    #expect(try await bench.ask("/iiif/~/images/manifest.json", .get, [:]).status == 401)
    // A path that ends with a token has it, too, so that no log shows it.
    #expect(try await bench.ask("/iiif/~\(reader)", .get, [:]).status == 404)
    #expect(try await bench.ask("/iiif/~\(reader)?q=a", .get, [:]).status == 404)
    #expect(try await bench.ask("/iiif/~wrong", .get, [:]).status == 401)
  }

  // MARK: Logins

  @Test func `programs may log in, and browsers get no dialog`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let basic = { (path: String, more: [HTTPField.Name: String]) in
      var fields = HTTPFields()
      for (name, value) in more { fields[name] = value }
      let answer = try await bench.ask(path, .get, fields)
      #expect(answer.status == 401)
      let schemes = answer.fields[values: .wwwAuthenticate]
      #expect(schemes.contains(#"Bearer realm="gallery""#))
      return schemes.contains { $0.hasPrefix("Basic ") }
    }
    let browser = "Mozilla/5.0 (X11) Firefox/153.0"

    #expect(try await basic("/images.rss", [:]))
    #expect(try await basic("/api/v1/images", [.accept: "*/*", .userAgent: "Wget/1.21"]))
    // A feed reader that is a browser, too.
    #expect(try await basic("/images.rss", [.userAgent: browser]))
    #expect(try await !basic("/", [.accept: "text/html", .userAgent: browser]))
    #expect(try await !basic("/api/v1/images", [.accept: "application/json", .userAgent: browser]))
    #expect(try await !basic("/t/0", [.accept: "image/*", .secFetchMode: "no-cors"]))
  }

  // MARK: The first sight

  @Test(arguments: ["/", "/images/31?sort=title&q=a", "/feeds", "/g%22%3E<b>"])
  func `a browser without a token gets a page that takes one`(path: String) async throws {
    let bench = try await ServerBench(.init(basePath: ""))
    var fields = HTTPFields()
    fields[.accept] = "text/html,*/*"

    let page = try await bench.ask(path, .get, fields)

    #expect(page.status == 401)
    #expect(page.text.contains(#"name="token""#) && page.text.contains("ask the owner"))
    #expect(!page.text.contains("class=\"bar\"") && !page.text.contains("<b>"))
    #expect(
      path != "/images/31?sort=title&q=a" || page.text.contains(#"name="sort" value="title""#)
    )
    let assets = page.text.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/)
    #expect(assets.count >= 3)
    for asset in assets { #expect(try await bench.ask(String(asset.1), .get, [:]).status == 200) }
    // An icon without its own size fills the window until the style sheet has come.
    for icon in page.text.matches(of: /<svg[^>]*>/) { #expect(icon.0.contains(#"width="24""#)) }
  }

  @Test(arguments: ["//evil.example/x", "/\\evil.example/x", "/\\/evil.example/x"])
  func `the page sends a token to no other host`(path: String) async throws {
    let bench = try await ServerBench(syncing: nil)

    let page = try await bench.ask(path, .get, [.accept: "text/html"])

    #expect(page.status == 401)
    #expect(page.text.contains(#"<form action="/evil.example/x">"#))
  }

  @Test func `the page says that a token is wrong`() async throws {
    let bench = try await ServerBench(syncing: nil)

    let page = try await bench.ask("/feeds?token=wrong", .get, [.accept: "text/html"])

    #expect(page.status == 401)
    #expect(page.text.contains("not valid") && !page.text.contains("wrong\""))
    #expect(page.text.contains(#"<form action="/feeds">"#))
  }
}
