import Models
import Testing

@testable import Workers

struct ContentKindTests {
  @Test(arguments: [
    ("", "an empty file"),
    ("<!-- a --> <!DOCTYPE HTML>\n<p>Sorry", "an HTML page"),
    ("\u{FEFF}<?xml version=\"1.0\"?><html xmlns=\"…\">", "an HTML page"),
    ("<script>go()</script>", "an HTML page"),
    ("<?xml version=\"1.0\"?><rss/>", "an XML document"),
    ("<svg/>", "an SVG image"),
    ("\n {\"error\": 404}", "a JSON document"),
    ("[1, 2]", "a JSON document"),
    ("%PDF-1.7\n", "a PDF document"),
    ("PK\u{3}\u{4}\u{14}", "an archive"),
    ("\u{0}\u{0}\u{0}\u{18}ftypmp42\u{0}\u{0}\u{0}\u{0}", "a film"),
    ("Not found", "text"),
    ("\u{1}\u{2}\u{3}", "unknown data"),
  ])
  func `names what a document looks like`(text: String, noun: String) {
    #expect(ContentKind(Array(text.utf8)).noun == noun)
  }

  @Test func `names a picture by its format`() {
    #expect(ContentKind(PictureBytes.jpeg).noun == "a JPEG image")
    #expect(ContentKind(PictureBytes.avif) == .image(.avif))
  }
}
