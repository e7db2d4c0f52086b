import Models
import Workers

/// Reads documents with the whole reader, at once and in pieces.
///
/// The same code reads all formats. Separate targets keep a separate collection of documents for each format.
struct FeedTarget: FuzzTarget {
  let name: String
  let dictionary: String
  let seeds: [Seed]

  static let all: [any FuzzTarget] = [
    FeedTarget(
      name: "feed",
      dictionary: "feed",
      seeds: [.documents("encoding"), .documents("malformed"), .documents("")]
    ),
    FeedTarget(
      name: "rss",
      dictionary: "feed",
      seeds: [.documents("rss-enclosure"), .documents("rss-html"), .documents("mediarss")]
    ),
    FeedTarget(name: "atom", dictionary: "feed", seeds: [.documents("atom")]),
    FeedTarget(name: "rdf", dictionary: "feed", seeds: [.documents("rdf")]),
    FeedTarget(name: "opml", dictionary: "feed", seeds: [.documents("opml")]),
    FeedTarget(
      name: "json",
      dictionary: "json",
      seeds: [.documents("json"), .documents("jsonfeed"), .documents("feedkit.json")]
    ),
    FeedTarget(name: "iiif", dictionary: "json", seeds: [.documents("iiif")]),
    FeedTarget(name: "page", dictionary: "markup", seeds: [.text(page)]),
  ]

  private static let page = """
    <!DOCTYPE html><html><head><base href="/a/"><title>Pictures</title><!-- none -->
    <script>if (1 < 2) "</scrip"</script><link rel='alternate' type="application/json" href=all>
    <link rel="alternate home" type="application/rss+xml; charset=utf-8" href="feed.xml"></head>
    """

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    var choices = Choices(input)
    let bytes = Self.lengthened(input, &choices)
    let source = Self.source(&choices)
    let whole = FeedResult([bytes[...]], from: source)
    let inPieces = FeedResult(choices.pieces(of: bytes), from: source)
    try requireEqual(whole, inPieces, "a document at once, and in pieces")
    let isPacked = bytes.starts(with: [0x1F, 0x8B])
    try FeedProperties(source: source, count: isPacked ? 1 << 30 : bytes.count).check(whole)
  }

  /// Puts spaces before some inputs, so that short documents also arrive in parts.
  ///
  /// The reader waits for the first 4,096 bytes to recognize the kind of a document. The spaces do not change the
  /// document.
  private static func lengthened(_ input: [UInt8], _ choices: inout Choices) -> [UInt8] {
    guard Bool.random(using: &choices), input.first.map({ $0 >= 0x20 && $0 < 0x7F }) ?? false else {
      return input
    }
    let count = Int.random(in: 3000..<4096, using: &choices)
    return [UInt8](repeating: 0x20, count: count) + input
  }

  private static func source(_ choices: inout Choices) -> FeedSource {
    let addresses = ["https://example.org/folder/feed", "file:///folder/feed.xml"]
    let text = addresses[Int.random(in: 0..<8, using: &choices) / 7]
    guard let address = WebAddress(text) else { fatalError("'\(text)' is an address") }
    return FeedSource(address: address)
  }
}
