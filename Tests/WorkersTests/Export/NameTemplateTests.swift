import Models
import TestSupport
import Testing
import Workers

struct NameTemplateTests {
  private static func image(
    _ id: Int64 = 3,
    title: String? = "Moon",
    feed: String = "Sky",
    date: Int64 = 1_793_664_000,
    original: String = "https://example.com/p/full%20moon.jpg?w=3",
    place: WebAddress? = nil
  ) throws -> NamedImage {
    let fields = ImageFields(
      title: title,
      caption: "\nOver the sea\nat night",
      author: nil,
      licence: nil,
      published: date,
      pageAddress: nil,
      thumbnailAddress: nil,
      originalAddress: original,
      width: 3,
      height: nil
    )
    let hash = try #require(SHA256Digest(hexadecimal: String(repeating: "0a", count: 32)))
    let info = PictureInfo(format: .jpeg, bytes: 7, width: nil, height: nil, hash: hash)
    let state = ImageState.sample(
      id: id,
      date: date,
      fields: fields,
      original: .init(info: info, isStale: false)
    )
    return try #require(NamedImage(state, feed: feed, place: place))
  }

  @Test(arguments: [
    (NameTemplate.standard, true), ("{title}.{ext}", true), ("{id}.jpg", true), ("{ext}", true),
    ("{title}", false), ("{ext}/{title}", false), ("v1.0/{id}", false), ("{date:%Y.%m}", false),
  ])
  func `knows whether the names have an ending`(text: String, hasEnding: Bool) throws {
    #expect(try NameTemplate(text).hasEnding == hasEnding)
  }

  @Test(arguments: [
    ("{taken:%Y}/{camera} {lens}", "2019/X100V 23 mm_2"), ("{taken}", "2019-07-14"),
    ("{taken:%H%M%S}", "180233"),
  ])
  func `fills in what the camera has written, by its clock`(text: String, path: String) throws {
    var image = try Self.image()
    (image.details.camera, image.details.lens) = ("X100V", "23 mm/2")
    image.details.taken = DateTaken(clock: 1_563_127_353_450, offset: 720)

    #expect(try NameTemplate(text).path(of: image) == path)
    #expect(try NameTemplate(text).needsDetails)
  }

  @Test func `what no camera has written is unknown, and no date`() throws {
    let template = try NameTemplate("{taken:%Y} {camera} {lens}")

    #expect(template.path(of: try Self.image()) == "unknown unknown unknown")
    #expect(try !NameTemplate().needsDetails)
  }

  @Test(arguments: [
    (NameTemplate.standard, "Sky/2026-11/Moon [3].jpg"),
    ("{id}", "3"), ("{title}.{ext}", "Moon.jpg"), ("{{{id}}}", "{3}"),
    ("{feed-id}/{name}.{ext}", "2/full moon.jpg"),
    ("{date}/{added:%Y%m%dT%H%M%S}", "2026-11-03/19700101T000000"),
    ("{date:%j %y %%}", "307 26 %"), ("{author}-{licence}-{manifest}", "unknown-unknown-unknown"),
    ("{width}x{height}", "3xunknown"), ("{caption}", "Over the sea at night"),
    ("{hash}", String(repeating: "0a", count: 32)), ("- {id}", "_- 3"), ("{id}.", "3"),
  ])
  func `fills its fields in`(text: String, path: String) throws {
    #expect(try NameTemplate(text).path(of: Self.image()) == path)
  }

  @Test(arguments: [
    ("a/b%20c/moon.jpg", "{feed}/{folder}/{name}.{ext}", "Sky/a/b c/moon.jpg"),
    ("moon.jpg", "{feed}/{folder}/{name}.{ext}", "Sky/moon.jpg"),
    ("moon.jpg", "{folder}/{name}", "moon"), ("a/b/moon.jpg", "{folder}/{name}", "a/b/moon"),
    ("a/b/moon.jpg", "{folder} {id}", "a_b 3"), ("moon.jpg", "{folder} {id}", "unknown 3"),
    ("-a/.gallery-export/moon.jpg", "{folder}/{id}", "_-a/_.gallery-export/3"),
    ("con/a%0Ab/moon.jpg", "{folder}/{id}", "con_/a b/3"),
  ])
  func `a picture of a folder has the folders below that one`(
    file: String,
    text: String,
    path: String
  ) throws {
    let folder = WebAddress.at("file:///home/ann/Pictures/")
    let image = try Self.image(original: "file:///home/ann/Pictures/\(file)", place: folder)

    #expect(try NameTemplate(text).path(of: image) == path)
  }

  @Test(arguments: [
    ("https://example.com/a/b.jpg", nil), ("https://example.com/a/b.jpg", "file:///home/ann/"),
    ("file:///home/ann/a/b.jpg", nil), ("file:///home/ann/a/b.jpg", "file:///home/ann/c/"),
    ("file:///home/anna/b.jpg", "file:///home/ann/"),
  ])
  func `an image of another feed, or of another place, has no folders`(
    original: String,
    place: String?
  ) throws {
    let image = try Self.image(original: original, place: place.map { .at($0) })

    #expect(image.folders == [])
    #expect(try NameTemplate("{folder}/{id}").path(of: image) == "3")
  }

  @Test func `an image without a title has the first line of its caption`() throws {
    #expect(try NameTemplate("{title}").path(of: Self.image(title: nil)) == "Over the sea")
  }

  @Test(arguments: [
    ("{nme}", NameTemplate.Flaw.unknownField("nme")), ("{}", .unknownField("")),
    ("{id", .openBrace), ("id}", .openBrace), ("{id:%Y}", .format("%Y", field: .id)),
    ("{date:%Q}", .format("%Q", field: .date)), ("{date:}", .format("", field: .date)),
    ("", .emptyPart), ("{folder}", .emptyPart), ("a/{folder}", .emptyPart), ("/{id}", .emptyPart),
    ("{feed}/", .emptyPart), ("a//{id}", .emptyPart),
    ("../{id}", .place("..")), ("./{id}", .place(".")), ("{feed}/..", .place("..")),
    ("con/{id}", .place("con")), (".Gallery-Export/{id}", .place(".Gallery-Export")),
    (String(repeating: "a", count: 101), .tooLong),
  ])
  func `refuses what is not a template`(text: String, flaw: NameTemplate.Flaw) {
    #expect(throws: flaw) { try NameTemplate(text) }
  }

  /// Each text is used as the title of the image and of the feed.
  @Test(arguments: [
    "../../x", "CON", String(repeating: "👩‍🚀", count: 400), "dots...", "a\nb", "-rf", "", "/",
    "\u{0}",
    "x" + String(repeating: "\u{301}", count: 4_000), "..", ".gallery-export", "{id}",
  ])
  func `a hostile feed gets three safe parts`(text: String) throws {
    let template = try NameTemplate()
    let parts = try template.path(of: Self.image(title: text, feed: text)).split(
      separator: "/",
      omittingEmptySubsequences: false
    ).map(String.init)

    #expect(parts.count == 3)
    #expect(parts[1] == "2026-11")
    #expect(parts[2].hasSuffix(" [3].jpg") || parts[2] == "[3].jpg")
    #expect(parts[0] != ".gallery-export")
    for part in parts {
      #expect(FileName.safe(part) == part)
      #expect(part.utf8.count <= FileName.longestPart)
    }
  }
}
