import Models
import Workers

/// A beginning, the input many times, and an end.
///
/// Code whose time grows faster than its input takes much too long here.
struct RepeatedTarget: FuzzTarget {
  let name: String
  let dictionary: String
  let opening: String
  let closing: String
  let seeds: [Seed]

  static let all: [any FuzzTarget] = [
    RepeatedTarget(
      name: "repeated-rss",
      dictionary: "feed",
      opening: """
        <rss xmlns:media="http://search.yahoo.com/mrss/" version="2.0"><channel><item><title>
        """,
      closing: "</title></item></channel></rss>",
      seeds: [
        .text("</title><enclosure url='a.jpg' type='image/jpeg'/></item><item><title>&amp;"),
        .text("</title><media:group><media:content url='a.jpg' width='9'/></media:group><title>"),
        .text("</title><description>&lt;img src='a.jpg'&gt;</description><title>"),
      ]
    ),
    RepeatedTarget(
      name: "repeated-json",
      dictionary: "json",
      opening: #"[{"title": ""#,
      closing: #""}]"#,
      seeds: [
        .text(#""}, {"url": "a.jpg", "title": "\u00e4"#), .text(#"", "sizes": [{"src": "a.jpg"#),
      ]
    ),
    RepeatedTarget(
      name: "repeated-markup",
      dictionary: "markup",
      opening: "<rss><channel><item><description><![CDATA[",
      closing: "]]></description></item></channel></rss>",
      seeds: [
        .text("<a href='b.jpg'><img srcset='a.jpg 1x, b.jpg 320w'></a>"), .text("<!-- - -->&lt;"),
      ]
    ),
  ]

  /// 1/2048 of the longest document (512 MiB): quadratic code that needs a second here would need weeks there.
  private static let length = 256 << 10

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    guard !input.isEmpty, let address = WebAddress("https://example.org/feed") else { return }
    var bytes = Array(opening.utf8)
    while bytes.count < Self.length { bytes += input }
    bytes += closing.utf8
    let source = FeedSource(address: address)
    try FeedProperties(source: source, count: bytes.count)
      .check(FeedResult([bytes[...]], from: source))
  }
}
