import Foundation
import TestSupport

/// The web site that the documentation uses: `https://example.com`.
///
/// It serves the demo feed of this checkout as `/photos.xml`, and two small documents.
final class DocumentedSite: Sendable {
  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer { request in
      guard let body = Self.body(of: request.target) else { return .whole([], status: 404) }
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
    // The site is on this machine, which a document on disk may reach only with permission.
    return line.replacing("https://example.com", with: "http://\(host)")
      .replacing("example.com", with: host)
      .replacing(/sync (-|feeds\.opml)$/) { "sync --allow-private \($0.1)" }
  }

  /// The output with the address of the site on the page.
  func delocalized(_ output: String) -> String {
    output.replacing("http://127.0.0.1:\(server.port)", with: "https://example.com")
  }

  private static func body(of target: String) -> [UInt8]? {
    switch target {
    case "/photos.xml": file("feed.xml")
    case "/missing-picture.xml": Array(feedOfMissingPicture.utf8)
    case "/book/manifest.json": Array(manifest.utf8)
    default: file(String(target.dropFirst()))
    }
  }

  private static func file(_ path: String) -> [UInt8]? {
    let file = Checkout.folder.appending(path: "Scripts/demo-feed").appending(path: path)
    return FileManager.default.contents(atPath: file.path).map { Array($0) }
  }

  private static let feedOfMissingPicture = """
    <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
    <title>One picture is missing</title>
    <item><title>A bird</title><guid>b</guid><pubDate>Sun, 01 Nov 2026 08:00:00 GMT</pubDate>
    <media:content url="/originals/08-nuthatch.jpg" type="image/jpeg"/>
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
