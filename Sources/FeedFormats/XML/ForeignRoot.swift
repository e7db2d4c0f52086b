/// Says what a document is by the name of its root, when it is no feed.
enum ForeignRoot {
  /// A noun with its article.
  static func description(of name: String) -> String {
    if let known = known[name.lowercased()] { return known }
    return "XML with the root element '\(name)'"
  }

  private static let known = [
    "html": "an HTML page", "head": "an HTML page", "body": "an HTML page",
    "div": "an HTML page", "script": "an HTML page", "svg": "an SVG image", "urlset": "a sitemap",
    "sitemapindex": "a sitemap", "plist": "a property list", "kml": "a KML map",
    "gpx": "a GPX track", "playlist": "a playlist", "xmpmeta": "XMP metadata",
  ]
}
