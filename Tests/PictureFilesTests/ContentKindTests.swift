import Models
import TestSupport
import Testing

@testable import PictureFiles

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
    (
      "\u{0}\u{0}\u{0}\u{18}ftypmif1\u{0}\u{0}\u{0}\u{0}unifmiaf",
      "a HEIF image of a coding that is not known"
    ),
    (
      "\u{0}\u{0}\u{0}\u{10}ftypmif3vvic", "a HEIF image of a coding that is not known"
    ),
    ("8BPS\u{0}\u{1}", "a Photoshop document"), ("P1 1 1\n0", "a PNM image"),
    ("Not found", "text"),
    ("\u{1}\u{2}\u{3}", "unknown data"),
  ])
  func `names what a document looks like`(text: String, noun: String) {
    #expect(ContentKind(Array(text.utf8)).noun == noun)
  }

  @Test func `names a picture by its format`() {
    #expect(ContentKind(PictureBytes.jpeg).noun == "a JPEG image")
    #expect(ContentKind(PictureBytes.bareJPEG2000).noun == "a JPEG 2000 image")
    #expect(ContentKind(PictureBytes.icon).noun == "an icon (ICO)")
    #expect(ContentKind(PictureBytes.avif).noun == "an AVIF image")
  }
}

struct MarkupRootTests {
  private static func name(_ text: String) -> String? {
    MarkupRoot(ByteReader(Array(text.utf8)[...]))?.name
  }

  @Test(arguments: [
    "<svg/>", "<svg>", "\u{FEFF} \n<svg width='1'>", "<SVG\t>", "<s:svg xmlns:s=''/>",
    "<?xml version='1.0'?><svg/>", "<!-- <a> --><!----><svg/>", "<!DOCTYPE svg><svg/>",
    "<!DOCTYPE svg [ <!ENTITY a ']b>'> ] ><svg/>",
  ])
  func `finds the root behind what may stand before it`(text: String) {
    #expect(Self.name(text) == "svg")
  }

  @Test func `takes the document type of a page for its root`() {
    #expect(Self.name("<!-- a --><!doctype HTML PUBLIC ''><p>") == "html")
  }

  @Test(arguments: ["", " ", "a<svg/>", "<", "< svg/>", "<!-- <svg/>", "<?xml <svg/>", "<!D [ ]"])
  func `finds none in what is not markup`(text: String) {
    #expect(Self.name(text) == nil)
  }

  @Test func `reads a long prologue once`() {
    #expect(Self.name(String(repeating: "<!a>", count: 100_000) + "<svg/>") == "svg")
  }
}
