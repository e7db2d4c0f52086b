import Foundation
import HTTPTypes
import Hummingbird
import Models
import NIOHTTP1
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// The JSON API for other programs.
struct APITests {
  @Test(arguments: ["newest", "oldest", "added", "taken", "title", "feed"])
  func `pages have every image once`(sort: String) async throws {
    let bench = try await ServerBench()
    var ids: [Int] = []
    var path: String? = "/api/v1/images?sort=\(sort)&limit=5"
    while let page = path {
      let answer = try await bench.ask(page)
      let images = try #require(answer.json["images"] as? [[String: Any]])
      ids += images.compactMap { $0["id"] as? Int }
      let link = answer.fields[HTTPField.Name("Link")!]
      path = link.map { String($0.dropFirst().prefix { $0 != ">" }) }
      #expect((answer.json["next"] is String) == (path != nil))
    }

    #expect(ids.count == 12)
    #expect(Set(ids).count == 12)
  }

  /// Each trap would end this process.
  @Test func `no number in any place of a request is a failure of the server`() async throws {
    let bench = try await ServerBench()
    let names = ["limit", "after", "since", "feed", "seconds", "hashes", "v", "types", "q"]
    let event = try #require(HTTPField.Name("Last-Event-ID"))
    var asked = 0
    for number in [
      "0", "-1", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e308",
    ] {
      let cursor = Array(repeating: number, count: 3).joined(separator: ".")
      let queries = names.map { "?\($0)=\(number)" } + ["", "?after=\(cursor)", "?since=\(cursor)"]
      var fields = ServerBench.admin
      fields[.range] = "bytes=\(number)-\(number)"
      fields[.ifNoneMatch] = number
      fields[event] = cursor
      for route in bench.server.router.routes where route.method == .get {
        // A stream of events has no end.
        guard !"\(route.path)".hasSuffix("/events") else { continue }
        let path = "\(route.path)".replacing(/:\w+|\{\w+\}/, with: number)
        for query in queries {
          let answer = try await bench.ask(path + query, .get, fields)
          #expect(answer.status < 500 || answer.status == 501, "\(path)\(query): \(answer.text)")
          asked += 1
        }
      }
    }
    #expect(asked > 1_000)
    #expect(try await bench.ask("/api/v1/images").status == 200)
  }

  @Test func `a list never names where originals come from`() async throws {
    let bench = try await ServerBench()

    #expect(!(try await bench.ask("/api/v1/images").text.contains("originalURL")))
    #expect(!(try await bench.ask("/api/v1/images").text.contains("/originals/")))
    #expect(try await bench.ask("/api/v1/images/1").json.keys.contains("originalURL"))
  }

  @Test func `a list has the camera and the time of each picture, as far as they are known`()
    async throws
  {
    let bench = try await ServerBench()
    _ = try await bench.ask("/images/1/original")
    let details = try await bench.ask("/api/v1/images/1").json["details"] as? [String: Any]

    let images = try await bench.ask("/api/v1/images").json["images"] as? [[String: Any]]

    let listed = try #require(images)
    #expect(listed.allSatisfy { $0.keys.contains("camera") && $0.keys.contains("taken") })
    let first = listed.first { $0["id"] as? Int == 1 }
    #expect(first?["camera"] as? String == details?["camera"] as? String)
    #expect(listed.allSatisfy { $0["pinned"] == nil && $0["original"] == nil })
  }

  /// The library's feed is a file, and names files.
  @Test func `tells nobody the address of a file, whatever the token`() async throws {
    let bench = try await ServerBench()
    let place = URL(filePath: Checkout.demoFeed).deletingLastPathComponent().path
    _ = try await bench.ask("/images/1/original")
    _ = try await bench.ask("/api/v1/images/2/pin", .put)
    let readers = [ServerBench.admin, try bench.token(LibraryPart())]
    let root = try await bench.ask("/api/v1/tree/root").json
    let node = (root["feeds"] as? [[String: Any]])?.first?["hash"] as? String
    let paths = [
      "/", "/feeds", "/feeds/1", "/images/1", "/search?q=dandelion", "/frame", "/api/v1/images",
      "/api/v1/images/1", "/api/v1/feeds", "/api/v1/timeline", "/api/v1/changes",
      "/api/v1/tree/root", "/api/v1/tree/\(node ?? "")", "/api/v1/jobs", "/feeds/1.json",
      "/feeds/1.rss", "/feeds/1.atom", "/images.json", "/iiif/feeds/1/manifest.json", "/metrics",
    ]

    for path in paths {
      for reader in readers {
        let answer = try await bench.ask(path, .get, reader)
        #expect(answer.status == 200, "\(path)")
        #expect(!answer.text.contains("file:") && !answer.text.contains(place), "\(path)")
      }
    }
    let image = try await bench.ask("/api/v1/images/1").json
    #expect(image["originalURL"] is NSNull && image["feedURL"] is NSNull)
    let feeds = try await bench.ask("/api/v1/feeds").json["feeds"] as? [[String: Any]]
    #expect(feeds?.map { $0["url"] is NSNull } == [true])
    let removed = try await bench.ask("/api/v1/feeds/1", .delete)
    #expect(removed.status == 200 && !removed.text.contains("file:"))
  }

