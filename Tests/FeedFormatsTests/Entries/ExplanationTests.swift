import FeedFormats
import Models
import Testing
import Workers

/// The reasons why entries have their images, in each kind of document.
struct ExplanationTests {
  @Test func `explains the members of a JSON list`() throws {
    let explained = try Self.explanations(
      """
      [{"title": "Moon", "user": {"avatar": "https://a.b/face.png"}, "page": "https://a.b/moon",
        "urls": {"full": "https://a.b/full.jpg", "small": "https://a.b/small.jpg?w=300",
        "thumb": "https://a.b/thumb.jpg?w=200"}}]
      """
    )

    #expect(
      explained == [
        EntryExplanation(
          title: "Moon",
          images: [
            .init(
              original: .init(address: try Self.address("full.jpg"), place: .member("urls.full")),
              thumbnail: .init(
                address: try Self.address("thumb.jpg?w=200"),
                place: .member("urls.thumb"),
                side: 200
              )
            )
          ],
          passed: [
            .init(
              address: "https://a.b/face.png",
              place: .member("user.avatar"),
              reason: .foreign
            ),
            .init(address: "https://a.b/moon", place: .member("page"), reason: .page),
            .init(
              address: "https://a.b/small.jpg?w=300",
              place: .member("urls.small"),
              reason: .otherSize
            ),
          ]
        )
      ]
    )
  }

  @Test func `explains an element of a JSON list that has no image`() throws {
    let explained = try Self.explanations(
      #"[{"title": "Words", "author": {"photo": "https://a.b/face.png"}}]"#
    )

    #expect(explained.map(\.title) == ["Words"])
    #expect(explained.map(\.images) == [[]])
    #expect(explained.flatMap(\.passed).map(\.reason) == [.foreign])
  }

  @Test func `leaves out an object whose pictures are entries of their own`() throws {
    let explained = try Self.explanations(
      #"[{"name": "Prints", "images": [{"id": 1, "src": "/1.jpg"}, {"id": 2, "src": "/b?n=2"}]}]"#
    )

    #expect(explained.map(\.id) == ["1", "2"])
    #expect(
      explained.flatMap(\.images).map(\.original.place)
        == Array(
          repeating: .member("images[].src"),
          count: 2
        )
    )
  }

  @Test func `names the rule that makes an address`() throws {
    let bytes = try ReadDocument.bytes(of: "apis/nasa-epic.json")
    let explained = try Self.explanations(String(decoding: bytes, as: UTF8.self))

    #expect(explained.count == 3)
    #expect(explained.flatMap(\.images).allSatisfy { $0.original.place == .rule })
  }

  @Test func `explains the places of an RSS item`() throws {
    let explained = try Self.explanations(
      """
      <?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
      <item><title>Moon</title><guid>7</guid>
      <media:content url="https://a.b/film.mp4" type="video/mp4"/>
      <media:content url="https://a.b/moon.jpg" width="4000" height="3000" type="image/jpeg">
      <media:thumbnail url="https://a.b/moon-s.jpg" width="320" height="240"/></media:content>
      <enclosure url="https://a.b/sound.mp3" type="audio/mpeg"/>
      <description>&lt;img src="https://a.b/in-text.jpg"> &lt;img src="https://a.b/dot.gif" width="1"
      height="1"> &lt;img src="data:image/gif;base64,R0"></description></item></channel></rss>
      """
    )

    #expect(
      explained.flatMap(\.images) == [
        .init(
          original: .init(address: try Self.address("moon.jpg"), place: .media, side: 4000),
          thumbnail: .init(address: try Self.address("moon-s.jpg"), place: .thumbnail, side: 320)
        ),
        .init(
          original: .init(address: try Self.address("in-text.jpg"), place: .markup),
          thumbnail: nil
        ),
      ]
    )
    #expect(
      explained.flatMap(\.passed) == [
        .init(address: "data:image/gif;base64,R0", place: .markup, reason: .unreachable),
        .init(address: "https://a.b/dot.gif", place: .markup, reason: .decoration),
        .init(address: "https://a.b/film.mp4", place: .media, reason: .otherMedium),
        .init(address: "https://a.b/sound.mp3", place: .enclosure, reason: .otherMedium),
      ]
    )
  }

  private static let canvas = """
    {"@context": "http://iiif.io/api/presentation/3/context.json", "id": "https://a.b/m",
    "type": "Manifest", "label": {"en": ["M"]}, "items": [{"id": "https://a.b/c", "type": "Canvas",
    "width": 100, "height": 100, "items": [{"id": "https://a.b/p", "type": "AnnotationPage", "items":
    [{"id": "https://a.b/n", "type": "Annotation", "motivation": "painting", "target": "https://a.b/c",
    "body": {"id": "https://a.b/x.jpg", "type": "Image", "format": "image/jpeg"}}]}]}]}
    """

  private static func rss(_ item: String) -> String {
    "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><item>\(item)</item></channel></rss>"
  }

  @Test(arguments: [
    (#"["https://a.b/x.jpg", "https://a.b/y.jpg"]"#, EntryExplanation.Place.listed),
    (canvas, .canvas),
    (
      rss(
        #"<enclosure url="https://a.b/x.jpg" type="image/jpeg"/>"#
          + #"<description>&lt;img src="https://a.b/x.jpg"></description>"#
      ), .enclosure
    ),
    (rss(#"<description>&lt;img src="https://a.b/x.jpg"></description>"#), .markup),
  ])
  func `calls a place what it is in its format`(
    _ document: String,
    _ place: EntryExplanation.Place
  ) throws {
    let images = try Self.explanations(document).flatMap(\.images)

    #expect(!images.isEmpty)
    #expect(Set(images.map(\.original.place)) == [place])
  }

  @Test(arguments: [
    ("jsonfeed/version-1.1.json", EntryExplanation.Place.imageField), ("nasa.xml", .enclosure),
    ("flickr-rss.xml", .media), ("rss-html/ghost.xml", .markup),
  ])
  func `names the place of each image`(_ name: String, _ place: EntryExplanation.Place) throws {
    let bytes = try ReadDocument.bytes(of: name)
    let images = try Self.explanations(String(decoding: bytes, as: UTF8.self)).flatMap(\.images)

    #expect(!images.isEmpty)
    #expect(Set(images.map(\.original.place)) == [place])
  }

  @Test func `explains links, stand-ins and dates`() throws {
    let explained = try Self.explanations(
      """
      <rss><channel><item><pubDate>Mon, 01 Jan 0001 00:00:00 GMT</pubDate><description>
      &lt;a href="https://a.b/page">&lt;img src="data:," data-any="https://a.b/1.jpg">&lt;/a>
      </description></item><item><pubDate>Fri, 01 Jan 1988 00:00:00 GMT</pubDate>
      <enclosure url="https://a.b/2.jpg"/></item></channel></rss>
      """
    )

    #expect(
      explained[0].passed == [
        .init(address: "https://a.b/page", place: .link, reason: .page),
        .init(address: "data:,", place: .markup, reason: .unreachable),
      ]
    )
    #expect(explained[0].dateDoubt == .unreadable("Mon, 01 Jan 0001 00:00:00 GMT"))
    #expect(explained[1].dateDoubt.map { if case .early = $0 { true } else { false } } == true)
  }

  @Test func `explains nothing unless it is asked to`() throws {
    let read = try ReadDocument(#"[{"title": "Moon", "url": "https://a.b/moon.jpg"}]"#)

    #expect(read.entries.map(\.explanation) == [nil])
  }

  private static func explanations(_ text: String) throws -> [EntryExplanation] {
    let document = try #require(WebAddress("https://a.b/feed"))
    let parser = FeedReader().parser(for: FeedSource(address: document, isExplained: true))
    let entries = try parser.push(Array(text.utf8)) + parser.finish().entries
    return entries.compactMap(\.explanation)
  }

  private static func address(_ path: String) throws -> WebAddress {
    try #require(WebAddress("https://a.b/" + path))
  }
}
