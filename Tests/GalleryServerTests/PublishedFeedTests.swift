import FeedFormats
import Foundation
import Models
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

  private static func document(_ kind: PublishedFeedKind, _ records: [ImageRecord]) -> [UInt8] {
    let feed = PublishedFeed(
      ListAddress(feedID: 7),
      .init(title: "Moon", origin: origin, library: "00000000-0000-4000-8000-000000000000"),
      on: Site(basePath: "/base", assetHash: "0")
    )
    feed.displayFetchedImages(viewModel: .init(records: records))
    return feed.bytes(as: kind)
  }

  private static func read(
    _ kind: PublishedFeedKind,
    _ records: [ImageRecord]
  ) throws -> [FeedImage] {
    let address = try #require(WebAddress("\(origin)/base/feeds/7.\(kind.rawValue)"))
    let parser = FeedReader().parser(for: FeedSource(address: address))
    var entries = try parser.push(document(kind, records))
    entries += try parser.finish().entries
    return entries.flatMap(\.images)
  }

  private static func image(_ record: ImageRecord) throws -> FeedImage {
    let page = "\(origin)/base/images/\(record.id)"
    return FeedImage(
      title: record.title,
      caption: record.caption,
      author: record.author,
      licence: record.licence,
      published: try record.published.map { try Date($0, strategy: .iso8601) },
      pageAddress: WebAddress(page),
      thumbnailAddress: record.thumbnail.sha256.flatMap { WebAddress("\(origin)/base/t/\($0)") },
      originalAddress: try #require(WebAddress("\(page)/original")),
      width: record.width,
      height: record.height
    )
  }

  @Test(arguments: PublishedFeedKind.allCases)
  func `a reader finds all that is known of each image`(kind: PublishedFeedKind) throws {
    let read = try Self.read(kind, Self.records)

    #expect(read.count == Self.records.count)
    for (image, record) in zip(read, Self.records) { #expect(image == (try Self.image(record))) }
  }

  @Test(arguments: [PublishedFeedKind.rss, .atom])
  func `a caption that looks like markup stays as it is`(kind: PublishedFeedKind) throws {
    var record = Self.full(1, licence: "CC0")
    record.caption = "Write <b> as &lt;b&gt;"

    #expect(try Self.read(kind, [record]).map(\.caption) == [record.caption])
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

  @Test func `a canvas claims no size of an original that is not known`() throws {
    let bytes = Self.document(.iiif, [Self.blank(4)])
    let text = String(decoding: bytes, as: UTF8.self)

    #expect(text.contains(#""width":1000,"height":1000"#))
    #expect(
      text.contains(#""body":{"id":"http://127.0.0.1:8470/base/images/4/original","type":"Image"}"#)
    )
  }
}
