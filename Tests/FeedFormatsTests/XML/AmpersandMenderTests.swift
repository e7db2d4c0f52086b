import Testing

@testable import FeedFormats

struct AmpersandMenderTests {
  @Test(arguments: [
    ("a &amp; b &lt;", "a &#38; b &#60;"),
    ("a & b", "a &amp; b"),
    ("?a=1&b=2&copy=3", "?a=1&amp;b=2&amp;copy=3"),
    ("&eacute;&#233;&#x41;", "&#233;&#233;&#65;"),
    ("&unknown;", "&amp;unknown;"),
    ("<![CDATA[a & b]]> & c", "<![CDATA[a & b]]> &amp; c"),
    ("<!-- & --> &", "<!-- & --> &amp;"),
    ("&#0;", "&amp;#0;"),
  ])
  func `makes every ampersand begin a reference`(input: String, output: String) {
    for chunk in [1, 2, 5, 1000] {
      #expect(mended(input, chunk: chunk) == output)
    }
  }

  private func mended(_ text: String, chunk: Int) -> String {
    var mender = AmpersandMender()
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      output += mender.mend(rest.prefix(chunk))
      rest = rest.dropFirst(chunk)
    }
    return String(decoding: output + mender.finish(), as: UTF8.self)
  }
}
