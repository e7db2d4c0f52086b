import Models
import Testing
import Workers

@testable import FeedFormats

/// JSON with a broken place, with something in front of it, and several documents in one.
struct DamagedJSONTests {
  private static let entries = (1...20).map { number in
    "{\n  \"id\": \(number),\n  \"title\": \"P\(number)\",\n  \"url\": \"https://c.d/\(number).jpg\"\n }"
  }
  private static let list = entries.joined(separator: ",\n ")
  private static let items = (1...20).map { number in
    "{\n   \"id\": \"\(number)\",\n   \"content_html\": \"<img src='https://c.d/\(number).jpg'>\"\n  }"
  }

  private static func photo(_ id: Int) -> String {
    #"{"id":\#(id),"url":"https://c.d/\#(id).jpg"}"#
  }

  @Test(arguments: [
    "[\n \(list),\n]", "{\"photos\": [\n \(list),\n]}", "[,\(list)]", "{\"photos\": [\(list)],}",
    "[\(list.replacing("},\n {", with: "},, {"))]", "{\"page\": NaN, \"photos\": [\(list)]}",
  ])
  func `keeps every entry beside a comma too many`(text: String) throws {
    #expect(try ReadDocument(text).images.count == 20)
    #expect(try ReadDocument(Array(text.utf8), chunk: 7).images.count == 20)
  }

  @Test(arguments: [
    ("\"P10\"", "NaN"), ("\"P10\"", "\"P\"10\""), ("\"P10\"", "P10"), ("\"title\": \"P10\"", "P10"),
    ("\"title\": \"P10\"", "\"title\" \"P10\""), ("\"P10\"", "\"P10"),
    ("\"P10\"", "\"P\n10\""), ("\"P10\"", "\\\"P10\""), ("\"P10\"", "-Infinity"),
  ])
  func `loses at most the entry with the broken place`(whole: String, broken: String) throws {
    let list = Self.list.replacing(whole, with: broken)
    for text in ["[\n \(list)\n]", "{\"total\": 20, \"photos\": [\n \(list)\n]}"] {
      let read = try ReadDocument(text)

      #expect(read.images.count >= 19, "\(broken)")
      #expect(read.originals.contains("https://c.d/11.jpg"))
      #expect(try ReadDocument(Array(text.utf8), chunk: 5) == read)
    }
  }

  @Test(arguments: [
    #"[{"id":5,"n":0x1,"photos":[\#(photo(1)),\#(photo(2))]},\#(photo(6)),\#(photo(7))]"#,
    #"[\#(photo(6)),\#(photo(7)),{"id":5,"photos":[\#(photo(1)),\#(photo(2)),{"id":3,"u"#,
    #"[{"id":1,"title":"5" wide"},\#(photo(6)),{"id":2,"title":"6" wide"},\#(photo(7))]"#,
    #"[\#(photo(6)),{"id":5,"n":1,\#(photo(7))]"#,
  ])
  func `takes no object inside a damaged entry for the next one`(text: String) throws {
    let read = try ReadDocument(text)

    #expect(read.originals == ["https://c.d/6.jpg", "https://c.d/7.jpg"])
    #expect(!read.document.flaws.isEmpty)
    #expect(try ReadDocument(Array(text.utf8), chunk: 5) == read)
  }

  @Test(arguments: [0, 300_000])
  func `loses one member that is nested too deeply`(blanks: Int) throws {
    let deep = String(repeating: "{\"a\":", count: 600) + "1" + String(repeating: "}", count: 600)
    let blank = String(repeating: " ", count: blanks)

    let read = try ReadDocument("{\"deep\": \(deep),\(blank)\"photos\": [\(Self.list)]}")

    #expect(read.images.count == 20)
    #expect(!read.document.flaws.isEmpty)
  }

  @Test func `loses one item of a JSON Feed with a broken place`() throws {
    let start = "{\n \"version\": \"https://jsonfeed.org/version/1.1\",\n \"items\": [\n  "
    let list = Self.items.joined(separator: ",\n  ")
    let broken = list.replacing("\"id\": \"10\"", with: "\"id\": \"1\"0\"")

    #expect(try ReadDocument("\(start)\(list),\n ]\n}").images.count == 20)
    #expect(try ReadDocument("\(start)\(broken)\n ]\n}").images.count == 19)
    #expect(try ReadDocument("\(start)\(list)\n ]\n}").document.flaws == [])
  }

