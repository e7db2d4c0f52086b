import Models
import Testing
import Workers

@testable import FeedFormats

struct EntryImagesTests {
  /// Each source with the address it names, in order of precedence.
  private static let sources = [
    "<media:content url='https://a.b/1.jpg'/>",
    "<enclosure url='https://a.b/2.jpg' type='image/jpeg'/>",
    "<image><url>https://a.b/3.jpg</url></image>",
    "<media:thumbnail url='https://a.b/4.jpg'/>",
    "<itunes:image href='https://a.b/5.jpg'/>",
  ]

  @Test(arguments: 0..<5)
  func `takes the sources in order, whatever the document's order`(first: Int) throws {
    let elements = Self.sources[first...].reversed().joined()

    let read = try ReadDocument.rss("<item>\(elements)</item>")

    // A thumbnail and a podcast's cover count only where nothing else does.
    let numbers = first < 3 ? Array(first...2) : [first]
    #expect(read.originals == numbers.map { "https://a.b/\($0 + 1).jpg" })
  }

  @Test func `makes an image of each address, in order and once`() throws {
    let read = try ReadDocument.rss(
      """
      <item><guid>g</guid><enclosure url="https://a.b/2.jpg"/><enclosure url="https://a.b/1.jpg"/>
      <enclosure url="http://A.B/2.jpg"/></item>
      """
    )

    #expect(read.originals == ["https://a.b/2.jpg", "https://a.b/1.jpg"])
    #expect(read.entries.map(\.images.count) == [2])
    #expect(read.entries.map(\.id) == ["g"])
  }

  @Test func `takes the largest of a group for the original`() throws {
    let read = try ReadDocument.rss(
      """
      <item><media:group>
      <media:content url="https://a.b/m.jpg" width="800" height="600"/>
      <media:content url="https://a.b/l.jpg" width="4000" height="3000"/>
      <media:content url="https://a.b/s.jpg" width="320" height="240"/>
      </media:group></item>
      """
    )

    #expect(read.originals == ["https://a.b/l.jpg"])
    #expect(read.thumbnails == ["https://a.b/s.jpg"])
    #expect(read.images.first?.width == 4000)
  }

  @Test func `takes addresses that differ in the query for renditions of one image`() throws {
    let read = try ReadDocument.rss(
      """
      <item><media:content url="https://a.b/c.jpg?w=140" width="140" height="84"/>
      <media:content url="https://a.b/c.jpg?w=460" width="460" height="276"/>
      <media:content url="https://a.b/d.jpg"/></item>
      """
    )

    #expect(read.originals == ["https://a.b/c.jpg?w=460", "https://a.b/d.jpg"])
  }

  @Test(arguments: [
    [("240/d.jpg", "width='240' height='160'"), ("976/d.jpg", "width='976' height='651'")],
    [("d-150x150.jpg", ""), ("d.jpg", ""), ("d-1024x683.jpg", "")],
    [
      ("d-s.jpg", "width='200' height='133' expression='sample'"),
      ("d.jpg", "width='2000' height='1333' expression='full'"),
    ],
    [("d-300.jpg", "width='300' height='200'"), ("d-1200.jpg", "width='1200' height='800'")],
    [("small/d.jpg", ""), ("large/d.jpg", "")],
  ])
  func `takes loose sizes of one photograph for one image`(sizes: [(String, String)]) throws {
    let media = sizes.map { "<media:content url='https://a.b/\($0)' medium='image' \($1)/>" }

    #expect(try ReadDocument.rss("<item>\(media.joined())</item>").images.count == 1)
  }

  @Test func `joins each of many samples with its own photograph`() throws {
    let names = (1...200).map { "https://a.b/\($0)" }
    let media = names.map { name in
      "<media:content url='\(name)-s.jpg' medium='image' expression='sample'/>"
        + "<media:content url='\(name).jpg' medium='image' expression='full'/>"
    }

    let read = try ReadDocument.rss("<item>\(media.joined())</item>")

    #expect(read.originals == names.map { $0 + ".jpg" })
    #expect(read.thumbnails == names.map { $0 + "-s.jpg" } as [String?])
  }

  @Test(arguments: [
    ["photo.php?id=1", "photo.php?id=2"], ["101/d.jpg", "102/d.jpg"], ["d-1.jpg", "d-2.jpg"],
  ])
  func `keeps photographs apart that only look alike`(paths: [String]) throws {
    let media = paths.map { "<media:content url='https://a.b/\($0)' medium='image'/>" }

    #expect(try ReadDocument.rss("<item>\(media.joined())</item>").images.count == 2)
  }

  @Test func `gives an image its own thumbnail, else the entry's when it is alone`() throws {
    let own = "<media:content url='https://a.b/1.jpg'><media:thumbnail url='https://a.b/t.jpg'/>"
    let entry = "<media:thumbnail url='https://a.b/e.jpg'/>"

    let alone = try ReadDocument.rss(
      "<item><media:content url='https://a.b/1.jpg'/>\(entry)</item>"
    )
    let both = try ReadDocument.rss("<item>\(own)</media:content>\(entry)</item>")
    let several = try ReadDocument.rss(
      "<item>\(own)</media:content><media:content url='https://a.b/2.jpg'/>\(entry)</item>"
    )

    #expect(alone.thumbnails == ["https://a.b/e.jpg"])
    #expect(both.thumbnails == ["https://a.b/t.jpg"])
    #expect(several.thumbnails == ["https://a.b/t.jpg", nil])
  }

