import Scenes

/// A list of feeds as other programs read it (OPML 2.0, https://opml.org/spec2.opml).
enum OPMLDocument {
  /// The whole document; `created` is a date after RFC 822, with a year of four digits.
  static func text(of feeds: [FeedRecord], created: String) -> String {
    // What came through a pipe is nowhere to be asked for, and a list's feeds are named themselves.
    let outlines = feeds.filter { !$0.url.hasPrefix("stdin:") && $0.listedFeeds == nil }
      .map(outline).joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head>
          <title>Feeds of gallery</title>
          <dateCreated>\(created)</dateCreated>
        </head>
        <body>
      \(outlines)  </body>
      </opml>

      """
  }

  /// `rss` is what the specification calls every kind of feed; a feed without a title goes by its
  /// address, for a text it must have.
  private static func outline(_ feed: FeedRecord) -> String {
    let name = XMLAttribute.escaped(feed.title ?? feed.url)
    let address = XMLAttribute.escaped(feed.url)
    return """
          <outline type="rss" text="\(name)" title="\(name)" xmlUrl="\(address)"/>

      """
  }
}
