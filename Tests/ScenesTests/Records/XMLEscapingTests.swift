import Scenes
import Testing

struct XMLEscapingTests {
  @Test(arguments: [
    ("a & b < c > \"d\" 'e'", "a &amp; b &lt; c &gt; &quot;d&quot; 'e'"),
    ("étang 🌕", "étang 🌕"),
    ("a\u{1B}[31m\u{0}b\u{FFFE}c\u{FFFF}d", "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}c\u{FFFD}d"),
    ("a\tb\nc", "a&#x9;b&#xA;c"),
    ("a\u{9B}1mb\u{202E}c", "a&#x9B;1mb&#x202E;c"),
  ])
  func `makes text harmless for XML and for a terminal`(text: String, escaped: String) {
    #expect(XMLEscaping.escaped(text) == escaped)
  }
}
