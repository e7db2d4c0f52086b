import Models
import TestSupport
import Workers

/// A small web site with a feed of three photographs, which answers conditional requests.
final class PhotoSite: Sendable {
  let server: LoopbackServer
  private let pages: Locked<[String: Page]>

  struct Page: Sendable {
    var type: String
    var body: [UInt8]
    /// Header fields in addition to those of every page.
    var fields: [String] = []
    /// Delays the response until it is open.
    var gate: Gate?
  }

  init() throws {
    let pages = Locked(Self.pages)
    self.pages = pages
    server = try LoopbackServer { request in Self.response(to: request, pages) }
  }

  /// The response to a request, for a server that differs in some responses.
  func response(to request: LoopbackRequest) -> LoopbackResponse {
    Self.response(to: request, pages)
  }

  /// The address of the Media RSS feed.
  var feed: String { address("/photos.xml") }

  func address(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  /// Adds, replaces or removes a page.
  func set(_ path: String, _ page: Page?) { pages.withLock { $0[path] = page } }

  /// The page at a path.
  func page(_ path: String) -> Page? { pages.withLock { $0[path] } }

  /// The paths of all requests so far.
  var targets: [String] { server.requests.map(\.target) }

  private static func response(
    to request: LoopbackRequest,
    _ pages: Locked<[String: Page]>
  ) -> LoopbackResponse {
    let path = request.target.prefix { $0 != "?" }
    guard let page = pages.withLock({ $0[request.target] ?? $0[String(path)] }) else {
      return .whole(Array("no such page".utf8), status: 404)
    }
    let response = response(to: request, page)
    return page.gate.map(response.held) ?? response
  }

  private static func response(to request: LoopbackRequest, _ page: Page) -> LoopbackResponse {
    let tag = "\"\(page.body.count)-\(request.target.utf8.reduce(0) { $0 &* 31 &+ Int($1) })\""
    if request["If-None-Match"] == tag {
      return .whole([], status: 304, fields: ["ETag: \(tag)"])
    }
    return .whole(
      page.body,
      fields: ["ETag: \(tag)", "Content-Type: \(page.type)"] + page.fields
    )
  }

  private static var pages: [String: Page] {
    var pages: [String: Page] = [:]
    for (name, width) in [("moon", 4000), ("sun", 3000), ("stars", 2000)] {
      pages["/\(name).jpg"] = Page(
        type: "image/jpeg",
        body: TestPicture.jpeg(width: width, height: 1000, filling: width)
      )
      pages["/\(name)-small.jpg"] = Page(
        type: "image/jpeg",
        body: TestPicture.jpeg(width: 320, height: 80, filling: 10)
      )
    }
    pages["/photos.xml"] = Page(type: "application/rss+xml", body: Array(feed.utf8))
    return pages
  }

  private static let feed = """
    <?xml version="1.0"?>
    <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
    <title>Night sky</title>
    <item><title>Moon</title><guid>m</guid><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate>
    <media:content url="/moon.jpg" type="image/jpeg" width="4000" height="1000"/>
    <media:thumbnail url="/moon-small.jpg"/></item>
    <item><title>Sun</title><guid>s</guid><pubDate>Sun, 01 Nov 2026 08:00:00 GMT</pubDate>
    <media:content url="/sun.jpg" type="image/jpeg"/>
    <media:thumbnail url="/sun-small.jpg"/></item>
    <item><title>Stars &amp; \u{1B}[31mred</title><guid>r</guid>
    <pubDate>Sat, 31 Oct 2026 08:00:00 GMT</pubDate>
    <description>Orion over the étang</description>
    <media:content url="/stars.jpg" type="image/jpeg"/>
    <media:thumbnail url="/stars-small.jpg"/></item>
    </channel></rss>
    """.replacing("\u{1B}", with: "&#x202E;")
}

/// Replaces the parts that differ between runs, so that tests can compare whole outputs.
func steady(_ text: String, site: PhotoSite) -> String {
  withoutProgress(text).replacing("127.0.0.1:\(site.server.port)", with: "site")
    .replacing(/"bytes":\d+,"seconds":[\d.]+/, with: "\"bytes\":B,\"seconds\":S")
    .replacing(/[\d.]+ (?:[KM]i)?B in (?:\d+ min )?[\d.]+ s/, with: "SIZE in TIME")
    .replacing(/2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ(?=[\t"])/, with: { date($0.output) })
}

/// The records of a sync without those of its progress, which only a sync of some seconds prints.
func withoutProgress(_ records: String) -> String {
  records.replacing(/(?m)^\{"event":"progress","feeds":.*\n/, with: "")
}

/// Keeps the feed's own dates, and replaces today's.
private func date(_ text: Substring) -> String {
  ["2026-11-02", "2026-11-01", "2026-10-31"].contains { text == "\($0)T08:00:00Z" }
    ? String(text) : "NOW"
}
