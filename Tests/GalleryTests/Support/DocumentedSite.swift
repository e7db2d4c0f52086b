import Foundation
import TestSupport

/// The web sites that the documentation uses: `https://example.com`, and doubles of two real ones.
///
/// The first serves the demo feed of this checkout as `/photos.xml`, and two small documents. The others serve its
/// photographs in documents of the shape that the real sites have.
final class DocumentedSite: Sendable {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer { request in
      guard let body = Self.body(of: request.target, at: request["Host"] ?? "") else {
        return .whole([], status: 404)
      }
      let tag = "\"\(body.count)\""
      if request["If-None-Match"] == tag {
        return .whole([], status: 304, fields: ["ETag: \(tag)"])
      }
      return .whole(body, fields: ["ETag: \(tag)"])
    }
  }

  /// A shell command that requests this site instead of the one on the page.
  func localized(_ line: String) -> String {
    let host = "127.0.0.1:\(server.port)"
    let line = Self.doubles.reduce(line) { line, name in
      line.replacing("https://\(name)", with: "http://\(host)/\(name)")
    }
    // The site is on this machine, which a document on disk may reach only with permission.
    return line.replacing("https://example.com", with: "http://\(host)")
      .replacing("example.com", with: host)
      .replacing(/sync (-(?: --as \w+)?|feeds\.opml)$/) { "sync --allow-private \($0.1)" }
  }

  /// The output with the address of the site on the page.
  func delocalized(_ output: String) -> String {
    let address = "http://127.0.0.1:\(server.port)"
    return Self.doubles.reduce(output) { $0.replacing("\(address)/\($1)", with: "https://\($1)") }
      .replacing(address, with: "https://example.com")
  }

  private static func body(of target: String, at host: String) -> [UInt8]? {
    switch target {
    case "/photos.xml": file("feed.xml")
    case "/www.nasa.gov/feeds/iotd-feed/": Array(nasaFeed(at: host).utf8)
    case "/picsum.photos/v2/list?limit=5": Array(picsumList.utf8)
    case "/missing-picture.xml": Array(feedOfMissingPicture.utf8)
    case "/book/manifest.json": Array(manifest.utf8)
    default: file(String(target.dropFirst()))
    }
  }

  private static func file(_ path: String) -> [UInt8]? {
    let file = Checkout.folder.appending(path: "Scripts/demo-feed").appending(path: path)
    return FileManager.default.contents(atPath: file.path).map { Array($0) }
  }

  /// The hosts of the real sites, which are folders of the double.
  private static let doubles = ["www.nasa.gov", "picsum.photos"]

  private static let photographs = [
    "01-dandelion", "02-picos-de-europa", "03-stream", "04-aitzgorri", "05-friends", "06-fig",
    "07-brushes", "08-nuthatch", "09-after-the-rain", "10-swallowtail", "11-meadow-flowers",
    "12-hubble-deep-field",
  ]

  private static func nasaFeed(at host: String) -> String {
    let titles = [
      "Dandelions on the Launch Pad", "Mountains Under a Full Moon", "A Stream Seen by Landsat",
      "Clouds Over the Coast", "Astronauts Greet Their Friends", "Half a World in Sunlight",
      "Painting the Mission Patch", "A Visitor at Wallops", "After the Rain in Florida",
      "A Butterfly Nebula", "Flowers of the Space Station", "Hubble Looks Deep Into the Past",
    ]
    let items = zip(photographs, titles).enumerated().map { index, item in
      """
      <item><title>\(item.1)</title><link>https://www.nasa.gov/image-detail/\(item.0)/</link>
      <guid isPermaLink="false">https://www.nasa.gov/?post_type=image-detail&amp;p=\(900 - index)</guid>
      <pubDate>\(27 - index) Nov 2026 16:30:00 +0000</pubDate>
      <description>\(item.1).</description>
      <enclosure url="http://\(host)/originals/\(item.0).jpg" length="1" type="image/jpeg"/></item>
      """
    }
    return """
      <rss version="2.0"><channel><title>NASA Image of the Day</title>
      <link>https://www.nasa.gov</link>\(items.joined())</channel></rss>
      """
  }

  private static let picsumList: String = {
    let items = photographs.prefix(5).enumerated().map { index, name in
      """
      {"id":"\(index)","author":"Jo Berg","width":2400,"height":1600,
       "url":"https://unsplash.com/photos/\(index)","download_url":"/originals/\(name).jpg"}
      """
    }
    return "[\(items.joined(separator: ","))]"
  }()

  private static let feedOfMissingPicture = """
    <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
    <title>One picture is missing</title>
    <item><title>A bird</title><guid>b</guid><pubDate>Sun, 01 Nov 2026 08:00:00 GMT</pubDate>
    <media:content url="/originals/missing.jpg" type="image/jpeg"/>
    <media:thumbnail url="/thumbnails/missing.jpg"/></item>
    </channel></rss>
    """

  private static let manifest = """
    {"@context": "http://iiif.io/api/presentation/3/context.json",
     "id": "https://example.org/book", "type": "Manifest", "label": {"en": ["A book of hours"]},
     "metadata": [{"label": {"en": ["Date"]}, "value": {"en": ["about 1450"]}}],
     "requiredStatement": {"label": {"en": ["From"]}, "value": {"en": ["An old library"]}},
     "rights": "https://creativecommons.org/publicdomain/zero/1.0/",
     "homepage": [{"id": "https://example.org/hours", "type": "Text", "label": {"en": ["The book"]}}],
     "items": [\(canvas(1, "07-brushes")), \(canvas(2, "08-nuthatch"))]}
    """

  private static func canvas(_ number: Int, _ name: String) -> String {
    """
    {"id": "https://example.org/\(number)", "type": "Canvas", "width": 2400, "height": 1600,
     "label": {"en": ["page \(number)"]},
     "thumbnail": [{"id": "/thumbnails/\(name).jpg", "type": "Image"}],
     "items": [{"id": "https://example.org/\(number)/1", "type": "AnnotationPage", "items": [
      {"id": "https://example.org/\(number)/2", "type": "Annotation", "motivation": "painting",
       "target": "https://example.org/\(number)",
       "body": {"id": "/originals/\(name).jpg", "type": "Image", "format": "image/jpeg"}}]}]}
    """
  }
}