  @Test func `has no thumbnail that equals the original`() throws {
    let read = try ReadDocument.rss(
      "<item><enclosure url='https://a.b/1.jpg'/><media:thumbnail url='https://a.b/1.jpg'/></item>"
    )

    #expect(read.thumbnails == [nil])
  }

  @Test func `takes the largest poster of a video for the original`() throws {
    let read = try ReadDocument.rss(
      """
      <item><media:content url="https://a.b/v.mp4" type="video/mp4">
      <media:thumbnail url="https://a.b/s.jpg" width="220" height="120"/>
      <media:thumbnail url="https://a.b/l.jpg" width="960" height="540"/></media:content></item>
      """
    )

    #expect(read.originals == ["https://a.b/l.jpg"])
    #expect(read.thumbnails == ["https://a.b/s.jpg"])
    #expect(read.document.format == .mediaRSS)
  }

  @Test func `undoes the escapes of HTML in an address and no others`() throws {
    let read = try ReadDocument.rss(
      """
      <item><enclosure url="https://a.b/c%2Fd%3D.jpg?a=1&amp;amp;b=2"/>
      <enclosure url="https://a.b/e.jpg?a=1&amp;b=2"/></item>
      """
    )

    #expect(read.originals == ["https://a.b/c%2Fd%3D.jpg?a=1&b=2", "https://a.b/e.jpg?a=1&b=2"])
  }

  @Test(arguments: ["mailto:a@b.c", "javascript:void(0)", "file:///etc/passwd"])
  func `takes no page that is not on the web`(link: String) throws {
    let read = try ReadDocument.rss(
      "<item><link>\(link)</link><enclosure url='a.jpg'/></item>"
    )

    #expect(read.images.map(\.pageAddress) == [nil])
    #expect(read.originals == ["https://example.org/folder/a.jpg"])
  }

  @Test func `chooses the thumbnail among those that are not the original`() throws {
    let read = try ReadDocument.rss(
      """
      <item><media:content url="a.jpg" medium="image">
      <media:thumbnail url="a.jpg" width="300"/><media:thumbnail url="data:," width="250"/>
      <media:thumbnail url="b.jpg" width="100"/></media:content></item>
      """
    )

    #expect(read.thumbnails == ["https://example.org/folder/b.jpg"])
  }

  @Test func `takes a size beyond all numbers for the largest`() {
    var huge = Candidate(reference: "a.jpg")
    huge.width = 9_000_000_000
    huge.height = 9_000_000_000

    #expect(huge.area == .max)
  }
}

struct ThumbnailRuleTests {
  @Test(
    arguments: [
      ([], nil),
      (["75x75"], "75x75"),
      (["75x75", "240x180", "1024x768"], "240x180"),
      (["1024x768", "240x180", "75x75"], "240x180"),
      (["200x10000", "199x300"], "199x300"),
      (["75x75", "100x80", "60x150"], "60x150"),
      (["120x90", "unknown"], "120x90"),
      (["unknown", "other"], "unknown"),
      (["31x200"], nil),
      (["16x16", "120x90"], "120x90"),
      (["240x180", "240x180 again"], "240x180"),
    ] as [([String], String?)]
  )
  func `chooses the smallest that is large enough, else the largest`(
    sizes: [String],
    choice: String?
  ) {
    #expect(ThumbnailRule.choose(from: sizes.map(candidate))?.reference == choice)
  }

  @Test func `goes by the size an address asks for`() {
    let addresses = ["https://a.b/c?w=100", "https://a.b/c?w=400&q=80", "https://a.b/c?width=1080"]

    let choice = ThumbnailRule.choose(from: addresses.map { Candidate(reference: $0) })

    #expect(choice?.reference == "https://a.b/c?w=400&q=80")
  }

  private func candidate(_ size: String) -> Candidate {
    let numbers = size.prefix { $0 != " " }.split(separator: "x").map { Int($0) }
    var candidate = Candidate(reference: size)
    if numbers.count == 2 { (candidate.width, candidate.height) = (numbers[0], numbers[1]) }
    return candidate
  }
}

struct PersonNameTests {
  @Test(arguments: [
    ("jo@example.com (Jo Doe)", "Jo Doe"), ("jo@example.com ( Jo Doe )", "Jo Doe"),
    ("jo@example.com (\"Jo Doe\")", "Jo Doe"), ("jo@example.com ( \" Jo Doe \" )", "Jo Doe"),
    ("jo@example.com (\"Jo\" Doe)", "Jo"),
  ])
  func `is what stands in parentheses behind a mail address`(text: String, name: String) {
    #expect(PersonName.inMailAddress(text) == name)
  }

  @Test(arguments: [
    "Jo Doe", "Jo Doe (photographer)", "jo@example.com", "jo@example.com ()",
    "jo@example.com ( )", "jo@example.com (\" \")",
  ])
  func `is the text where there is none`(text: String) {
    #expect(PersonName.inMailAddress(text) == text)
  }
}
