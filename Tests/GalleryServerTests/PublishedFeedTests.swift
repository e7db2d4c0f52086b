import FeedFormats
import Foundation
import HTTPTypes
import Models
import TestSupport
import Testing
import Web
import Workers

@testable import Scenes

/// The feeds of a list, read back by the program's own reader.
struct PublishedFeedTests {
  private static let origin = "http://127.0.0.1:8470"
  private static let hash = String(repeating: "0f", count: 32)

  /// A record with every field set, all of which a reader must find.
  private static func full(_ id: Int64, licence: String) -> ImageRecord {
    var record = blank(id)
    record.title = "Delta & <Sons> \(id)"
    record.caption = "“Fish” & chips, 1 < 2"
    record.author = "Zoë d’Arc"
    record.licence = licence
    record.published = "2024-05-06T07:08:09Z"
    record.thumbnail.sha256 = String(hash.dropLast(2)) + "a\(id)"
    record.thumbnail.type = "image/jpeg"
    (record.thumbnail.width, record.thumbnail.height) = (320, 240)
    (record.width, record.height) = (4_000, 3_000)
    return record
  }

  private static func blank(_ id: Int64) -> ImageRecord {
    var record = ImageRecord.blank
    record.id = id
    record.feed.title = "Moon"
    return record
  }

  private static let records = [
    full(1, licence: "http://creativecommons.org/licenses/by/4.0/"),
    full(2, licence: "© ESA, all rights reserved"),
    full(3, licence: "https://example.org/licence?a=1&b=2"),
    blank(4),
    full(5, licence: "http://rightsstatements.org/vocab/InC/1.0/"),
  ]

  private static func document(
    _ kind: PublishedFeedKind,
    _ records: [ImageRecord],
    _ states: [ImageState] = [],
    token: String? = nil
  ) -> [UInt8] {
    let library = "00000000-0000-4000-8000-000000000000"
    let feed = PublishedFeed(
      ListAddress(feedID: 7),
      .init(title: "Moon", origin: origin, library: library, token: token),
      on: Site(basePath: "/base", assetHash: "0")
    )
    feed.displayFetchedImages(viewModel: .init(records: records))
    feed.add(states)
    return feed.bytes(as: kind)
  }

  private static func read(
    _ kind: PublishedFeedKind,
    _ records: [ImageRecord],
    token: String? = nil
  ) throws -> [FeedImage] {
    let address = try #require(WebAddress("\(origin)/base/feeds/7.\(kind.rawValue)"))
    let parser = FeedReader().parser(for: FeedSource(address: address))
    var entries = try parser.push(document(kind, records, token: token))
    entries += try parser.finish().entries
    return entries.flatMap(\.images)
  }

  private static func image(_ record: ImageRecord, token: String?) throws -> FeedImage {
    let page = "\(origin)/base/images/\(record.id)"
    let query = token.map { "?feed_token=\($0)" } ?? ""
    return FeedImage(
      title: record.title,
      caption: record.caption,
      author: record.author,
      licence: record.licence,
      published: try record.published.map { try Date($0, strategy: .iso8601) },
      pageAddress: WebAddress(page),
      thumbnailAddress: record.thumbnail.sha256.flatMap {
        WebAddress("\(origin)/base/t/\($0)\(query)")
      },
      originalAddress: try #require(WebAddress("\(page)/original\(query)")),
      width: record.width,
      height: record.height
    )
  }

  @Test(arguments: PublishedFeedKind.allCases, [nil, "a.b.c.d"])
  func `a reader finds all that is known of each image, and each image once`(
    kind: PublishedFeedKind,
    token: String?
  ) throws {
    let read = try Self.read(kind, Self.records, token: token)

    #expect(read.count == Self.records.count)
    for (image, record) in zip(read, Self.records) {
      var expected = try Self.image(record, token: token)
      if kind == .atom, record.published == nil {
        // An entry of Atom needs a date (RFC 4287, section 4.1.2), which is that of the first sight.
        let date = try #require(image.published)
        #expect(date > Date(timeIntervalSince1970: 1_700_000_000))
        expected.published = date
      }
      if kind == .rss, record.title == nil { expected.title = "Image \(record.id)" }
      #expect(image == expected)
    }
  }

  @Test func `an item of RSS has a title, which some readers need`() throws {
    var captioned = Self.blank(5)
    captioned.caption = "A boat"
    var named = Self.blank(6)
    named.title = "Harbour"
    let read = try Self.read(.rss, [Self.blank(4), captioned, named])

    #expect(read.map(\.title) == ["Image 4", "Image 5", "Harbour"])
    #expect(read.map(\.caption) == [nil, "A boat", nil])
  }