  @Test(arguments: [
    "for (;;);", "while(1);", ")]}'\n", ")]}',\n", "var photos = ", "const a = ", "window.data = ",
    "window['a'].b=", "export default ", "throw 1; ", "callback(",
  ])
  func `skips what keeps a script from reading it, and what lets one read it`(
    start: String
  ) throws {
    let read = try ReadDocument("\(start)[\(Self.list)]" + (start == "callback(" ? ");" : ";"))

    #expect(read.images.count == 20)
    #expect(read.document.flaws == [])
  }

  @Test(arguments: [
    "<br />\n<b>Warning</b>:  Undefined variable $n in <b>/srv/a.php</b> on line <b>9</b><br />\n",
    "\nNotice: Undefined index: a in /srv/[theme]/a.php on line 9\n", "<div>{debug}</div>",
    "PHP Warning:  a in b\n\n",
  ])
  func `skips a program's message in front`(message: String) throws {
    for text in ["[\(Self.list)]", "{\"photos\": [\(Self.list)]}"] {
      let read = try ReadDocument(message + text)

      #expect(read.images.count == 20)
      #expect(read.document.flaws == [.preceded])
    }
  }

  @Test(arguments: ["[1] See above.", "Hello [world]", "a = b", "x = {not json"])
  func `refuses a text that only has brackets`(text: String) {
    #expect(throws: FeedError.self) { try ReadDocument(text) }
  }
}

struct JSONSequenceTests {
  private static let lines = (1...20).map { number in
    "{\"id\": \(number), \"title\": \"P\(number)\", \"url\": \"https://c.d/\(number).jpg\"}"
  }

  @Test(arguments: ["\n", "\r\n", "\n\n", " ", "", "\u{1E}", "\n\u{1E}"])
  func `reads objects one after the other`(separator: String) throws {
    let text = Self.lines.joined(separator: separator)
    let read = try ReadDocument(text)

    #expect(read.images.count == 20)
    #expect(read.entries.map(\.id) == (1...20).map(String.init))
    #expect(read.document.isLossless)
    #expect(read.document.title == nil)
    #expect(try ReadDocument(Array(text.utf8), chunk: 3) == read)
  }

  @Test func `reads a sequence of RFC 7464`() throws {
    let text = Self.lines.map { "\u{1E}\($0)\n" }.joined()
    let read = try ReadDocument(text)

    #expect(read.images.count == 20)
    #expect(read.document.flaws.isEmpty)
  }

  @Test func `takes the title of no object for that of the feed`() throws {
    #expect(try ReadDocument(Self.lines.joined(separator: "\n")).document.title == nil)
    // A document that is one object has its title.
    let album = "{\"title\": \"Album\", \"photos\": [\(Self.lines[0]), \(Self.lines[1])]}"
    #expect(try ReadDocument(album).document.title == "Album")
  }

  @Test func `reads lists one after the other`() throws {
    let pages = "[\(Self.lines[0])]\n[\(Self.lines[1]), \(Self.lines[2])]\n[]"
    let objects = "{\"photos\": [\(Self.lines[0])]}{\"photos\": [\(Self.lines[1])]}"

    #expect(try ReadDocument(pages).images.count == 3)
    #expect(try ReadDocument(objects).images.count == 2)
  }

  @Test(arguments: [0, 2])
  func `loses one line that is damaged`(index: Int) throws {
    for broken in [
      "{\"id\": 3, \"title\": \"P", "{\"id\": 3 \"title\"}", "{\"id\": 3, \"t\": \"P\"3\"}",
    ] {
      var lines = Self.lines
      lines[index] = broken
      let text = lines.joined(separator: "\n")
      let read = try ReadDocument(text)

      #expect(read.images.count == 19, "\(broken)")
      #expect(!read.document.flaws.isEmpty)
      #expect(try ReadDocument(Array(text.utf8), chunk: 5) == read, "\(broken)")
    }
  }

