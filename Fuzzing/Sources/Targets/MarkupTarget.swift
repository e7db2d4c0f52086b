import Models
import Workers

@testable import FeedFormats

/// Extracts the pictures and links of HTML, and its text in one line.
struct MarkupTarget: FuzzTarget {
  let name = "markup"
  let dictionary = "markup"

  let seeds: [Seed] = [
    .text(
      """
      <p>A <a href="large.jpg" title='b &amp; c'><img src=small.jpg width="320" height=213
      srcset="a.jpg 1x, b.jpg?a=1,2 2.5x" alt></a><br/>&lt;&#x1F600;&nbsp;<!-- - --></p>
      """
    ),
    .text(
      """
      <picture><source srcset="a.webp 200w, b.webp 800w" type="image/webp"><img data-src="c.png"
      style="width: 10px; display:none" class="wp-smiley"></picture><a href="x">[link]</a>
      """
    ),
    .text("&lt;img src=&quot;a.jpg&quot;&gt;<script>a</script><base href='//b/'>"),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let span = input.span
    let pictures = HTMLPictures.read(span).images
    let addresses = pictures.reduce(0) { $0 + $1.renditions.count }
    try require(addresses <= 2 * FormatLimits.picturesPerEntry, "\(addresses) pictures")
    try requireLine(PlainText.line(of: String(decoding: input, as: UTF8.self), limit: 100))
    guard let address = WebAddress("https://example.org/a/b") else { return }
    for feed in PageLinks.all(in: span, at: address) {
      try require(feed.isWeb, "a page names \(feed.text)")
    }
    try readInEntry(input, at: address)
  }

  private func requireLine(_ line: String?) throws(BrokenProperty) {
    guard let line else { return }
    let breaks = line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    try require(!breaks, "more than a line: \(line.debugDescription)")
    try require(line.utf8.count <= 100, "a line of \(line.utf8.count) bytes")
  }

  /// Reads the same HTML as the text of an entry.
  private func readInEntry(_ input: [UInt8], at address: WebAddress) throws(BrokenProperty) {
    let opening = "<rss version='2.0'><channel><item><title>A</title><description><![CDATA["
    let bytes = Array(opening.utf8) + input + "]]></description></item></channel></rss>".utf8
    let source = FeedSource(address: address)
    try FeedProperties(source: source, count: bytes.count)
      .check(FeedResult([bytes[...]], from: source))
  }
}