  @Test(arguments: [
    ("Zoë d’Arc", "Zoë d’Arc"), ("Ada (Studio)", "Ada [Studio]"),
    ("Ada :) & <Bob>", "Ada :] &amp; &lt;Bob&gt;"),
    ("Ada (\u{308}", "Ada [\u{308}"), ("ada@a.b (Ada)", "ada@a.b [Ada]"),
  ])
  func `an item of RSS names its author in the element of each reader`(
    author: String,
    bracketed: String
  ) throws {
    var record = Self.full(1, licence: "CC0")
    record.author = author

    let text = String(decoding: Self.document(.rss, [record, Self.blank(2)]), as: UTF8.self)
    let elements = text.split(separator: "\n").filter {
      $0.contains("author>") || $0.contains("creator>")
    }
    let name = author.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      ">",
      with: "&gt;"
    )

    #expect(
      elements == [
        "<itunes:author>\(name)</itunes:author>",
        "<author>noreply@gallery.test (\(bracketed))</author>", "<dc:creator>\(name)</dc:creator>",
      ]
    )
    #expect(try Self.read(.rss, [record, Self.blank(2)]).map(\.author) == [author, nil])
  }

  @Test(arguments: [PublishedFeedKind.rss, .atom])
  func `a caption that looks like markup stays as it is`(kind: PublishedFeedKind) throws {
    var record = Self.full(1, licence: "CC0")
    record.caption = "Write <b> as &lt;b&gt;"

    #expect(try Self.read(kind, [record]).map(\.caption) == [record.caption])
  }

  @Test(arguments: [PublishedFeedKind.rss, .atom, .jsonFeed])
  func `a reader that shows only texts finds the picture, its page and the caption`(
    kind: PublishedFeedKind
  ) throws {
    var lines = Self.full(6, licence: "CC0")
    lines.caption = "One\nTwo"
    let captioned = Self.full(7, licence: "CC0")
    var unseen = captioned
    unseen.id = 8
    unseen.thumbnail.sha256 = nil
    let records = [lines, captioned, unseen, Self.blank(9)]

    let texts = try Self.texts(in: Self.document(kind, records, token: "a.b"), kind)

    let picture = { (id: Int64) in
      let page = "\(Self.origin)/base/images/\(id)"
      let address = "\(Self.origin)/base/t/\(Self.hash.dropLast(2))a\(id)?feed_token=a.b"
      let title = "Delta &amp; &lt;Sons&gt; \(id)"
      return #"<p><a href="\#(page)"><img src="\#(address)" alt="\#(title)""#
        + #" width="320" height="240"></a></p>"#
    }
    let caption = "<p>“Fish” &amp; chips, 1 &lt; 2</p>"
    #expect(texts == [picture(6) + "<p>One<br>Two</p>", picture(7) + caption, caption])
  }

  /// The HTML of the entries of a document.
  private static func texts(in document: [UInt8], _ kind: PublishedFeedKind) throws -> [String] {
    if kind == .jsonFeed {
      let feed = try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any]
      let items = try #require(feed?["items"] as? [[String: Any]])
      return items.compactMap { $0["content_html"] as? String }
    }
    let name = kind == .rss ? "content:encoded" : "content"
    return String(decoding: document, as: UTF8.self).split(separator: "<\(name)").dropFirst()
      .compactMap { $0.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false).last }
      .compactMap { $0.split(separator: "</\(name)>").first }
      .map { text in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
          .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
      }
  }

  @Test(arguments: [
    ("https://creativecommons.org/licenses/by/4.0/", "http://creativecommons.org/licenses/by/4.0/"),
    (
      "https://www.creativecommons.org/publicdomain/zero/1.0/",
      "http://creativecommons.org/publicdomain/zero/1.0/"
    ),
    ("https://example.org/creativecommons.org/licenses/by/4.0/", nil),
    ("creativecommons.org/licenses/by/4.0/", nil), ("CC BY 4.0", nil),
    ("http://creativecommons.org/licenses/by 4.0", nil),
  ])
  func `a manifest has only rights that IIIF allows, and shows every other licence`(
    licence: String,
    rights: String?
  ) throws {
    let bytes = Self.document(.iiif, [Self.full(1, licence: licence)])
    let manifest = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let canvas = try #require((manifest?["items"] as? [[String: Any]])?.first)

    #expect(canvas["rights"] as? String == rights)
    let statement = (canvas["requiredStatement"] as? [String: Any])?["value"]
    let shown = (statement as? [String: [String]])?["none"]
    #expect(shown == (rights == nil ? [licence] : nil))
  }

  /// A camera that is held on its side writes the sides of its sensor, and a turn into the EXIF.
  @Test(arguments: [
    (320, 240, 4_000, 3_000), (241, 320, 3_000, 4_000), (200, 320, 4_000, 3_000),
  ])
  func `a canvas is upright like the thumbnail`(
    thumbnailWidth: Int,
    thumbnailHeight: Int,
    width: Int,
    height: Int
  ) {
    var record = Self.full(1, licence: "CC0")
    (record.thumbnail.width, record.thumbnail.height) = (thumbnailWidth, thumbnailHeight)
    let fields = ImageFields(
      title: nil,
      caption: nil,
      author: nil,
      licence: nil,
      published: nil,
      pageAddress: nil,
      thumbnailAddress: nil,
      originalAddress: "https://example.org/1.jpg",
      width: nil,
      height: nil
    )
    let original = PictureInfo(format: .jpeg, bytes: 1, width: 4_000, height: 3_000)
    let state = ImageState.sample(
      id: 1,
      fields: fields,
      original: .init(info: original, isStale: false)
    )

    let text = String(decoding: Self.document(.iiif, [record], [state]), as: UTF8.self)

    #expect(text.contains(#""width":\#(width),"height":\#(height)"#))
  }

  @Test func `a canvas claims no size of an original that is not known`() throws {
    let bytes = Self.document(.iiif, [Self.blank(4)])
    let text = String(decoding: bytes, as: UTF8.self)

    #expect(text.contains(#""width":1000,"height":1000"#))
    #expect(
      text.contains(#""body":{"id":"http://127.0.0.1:8470/base/images/4/original","type":"Image"}"#)
    )
  }
}

