import Foundation
import Models
import Testing
import Workers

struct DocumentParserTests {
  @Test(arguments: [
    ("", "an empty document"),
    (" \n\t ", "an empty document"),
    ("<!DOCTYPE html><p>Hello</p>", "an HTML page"),
    ("<!-- a page --><html><body>Hello</body></html>", "an HTML page"),
    ("<html lang='en'><head>", "an HTML page"),
    ("<opml version='2.0'><body/></opml>", "an OPML list without feeds"),
    (
      "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><f:Person xmlns:f='f'/></r:RDF>",
      "an RDF document"
    ),
    ("<note><to>You</to></note>", "XML with the root element 'note'"),
    ("{\"@context\": \"http://iiif.io/api/image/3/context.json\"}", "a IIIF image's description"),
    ("{\"name\": \"gallery\", \"private\": true}", "JSON without a list of images"),
    ("[{\"name\": \"Jo\"}, {\"name\": \"Mo\"}]", "JSON without a list of images"),
    ("%PDF-1.7 and so on", "a PDF document"),
    ("GIF89a and so on, and on", "a GIF image"),
    ("Good morning, all of you.", "plain text"),
  ])
  func `says what a document is that is not a feed`(text: String, description: String) {
    #expect(throws: FeedError.notAFeed(looksLike: description)) { try ReadDocument(text) }
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 16], "a JPEG image"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D], "a PNG image"),
      ([0x1F, 0x8B, 8, 0, 0, 0], "a gzip archive"),
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive"),
    ] as [([UInt8], String)]
  )
  func `knows files by their first bytes`(bytes: [UInt8], description: String) {
    #expect(throws: FeedError.notAFeed(looksLike: description)) { try ReadDocument(bytes) }
  }

  @Test func `passes over white space and a byte order mark`() throws {
    let feed = "\n <?xml version='1.0'?><rss><channel><title>A</title></channel></rss>"

    #expect(try ReadDocument(feed).document.title == "A")
    #expect(try ReadDocument("\u{FEFF}" + feed).document.title == "A")
    #expect(try ReadDocument("\u{FEFF} [\"https://a.b/c.png\"]").originals == ["https://a.b/c.png"])
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
  func `reads encodings of several bytes`(_ encoding: String.Encoding) throws {
    let text = "<rss><channel><title>Größe</title></channel></rss>"
    let data = try #require(text.data(using: encoding))

    #expect(try ReadDocument(Array(data)).document.title == "Größe")
  }

  @Test func `believes the response's charset before the declaration`() throws {
    let head = "<?xml version='1.0' encoding='utf-8'?><rss><channel><title>"
    let bytes = Array(head.utf8) + [0xE9] + Array("</title></channel></rss>".utf8)

    let read = try ReadDocument(bytes, charset: "iso-8859-1")

    #expect(read.document.title == "é")
    #expect(read.document.flaws == [])
  }

  @Test func `says that a document is damaged when nothing of it can be read`() {
    #expect(throws: FeedError.self) { try ReadDocument("<") }
    #expect(throws: FeedError.malformed(.cutOff)) { try ReadDocument("[{\"a\":") }
  }
}

struct DocumentStartTests {
  private static let feed = "<rss><channel><title>A</title></channel></rss>"

  @Test(arguments: [
    "<br />\n<b>Warning</b>: oops in <b>x.php</b> on line <b>3</b><br />\n<?xml version='1.0'?>",
    "<br />\n<b>Notice</b>: oops<br />\n",
    "Notice: oops in x.php\n<?xml version=\"1.0\"?>",
    "Notice: oops in x.php\n",
    "<!-- cached --><?xml version='1.0' encoding='utf-8'?>",
  ])
  func `finds the feed behind what programs print before it`(noise: String) throws {
    let read = try ReadDocument(noise + Self.feed)

    #expect(read.document.title == "A")
    #expect(read.document.flaws == [.preceded])
  }

  @Test(arguments: ["", " \n", "\u{FEFF}", "\u{FEFF}\u{FEFF} ", " \u{FEFF}", "<!-- <rss> -->"])
  func `passes over what may stand there without a word`(lead: String) throws {
    let read = try ReadDocument(lead + Self.feed)

    #expect(read.document.title == "A")
    #expect(read.document.flaws == [])
  }

  @Test func `leaves a page that only speaks of feeds`() {
    #expect(throws: FeedError.notAFeed(looksLike: "an HTML page")) {
      try ReadDocument("<html><body><p>Write &lt;rss&gt; <rss> there</body></html>")
    }
    #expect(throws: FeedError.notAFeed(looksLike: "plain text")) {
      try ReadDocument("Good morning, <b>all</b> of you")
    }
  }

  @Test func `reads the first of two feeds in one document, and every JSON list`() throws {
    let item = "<item><enclosure url='https://a.b/1.jpg'/></item>"
    let feed = "<rss><channel>\(item)</channel></rss>\n"

    let read = try ReadDocument(feed + "<?xml version='1.0'?>" + feed)
    let list = try ReadDocument("[\"https://a.b/1.png\"]\n[\"https://a.b/2.png\"]")

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.flaws.contains(.followed))
    #expect(list.originals == ["https://a.b/1.png", "https://a.b/2.png"])
    #expect(list.document.flaws == [])
  }

  @Test func `reads past control characters and stray bytes, and says so`() throws {
    let bytes =
      Array("<rss><channel><title>A\u{B}B\u{0}C ü caf".utf8) + [0xE9]
      + Array("</title></channel></rss>".utf8)

    let read = try ReadDocument(bytes)

    #expect(read.document.title == "A B C ü café")
    #expect(read.document.flaws == [.badUTF8, .controlCharacters])
  }

  @Test func `does not say of a list in doubt that it is everything`() throws {
    let bytes =
      Array("[{\"title\":\"caf".utf8) + [0xE9, 0x22]
      + Array(",\"url\":\"https://a.b/1.png\"}]".utf8)

    let read = try ReadDocument(bytes)

    #expect(read.titles == ["café"])
    #expect(!read.document.listsEverything)
  }
}
