import Foundation
import TestSupport

/// A web site whose texts, addresses and responses are all hostile.
final class TerribleSite: Sendable {
  let server: LoopbackServer

  /// The documents that can be read, with the number of their images.
  static let feeds = [
    ("/list.json", TerribleText.all.count), ("/raw.xml", TerribleText.all.count),
    ("/references.xml", TerribleText.all.count), ("/broken.json", 5), ("/markup", 0),
  ]
  /// The number of feeds that its list names, and that are not there.
  static let deadFeeds = 12
  /// The paths of pages that are not feeds or cannot be fetched.
  static let failures = [
    "/reason", "/elsewhere", "/login", "/type", "/root", "/none?\u{202E}", "/outlines",
  ]

  init() throws { server = try LoopbackServer { Self.response(to: $0.target) } }

  func address(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  private static func response(to target: String) -> LoopbackResponse {
    switch target {
    case "/list.json": document(list, "application/json")
    case "/raw.xml": document(Array(rss { $0 }.utf8), "text/xml;charset=\u{1B}[31m")
    case "/references.xml": document(Array(rss(references).utf8), "text/\u{9B}31m")
    case "/broken.json": document(broken, "application/json; \u{7}")
    case "/reason": answer("HTTP/1.1 418 \u{1B}[31m\u{9B}2J\u{202E}\u{7}")
    case "/elsewhere": answer("HTTP/1.1 302 Found", "Location: http://\u{1B}]0;t\u{7}e\u{9B}/%1b")
    case "/login": answer("HTTP/1.1 401 No", "WWW-Authenticate: Basic realm=\"\u{1B}[31m\u{9B}\"")
    case "/type": document(Array("\u{1B}[31mhello\u{9B}\u{202E}".utf8), "text/plain")
    case "/root": document(Array("<x\u{202E}y\u{85} a='\u{1B}[2J'>\u{9B}</x>".utf8), "text/xml")
    case "/markup": document(Array("<rss>&\u{1B}; <\u{9B}> </\u{202E}> <item".utf8), "text/xml")
    case "/outlines": document(Array(outlines.utf8), "text/xml")
    default:
      target.hasPrefix("/small") ? .whole(picture) : .whole(Array("\u{1B}c".utf8), status: 404)
    }
  }

  private static let picture = TestPicture.jpeg(width: 64, height: 48)

  private static func document(_ body: [UInt8], _ type: String) -> LoopbackResponse {
    .whole(body, fields: ["Content-Type: \(type)", "ETag: \"\u{9B}\"", "X-\u{7}: \u{1B}c"])
  }

  private static func answer(_ lines: String...) -> LoopbackResponse {
    let header = (lines + ["Content-Length: 0", "Retry-After: \u{1B}[31m", "", ""])
    return LoopbackResponse([.send(Array(header.joined(separator: "\r\n").utf8))], closes: true)
  }

  /// Every text in every field of a list.
  private static var list: [UInt8] {
    let photos = TerribleText.all.enumerated().map { number, text in
      [
        "id": "id\(number)\(text)", "title": text, "description": text, "author": text,
        "license": text, "date": text, "link": "/page/\(text)",
        "url": "/large\(number).jpg?\(word(text))", "thumbnail": "/small\(number)?\(word(text))",
      ]
    }
    let object: [String: Any] = ["title": TerribleText.together, "photos": photos]
    return (try? Array(JSONSerialization.data(withJSONObject: object))) ?? []
  }

  /// The text without characters that an address cannot contain: white space, and the braces of a template.
  private static func word(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter {
      !$0.properties.isWhitespace && $0 != "{" && $0 != "}"
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// JSON that no encoder writes: lone surrogates, bytes that are not UTF-8, numbers beyond every range.
  private static var broken: [UInt8] {
    let start = #"""
      {"title":"\ud800\u001b[31m\u0000","photos":[
      {"id":1,"title":"a\ud800b\udc00\u0000c\u001b[31m","url":"/1.jpg"},
      {"id":1e400,"title":"\u009b2J","url":"/2.jpg","width":1e400,"height":-1e400,"date":1e400},
      {"id":2,"url":"/3.jpg","width":99999999999999999999999,"height":0.1,"date":-9e18},
      {"id":3,"id":4,"title":1e999,"title":"\u202e","url":"/4.jpg","date":9223372036854775807},
      {"id":5,"url":"/5.jpg","title":"
      """#
    return Array(start.utf8) + [0xC0, 0x80, 0xED, 0xA0, 0x80, 0xFF, 0x9B, 0x1B]
      + Array("\"}]}".utf8)
  }

  private static func rss(_ escape: (String) -> String) -> String {
    let items = TerribleText.all.enumerated().map { number, text in
      let text = escape(text.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))
      return """
        <item><title>\(text)</title><guid>\(number)\(text)</guid><author>\(text)</author>
        <description>\(text)</description><link>/page/\(text)</link>
        <media:license>\(text)</media:license><pubDate>\(text)</pubDate>
        <enclosure url="/large\(number).jpg" type="image/\(escape("\u{1B}[31m"))"/>
        <media:thumbnail url="/small\(number).jpg"/></item>
        """
    }
    let title = escape(
      TerribleText.together.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    )
    return """
      <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>\(title)</title>
      \(items.joined())</channel></rss>
      """
  }

  /// The text with numeric references, some of them to characters that XML does not allow as references either.
  private static func references(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain = scalar.value >= 0x20 && scalar.value < 0x7F || scalar.value > 0x3000
      return isPlain ? String(scalar) : "&#\(scalar.value);"
    }
    .joined()
  }

  private static var outlines: String {
    let feeds = TerribleText.all.prefix(deadFeeds).map { text in
      let text = references(text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;"))
      return "<outline text=\"\(text)\" xmlUrl=\"/404\(text)\"/>"
    }
    let files = "<outline xmlUrl=\"file:///etc/passwd\"/><outline xmlUrl=\"javascript:\u{9B}\"/>"
    return "<opml><head><title>\u{1B}c</title></head><body>\(feeds.joined())\(files)</body></opml>"
  }
}

/// Texts that try to control the reader's program: a terminal, a list, a line of JSON.
enum TerribleText {
  static let all: [String] = [
    // Colours, a cleared screen, a moved cursor (ECMA-48); also a sequence like those of this program.
    "\u{1B}[31mred\u{1B}[2J\u{1B}[1;1H\u{1B}[38;5;9;5m",
    // A link, the clipboard, the window's title.
    "\u{1B}]8;;http://evil/\u{1B}\\link\u{1B}]8;;\u{7}", "\u{1B}]52;c;ZXZpbA==\u{7}",
    "\u{1B}]0;title\u{1B}\\",
    // Sixels, a picture of kitty's protocol, a question that the terminal would answer.
    "\u{1B}Pq#0;2;0;0;0\u{1B}\\", "\u{1B}_Ga=T;AAAA\u{1B}\\", "\u{1B}[c\u{1B}[6n\u{5}",
    // The same sequences with the one-byte controls of ISO 8859-1.
    "\u{9B}31m\u{90}q\u{9C}\u{9D}0;t\u{7}\u{9F}G\u{85}next",
    // A sequence that is split over two texts.
    "end\u{1B}", "[2Jbegin", "\u{1B}",
    "over\u{8}\u{8}\u{8}\rforged", "bell\u{7}\u{7F}\u{0}nul\u{E}\u{F}",
    "moon\u{202E}gpj.exe\u{202C}\u{202D}x\u{2066}a\u{2067}b\u{2068}c\u{2069}\u{200F}\u{200E}\u{61C}",
    "a\u{200B}b\u{200C}c\u{200D}d\u{2060}e\u{FEFF}f\u{AD}g\u{206A}h\u{206F}",
    "a\nb\tc\r\nd\u{2028}e\u{2029}f\u{B}g\u{C}h",
    "z" + String(repeating: "\u{301}\u{316}", count: 400),
    "v" + String(repeating: "\u{FE0F}", count: 50) + String(repeating: "\u{E0101}", count: 200),
    "tag\u{E0041}\u{E0042}\u{E007F}\u{E0001}", "\u{FFFE}\u{FFFF}\u{10FFFF}\u{FFF9}\u{FFFB}",
    String(repeating: "月", count: 1500), String(repeating: "A", count: 5000),
    "שלום 12 عالم",
    "\"}\n{\"id\":99,\"title\":\"forged\"}", "\\u001b[31m\\\"\\\\",
    "\"/><outline xmlUrl=\"http://forged/\"/>]]>&lt;script&gt;<b>&#27;[2J&#x9b;2J&amp;#27;",
    "'; DROP TABLE image; --", "%1b%5b2J%00%9b",
    "$(touch pwned) `touch pwned` ${HOME} ; touch pwned",
    "../../../../etc/passwd", "-", "--force", "~", "",
  ]

  /// All texts that are short enough, in one line.
  static let together = all.filter { $0.utf8.count < 400 }.joined(separator: " ")
}