/// The feeds of a server, as readers that know only a part of each format find them.
struct FeedReaderTests {
  @Test
  func
    `a reader without Media RSS finds each picture, with its type and length where it is stored`()
    async throws
  {
    let bench = try await ServerBench()
    // The first request may get the bytes while they arrive.
    _ = try await bench.ask("/images/1/original")
    let original = try await bench.ask("/images/1/original").fields[.location]
    let stored = try await bench.ask(try #require(original))

    let feed = try await bench.ask("/images.rss").text
    let enclosures = feed.matches(of: /<enclosure url="([^"]+)" length="(\d+)" type="([^"]+)"\/>/)

    #expect(enclosures.count == 12 && feed.matches(of: /<item>/).count == 12)
    for enclosure in enclosures {
      #expect(enclosure.3 == "image/jpeg")
      #expect(
        Int(enclosure.2) == (enclosure.1.hasSuffix("/images/1/original") ? stored.bytes.count : 0)
      )
    }
    #expect(feed.contains(#"fileSize="\#(stored.bytes.count)""#))
  }

  @Test func `a licence has its text, also where it is an address`() async throws {
    let feed = try await ServerBench().ask("/images.rss").text
    let licences = feed.matches(of: /<media:license[^>]*>([^<]*)<\/media:license>/)

    #expect(!licences.isEmpty)
    #expect(licences.allSatisfy { !$0.1.isEmpty })
  }

  @Test func `a reader of JSON Feed 1 finds the author, too`() async throws {
    let items = try #require(
      try await ServerBench().ask("/images.json").json["items"] as? [[String: Any]]
    )
    let authors = items.compactMap { ($0["author"] as? [String: Any])?["name"] as? String }

    #expect(!authors.isEmpty)
    #expect(
      authors == items.compactMap { ($0["authors"] as? [[String: Any]])?.first?["name"] as? String }
    )
  }

  @Test func `an entry without a date has that of its first sight`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let path = "\(bench.folder)/feed.json"
    try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
    try Data(#"[{"url":"http://127.0.0.1:1/a.jpg","title":"Sea"}]"#.utf8).write(
      to: URL(filePath: path)
    )
    let before = Date()
    try await bench.sync(WebAddress(filePath: path, relativeTo: "/").text)

    for address in ["/images.atom", "/search.atom?q=nothing"] {
      let dates = try await bench.ask(address).text.matches(of: /<updated>([^<]+)<\/updated>/)
        .map { try Date(String($0.1), strategy: .iso8601) }
      #expect(dates.count == (address == "/images.atom" ? 2 : 1))
      for date in dates { #expect(date > before - 86_401) }
    }
    #expect(try await !bench.ask("/images.atom").text.contains("<published>"))
  }

  @Test
  func `a canvas has the size of the stored original, and our own reader takes the file itself`()
    async throws
  {
    let bench = try await ServerBench()
    _ = try await bench.ask("/images/1/original")
    let answer = try await bench.ask("/iiif/images/manifest.json")
    let image = try await bench.ask("/api/v1/images/1").json
    let original = try #require(image["original"] as? [String: Any])
    let canvases = try #require(answer.json["items"] as? [[String: Any]])
    let canvas = try #require(
      canvases.first { ($0["id"] as? String)?.hasSuffix("/images/1/canvas") == true }
    )

    #expect(canvas["width"] as? Int == original["width"] as? Int)
    #expect(canvas["height"] as? Int == original["height"] as? Int)
    let address = try #require(WebAddress("http://127.0.0.1:8470/iiif/images/manifest.json"))
    let parser = FeedReader().parser(for: FeedSource(address: address))
    let entries = try parser.push(answer.bytes) + parser.finish().entries
    let read = entries.flatMap(\.images)
    #expect(read.count == 12)
    for image in read {
      #expect(image.originalAddress.text.hasSuffix("/original"), "\(image.originalAddress)")
    }
  }
}