  @Test func `tells nobody why a file could not be read by its address`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let folder = try ScratchFolder()
    let file = "\(folder.path)/feed.json"
    try Data(#"[{"url": "away.jpg", "title": "Away"}]"#.utf8).write(to: URL(filePath: file))
    try await bench.sync("file://\(file)")
    let original = try await bench.ask("/images/1/original")
    try FileManager.default.removeItem(atPath: file)
    let job = try await bench.endOfJob(try await bench.send("/api/v1/sync", "{}"))
    let pages = try await [
      bench.ask("/feeds"), bench.ask("/feeds/1"), bench.ask("/images/1"),
      bench.ask("/api/v1/feeds"), bench.ask("/api/v1/images/1"), original,
    ]

    #expect(original.status >= 400)
    #expect("\(job)".contains("a file of the gallery"))
    for text in pages.map(\.text) + ["\(job)"] {
      #expect(!text.contains("file:/") && !text.contains(folder.path), "\(text)")
    }
  }

  @Test func `tells no paths of this machine's library`() async throws {
    let bench = try await ServerBench()
    _ = try await bench.ask("/images/1/original")

    let image = try await bench.ask("/api/v1/images/1").json

    let original = try #require(image["original"] as? [String: Any])
    #expect(original["sha256"] is String)
    #expect(original["file"] == nil)
  }

  private static let problems = [
    ("/api/v1/images?sort=random", 400), ("/api/v1/images?limit=0", 400),
    ("/api/v1/images?limit=1001", 400), ("/api/v1/images?since=yesterday", 400),
    ("/api/v1/images?since=", 400), ("/api/v1/timeline?q=%12", 400), ("/random?q=%12", 400),
    ("/api/v1/images?feed=x", 400), ("/api/v1/images?after=x", 400),
    ("/api/v1/images/99", 404), ("/api/v1/images/x", 404), ("/api/v1/timeline/7", 404),
    ("/api/v1/jobs/1", 404), ("/api/v1/nothing", 404),
  ]

  @Test(arguments: problems)
  func `a problem has no body when only its header is asked for`(path: String, status: Int)
    async throws
  {
    let answer = try await ServerBench().ask(path, .head)

    #expect(answer.status == status)
    #expect(answer.bytes.isEmpty && answer.fields[.contentLength] != "0")
  }

  @Test func `a body against the rules of HTTP is the client's mistake`() {
    #expect(AnswerMiddleware.problem(HTTPParserError.invalidChunkSize).status == 400)
  }

  @Test(arguments: problems)
  func `says what is wrong with a request`(path: String, status: Int) async throws {
    let answer = try await ServerBench().ask(path)

    #expect(answer.status == status)
    #expect(answer.fields[.contentType] == "application/problem+json")
    #expect(answer.json["status"] as? Int == status)
    #expect(answer.json["title"] is String)
  }

  @Test func `a timeline counts every image, and its buckets have them`() async throws {
    let bench = try await ServerBench()

    let timeline = try await bench.ask("/api/v1/timeline").json
    let buckets = try #require(timeline["buckets"] as? [[String: Any]])
    #expect(timeline["total"] as? Int == 12)
    #expect(buckets.compactMap { $0["count"] as? Int }.reduce(0, +) == 12)
    #expect(buckets.allSatisfy { ($0["month"] as? String)?.hasPrefix("20") == true })

    var ids: [Int] = []
    for bucket in buckets {
      let key = try #require(bucket["key"] as? String)
      let version = try #require(timeline["version"] as? String)
      let answer = try await bench.ask("/api/v1/timeline/\(key)?v=\(version)")
      ids += answer.json["ids"] as? [Int] ?? []
      #expect((answer.json["thumbnails"] as? [String])?.allSatisfy { $0.count == 64 } == true)
    }
    let listed = try await bench.ask("/api/v1/images").json["images"] as? [[String: Any]]
    #expect(ids == listed?.compactMap { $0["id"] as? Int })
    #expect(try await bench.ask("/api/v1/timeline/0?v=999999").status == 409)
  }