  @Test func `reads what gallery itself writes`() throws {
    let line = """
      {"id":1,"feed":{"id":1,"title":"Demo"},"title":"Seeding","author":"A","published":"2026-10-25T08:00:00Z",\
      "pageURL":"https://a.b/p","thumbnailURL":"https://a.b/t/1.jpg","originalURL":"https://a.b/o/1.jpg",\
      "width":2400,"height":1350,"thumbnailStored":true,"thumbnail":{"bytes":10352,"type":"image/jpeg",\
      "width":320,"height":180,"sha256":"01cc"},"original":{"file":"/home/me/originals/6d/6d.jpg",\
      "sha256":"6daa","bytes":442477,"type":"image/jpeg","width":2400,"height":1350},"manifest":null}
      """
    let read = try ReadDocument("\(line)\n\(line.replacing("/1.jpg", with: "/2.jpg"))\n")

    #expect(read.originals == ["https://a.b/o/1.jpg", "https://a.b/o/2.jpg"])
    #expect(read.thumbnails == ["https://a.b/t/1.jpg", "https://a.b/t/2.jpg"])
    #expect(read.titles == ["Seeding", "Seeding"])
  }

  @Test func `reads the messages of gallery-dl`() throws {
    let read = try ReadDocument(
      """
      [[2, {"category": "a"}], [3, "http://a.b/c", {"title": "One", "filename": "c"}],
       [3, "http://a.b/d.jpg", {"title": "Two"}]]
      """
    )

    #expect(read.originals == ["http://a.b/c", "http://a.b/d.jpg"])
    #expect(read.titles == ["One", "Two"])
  }
}

struct JSONVocabularyTests {
  @Test func `reads microformats, whose every value is a list`() throws {
    let read = try ReadDocument(
      """
      {"items": [{"type": ["h-entry"], "properties": {"name": ["Moon"],
        "published": ["2026-10-01T10:00:00Z"], "url": ["https://a.b/moon"],
        "photo": [{"value": "https://a.b/1.jpg", "alt": "The Moon"}]}},
        {"type": ["h-entry"], "properties": {"name": ["Two"], "photo": ["https://a.b/2.jpg"]}}],
        "rels": {}, "rel-urls": {}, "debug": {"description": "mf2py - microformats2 parser",
        "source": "https://github.com/microformats/mf2py", "version": "2.0.2"}}
      """
    )

    #expect(read.originals == ["https://a.b/1.jpg", "https://a.b/2.jpg"])
    #expect(read.titles == ["Moon", "Two"])
    #expect(read.images.first?.pageAddress?.text == "https://a.b/moon")
    #expect(read.images.first?.published == FeedDate.read("2026-10-01T10:00:00Z"))
  }