  @Test func `a bucket is asked for again until all colours are known, and then never`()
    async throws
  {
    let bench = try await ServerBench()
    let timeline = try await bench.ask("/api/v1/timeline").json
    let version = try #require(timeline["version"] as? String)
    let address = "/api/v1/timeline/0?v=\(version)"

    let first = try await bench.ask(address)
    var last = first
    while last.fields[.cacheControl] == "no-cache" { last = try await bench.ask(address) }

    let count = try #require(first.json["ids"] as? [Int]).count
    // If the sync took long, some colours are already there.
    let waits = (first.json["colours"] as? String)?.contains(String(repeating: "A", count: 48))
    #expect(waits == (first.fields[.cacheControl] == "no-cache"))
    #expect(waits == (first.fields[.eTag] != nil))
    #expect(last.fields[.cacheControl] == "private, max-age=31536000, immutable")
    let colours = Data(base64Encoded: last.json["colours"] as? String ?? "") ?? Data()
    #expect(colours.count == 36 * count)
    #expect(last.json["ids"] as? [Int] == first.json["ids"] as? [Int])
    for image in 0..<count { #expect(Set(colours.dropFirst(36 * image).prefix(36)).count > 3) }
    #expect(try await bench.ask("/api/v1/timeline").json["version"] as? String == version)
    await bench.server.colours.close()
  }

  @Test func `follows a feed, removes it, and pins an image`() async throws {
    let bench = try await ServerBench()

    #expect(try await bench.ask("/api/v1/images/1/pin", .put).status == 204)
    #expect(try await bench.ask("/api/v1/images/1").json["pinned"] as? Bool == true)
    #expect(try await bench.ask("/api/v1/images/1/pin", .delete).status == 204)
    #expect(try await bench.ask("/api/v1/images/1").json["pinned"] as? Bool == false)
    #expect(try await bench.ask("/api/v1/images/99/pin", .put).status == 404)

    let removed = try await bench.ask("/api/v1/feeds/1", .delete)
    #expect(removed.json["images"] as? Int == 12)
    #expect(try await bench.ask("/api/v1/images").text.hasPrefix(#"{"images":[],"#))
    #expect(try await bench.ask("/api/v1/feeds/1", .delete).status == 404)
  }

  @Test func `syncs, and tells how far it is`() async throws {
    let bench = try await ServerBench()

    let answer = try await bench.send("/api/v1/sync", "{}")
    let job = try await bench.endOfJob(answer)

    #expect(answer.status == 202)
    #expect(job["state"] as? String == "done")
    #expect(job["ended"] as? Int == 1)
    let text = try #require(job["text"] as? String)
    #expect(text.contains("unchanged"))
  }

  @Test func `answers that nothing has changed until something is different`() async throws {
    let bench = try await ServerBench()
    var fields = ServerBench.admin
    fields[.ifNoneMatch] = try await bench.ask("/api/v1/feeds").fields[.eTag]
    #expect(try await bench.ask("/api/v1/feeds", .get, fields).status == 304)

    // The feed has not changed, so the library has not changed either, but the feed's status has.
    _ = try await bench.endOfJob(bench.send("/api/v1/sync", "{}"))
    let after = try await bench.ask("/api/v1/feeds", .get, fields)
    #expect(after.status == 200)
    #expect(after.text.contains(#""status":"unchanged""#))
  }

  @Test(arguments: [
    "/etc/passwd", "file:///etc/passwd", "-", "stdin:", "", "7", "javascript:alert(1)",
    "gopher://example.com/", "htps://example.com/", "http:/example.com/",
  ])
  func `follows only feeds of the web`(address: String) async throws {
    let bench = try await ServerBench(syncing: nil)

    let answer = try await bench.send("/api/v1/feeds", #"{"url":"\#(address)"}"#)

    #expect(answer.status == 422)
  }

  @Test func `a feed that a page has named does not lead to private addresses`() async throws {
    let bench = try await ServerBench(syncing: nil)

    let answer = try await bench.send("/api/v1/feeds", #"{"url":"http://127.0.0.1:9/feed"}"#)
    let job = try await bench.endOfJob(answer)

    let problems = try #require(job["problems"] as? [String])
    #expect(problems.contains { $0.contains("private address") }, "\(problems)")
  }

  @Test(arguments: ["127.0.0.1:9/feed", "[::1]:9/feed", "127.0.0.1:9"])
  func `the address of a new feed needs no scheme`(address: String) async throws {
    let bench = try await ServerBench(syncing: nil)

    let answer = try await bench.send("/api/v1/feeds", #"{"url":"\#(address)"}"#)
    let job = try await bench.endOfJob(answer)

    let problems = try #require(job["problems"] as? [String])
    #expect(problems.contains { $0.contains("http://\(address)") }, "\(problems)")
  }

  @Test(arguments: ["", "[]", "{", #"{"url":7}"#, "null"])
  func `refuses a body that it does not take`(body: String) async throws {
    #expect(try await ServerBench(syncing: nil).send("/api/v1/feeds", body).status == 422)
  }

  // MARK: The description

  @Test func `describes every route of the API, and no other`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let document = try await bench.ask("/api/v1/openapi.json").json
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    var described: Set<String> = []
    for (path, methods) in paths where path.hasPrefix("/api/") {
      for method in methods.keys { described.insert("\(method.uppercased()) \(path)") }
    }

    let routes = bench.server.router.routes.map { "\($0.method) \($0.path)" }
      .map { $0.replacing(/:(\w+)/) { "{\($0.1)}" } }
      .filter { $0.contains(" /api/") && !$0.hasPrefix("HEAD") }

    #expect(Set(routes) == described)
  }
}