  @Test(arguments: [
    (#""DateTimeOriginal": "2026:10:01 10:00:00""#, "2026-10-01T10:00:00Z"),
    // exiftool adds this one where the camera knew its time zone.
    (
      #""DateTimeOriginal": "2026:10:01 10:00:00", "SubSecDateTimeOriginal": "2026:10:01 10:00:00+02:00""#,
      "2026-10-01T08:00:00Z"
    ),
    (#""taken": "2026-10-01T10:00:00Z""#, "2026-10-01T10:00:00Z"),
  ])
  func `reads the date on which a picture was taken`(members: String, date: String) throws {
    let read = try ReadDocument(#"[{"url": "https://a.b/1.jpg", \#(members)}]"#)

    #expect(read.images.map(\.published) == [FeedDate.read(date)])
  }

  @Test(arguments: [
    // Each picture has its own caption,
    (#""title": "Sea""#, #"["Waves", "Foam"]"#, #", "alt": "Foam""#),
    // or none,
    (#""title": "Sea""#, #"["Waves", "-"]"#, ""),
    // unless the entry has one,
    (#""title": "Sea", "caption": "A day""#, #"["A day", "A day"]"#, #", "alt": "Foam""#),
    // or no title: then the first description is the title.
    (#""date": "2026-10-01""#, #"["-", "-"]"#, #", "alt": "Foam""#),
  ])
  func `gives each picture of an entry its caption`(
    entry: String,
    captions: String,
    second: String
  ) throws {
    let read = try ReadDocument(
      """
      [{\(entry), "photos": [{"url": "https://a.b/1.jpg", "alt": "Waves"},
        {"url": "https://a.b/2.jpg"\(second)}]}]
      """
    )

    #expect(read.images.map { $0.caption ?? "-" }.description == captions)
  }

  @Test(arguments: [
    #"{"source": "https://github.com/a/b"}"#, #"{"file": "https://a.b/c"}"#,
    #"{"sourceUrl": "https://a.b/c", "title": "A"}"#,
  ])
  func `takes a lone link for no picture`(object: String) {
    #expect(throws: FeedError.self) { try ReadDocument("[\(object)]") }
  }

  @Test(arguments: [
    #"{"source": "https://a.b/c.jpg"}"#,
    #"{"download_url": "https://a.b/c", "width": 640, "height": 480}"#,
    #"{"image": "https://a.b/c"}"#, #"{"file": "https://a.b/c", "mime_type": "image/png"}"#,
    #"{"source": "https://a.b/c", "thumbnail": "https://a.b/t"}"#,
  ])
  func `takes a link with a sign of a picture`(object: String) throws {
    #expect(try ReadDocument("[\(object)]").images.count == 1)
  }

  @Test func `reads a post of Instagram with every picture, its caption and its date`() throws {
    let read = try ReadDocument(
      """
      {"node": {"__typename": "GraphSidecar", "id": "9", "shortcode": "Cx1", "owner": {"id": "4",
        "username": "jo", "profile_pic_url": "https://i.c/face.jpg"}, "is_video": false,
        "display_url": "https://i.c/1.jpg?oh=1", "taken_at_timestamp": 1551780000,
        "dimensions": {"height": 1350, "width": 1080},
        "edge_media_to_caption": {"edges": [{"node": {"text": "Spring in the park"}}]},
        "edge_sidecar_to_children": {"edges": [
          {"node": {"id": "10", "display_url": "https://i.c/1.jpg?oh=1", "is_video": false}},
          {"node": {"id": "11", "display_url": "https://i.c/2.jpg?oh=2", "is_video": false}},
          {"node": {"id": "12", "display_url": "https://i.c/3.jpg?oh=3", "is_video": true,
            "video_url": "https://i.c/3.mp4"}}]}},
       "instaloader": {"version": "4.10", "node_type": "Post"}}
      """
    )

    #expect(
      read.originals == [
        "https://i.c/1.jpg?oh=1", "https://i.c/2.jpg?oh=2", "https://i.c/3.jpg?oh=3",
      ]
    )
    #expect(read.titles == Array(repeating: "Spring in the park", count: 3))
    #expect(read.images.allSatisfy { $0.published == FeedDate.read("2019-03-05T10:00:00Z") })
    #expect(read.images.first?.pageAddress?.text == "https://www.instagram.com/p/Cx1/")
  }

  @Test func `reads a post of Instagram with one picture`() throws {
    let read = try ReadDocument(
      """
      {"node": {"id": "9", "shortcode": "Cx2", "display_url": "https://i.c/1.jpg?oh=1",
        "taken_at_timestamp": 1551780000,
        "edge_media_to_caption": {"edges": [{"node": {"text": "One"}}]}}, "instaloader": {}}
      """
    )

    #expect(read.originals == ["https://i.c/1.jpg?oh=1"])
    #expect(read.titles == ["One"])
  }

  @Test func `reads oEmbed as XML and as JSON`() throws {
    let xml = try ReadDocument(
      """
      <?xml version="1.0"?><oembed><version>1.0</version><type>photo</type><title>Moon</title>
      <author_name>Jo</author_name><url>https://a.b/moon</url><width>1024</width>
      <height>768</height><thumbnail_url>https://a.b/t.jpg</thumbnail_url>
      <thumbnail_width>240</thumbnail_width></oembed>
      """
    )
    let json = try ReadDocument(
      """
      {"version": "1.0", "type": "photo", "title": "Moon", "author_name": "Jo",
       "url": "https://a.b/moon.jpg", "width": 1024, "height": 768,
       "thumbnail_url": "https://a.b/t.jpg"}
      """
    )

    #expect(xml.originals == ["https://a.b/moon"])
    #expect(xml.thumbnails == ["https://a.b/t.jpg"])
    #expect(xml.images.first?.author == "Jo")
    #expect(xml.images.first?.width == 1024)
    #expect(xml.document.format == .oEmbed)
    #expect(json.titles == ["Moon"])
  }

  @Test func `takes the picture before a video from oEmbed`() throws {
    let read = try ReadDocument(
      """
      <oembed><type>video</type><title>Film</title><width>640</width>
      <thumbnail_url>https://a.b/t.jpg</thumbnail_url></oembed>
      """
    )

    #expect(read.originals == ["https://a.b/t.jpg"])
  }
}
