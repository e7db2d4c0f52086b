import Composition
import Foundation
import HTTPTypes
import Models
import PictureFiles
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// Originals that leave the server without the places where they were taken, and those that do not leave.
@Suite(.timeLimit(.minutes(60)))
struct PlaceRouteTests {
  private static let removing = GalleryServer.Settings(removesPlaces: true)
  private static let plain =
    PictureBytes.jpegStart + PlaceSamples.jfif + PlaceSamples.jpegPixels

  /// A server with one image, whose original is a file with these bytes.
  private struct Bench {
    let site: ScratchFolder
    let server: ServerBench

    init(
      _ bytes: [UInt8],
      _ settings: GalleryServer.Settings = removing,
      thumbnail: [UInt8] = PictureBytes.jpegStart
        + PictureBytes.jpegFrame(width: 160, height: 120) + PictureBytes.jpegScan
        + PictureBytes.jpegEnd
    ) async throws {
      site = try ScratchFolder()
      let feed = #"[{"id": 1, "title": "Tower", "url": "tower.jpg", "thumbnailUrl": "small.jpg"}]"#
      for (name, content) in [
        ("tower.jpg", bytes), ("feed.json", Array(feed.utf8)),
        ("small.jpg", thumbnail),
      ] {
        try Data(content).write(to: URL(filePath: "\(site.path)/\(name)"))
      }
      server = try await ServerBench(
        settings,
        syncing: WebAddress(filePath: "\(site.path)/feed.json", relativeTo: "/").text
      )
    }

    /// The path of the stored original.
    func path() async throws -> String {
      var answer = try await server.ask("/images/1/original")
      // It has been sent while it arrived.
      if answer.status == 200 { answer = try await server.ask("/images/1/original") }
      #expect(answer.status == 303)
      return try #require(answer.fields[.location])
    }

    /// Stores a thumbnail as an earlier version did, and returns its hash.
    func keep(_ thumbnail: [UInt8]) async throws -> String {
      let info = try #require(PictureCheck(thumbnail)).info
      let store = try #require(server.root.library as? any PictureStoring)
      let fetched = FetchedThumbnail(
        imageID: 1,
        address: WebAddress(filePath: "\(site.path)/small.jpg", relativeTo: "/"),
        validators: Validators(),
        info: info,
        bytes: thumbnail,
        fetched: Date(),
        checkDate: Date()
      )
      try await store.store(PictureBatch(new: [fetched]), .thumbnail)
      return try #require(try await self.thumbnail())
    }

    /// The hash of the stored thumbnail.
    func thumbnail() async throws -> String? {
      try await server.root.library.tiles(ids: [1]).first?.thumbnail?.hexadecimal
    }

    func ask(_ path: String, _ name: HTTPField.Name, _ value: String) async throws
      -> ServerBench.Answer
    {
      var fields = ServerBench.admin
      fields[name] = value
      return try await server.ask(path, .get, fields)
    }
  }

  private static func hash(in path: String) -> String { String(path.suffix(64)) }

  @Test(arguments: PlaceSamples.all)
  func `sends a copy without the place, and keeps the original as it is`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) async throws {
    let bench = try await Bench(bytes)
    let path = try await bench.path()

    let copy = try await bench.server.ask(path)

    #expect(copy.status == 200)
    #expect(copy.bytes.count == bytes.count)
    #expect(!PlaceSamples.tell(copy.bytes))
    #expect(copy.bytes.firstRange(of: pixels) == bytes.firstRange(of: pixels))
    let tag = try #require(copy.fields[.eTag])
    #expect(tag.hasPrefix("\"\(Self.hash(in: path))-without-place-"))
    #expect(copy.fields[.cacheControl] == "private, no-cache")
    let original = try #require(try await bench.server.root.library.original(imageID: 1))
    #expect(original.sha256 == Self.hash(in: path))
    #expect(Array(try Data(contentsOf: URL(filePath: original.path))) == bytes)
    // What was found is remembered.
    let again = try await bench.server.ask(path)
    #expect(again.bytes == copy.bytes && again.fields[.eTag] == tag)
  }

  @Test(arguments: PlaceSamples.all)
  func `sends the original as it is without the option`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) async throws {
    let bench = try await Bench(bytes, .init())
    let path = try await bench.path()

    let original = try await bench.server.ask(path)

    #expect(original.bytes == bytes)
    #expect(original.fields[.eTag] == "\"\(Self.hash(in: path))\"")
    #expect(original.fields[.cacheControl] == "private, max-age=31536000, immutable")
  }

  @Test func `answers with parts of the copy, and that it has not changed`() async throws {
    let bench = try await Bench(PlaceSamples.jpeg)
    let path = try await bench.path()
    let whole = try await bench.server.ask(path)
    let tag = try #require(whole.fields[.eTag])

    for range in [0..<10, 20..<700, 300..<1_500, whole.bytes.count - 90..<whole.bytes.count] {
      let field = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
      let part = try await bench.ask(path, .range, field)
      #expect(part.status == 206)
      #expect(part.bytes == Array(whole.bytes[range]))
    }
    #expect(try await bench.ask(path, .ifNoneMatch, tag).status == 304)
    let former = "\"\(Self.hash(in: path))\""
    #expect(try await bench.ask(path, .ifNoneMatch, former).status == 200)
    var fields = ServerBench.admin
    (fields[.range], fields[.ifRange]) = ("bytes=0-9", former)
    #expect(try await bench.server.ask(path, .get, fields).status == 200)
    fields[.ifRange] = tag
    #expect(try await bench.server.ask(path, .get, fields).status == 206)
    let head = try await bench.server.ask(path, .head)
    #expect(head.status == 200 && head.bytes.isEmpty && head.fields[.eTag] == tag)
  }

  @Test func `a picture without a place is the same with the option`() async throws {
    let bench = try await Bench(Self.plain)
    let path = try await bench.path()

    let answer = try await bench.server.ask(path)

    #expect(answer.bytes == Self.plain)
    #expect(answer.fields[.eTag] == "\"\(Self.hash(in: path))\"")
  }

  @Test(arguments: [
    (PictureBytes.tiff, "which it cannot remove from a TIFF image"),
    (PictureBytes.gif, "which it cannot remove from a GIF image"),
    (PictureBytes.jpeg, "and does not understand all of this one"),
  ])
  func `refuses an original from which it cannot remove the place`(
    bytes: [UInt8],
    reason: String
  ) async throws {
    let bench = try await Bench(bytes)
    let path = try await bench.path()

    for _ in 1...2 {
      let answer = try await bench.server.ask(path)
      #expect(answer.status == 403)
      #expect(
        answer.json["detail"] as? String
          == "this server sends originals without the places where they were taken, \(reason)"
      )
    }
    let head = try await bench.server.ask(path, .head)
    #expect(head.status == 403)
    // Tells a mirror why.
    #expect(head.fields[.eTag] == "\"\(Self.hash(in: path))-without-place\"")
    #expect(try await bench.ask(path, .range, "bytes=0-9").status == 403)
  }

  @Test(arguments: [(PictureBytes.gif, false), (PlaceSamples.jpeg, true)])
  func `a random picture is the original only if that may be sent`(
    bytes: [UInt8],
    isSent: Bool
  ) async throws {
    let bench = try await Bench(bytes)
    _ = try await bench.path()

    let answer = try await bench.server.ask("/random")

    #expect((answer.fields[.location]?.contains("/o/") ?? false) == isSent)
  }

  // MARK: Thumbnails

  @Test(arguments: PlaceSamples.all)
  func `a named thumbnail is stored without its place`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) async throws {
    let bench = try await Bench(Self.plain, .init(), thumbnail: bytes)
    let hash = try #require(try await bench.thumbnail())

    let answer = try await bench.server.ask("/t/\(hash)")

    #expect(answer.status == 200)
    #expect(answer.bytes.count == bytes.count)
    #expect(!PlaceSamples.tell(answer.bytes))
    #expect(answer.bytes.firstRange(of: pixels) == bytes.firstRange(of: pixels))
    #expect(answer.fields[.eTag] == "\"\(hash)\"")
  }

  @Test(arguments: PlaceSamples.all)
  func `a thumbnail that an earlier version stored leaves without its place`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) async throws {
    let bench = try await Bench(Self.plain)
    let hash = try await bench.keep(bytes)

    let answer = try await bench.server.ask("/t/\(hash)")
    let list = try await bench.server.ask("/api/v1/thumbnails?hashes=\(hash)")

    #expect(answer.status == 200)
    #expect(answer.bytes.count == bytes.count)
    #expect(!PlaceSamples.tell(answer.bytes))
    #expect(answer.fields[.eTag]?.hasPrefix("\"\(hash)-without-place-") == true)
    #expect(answer.fields[.cacheControl] == "private, no-cache")
    // Their copies have other hashes than a mirror asks for.
    #expect(list.status == 200 && list.bytes.isEmpty)
  }

  @Test func `without the option, thumbnails leave as they are stored`() async throws {
    let bench = try await Bench(Self.plain, .init())
    let hash = try await bench.keep(PlaceSamples.jpeg)

    let answer = try await bench.server.ask("/t/\(hash)")
    let list = try await bench.server.ask("/api/v1/thumbnails?hashes=\(hash)")

    #expect(answer.bytes == PlaceSamples.jpeg && list.bytes == PlaceSamples.jpeg)
    #expect(answer.fields[.eTag] == "\"\(hash)\"")
  }

  @Test func `a thumbnail whose place cannot be removed does not leave`() async throws {
    let bench = try await Bench(Self.plain)
    let hash = try await bench.keep(PlaceSamples.strangePNG)

    #expect(try await bench.server.ask("/t/\(hash)").status == 403)
    #expect(try await bench.server.ask("/api/v1/thumbnails?hashes=\(hash)").bytes.isEmpty)
  }

  @Test func `an original that arrives is stored before it is sent`() async throws {
    let bench = try await Bench(PlaceSamples.jpeg)

    let first = try await bench.server.ask("/images/1/original")

    #expect(first.status == 303)
    #expect(try await bench.server.root.library.original(imageID: 1) != nil)
  }

  @Test func `a file of a folder leaves without its place, too`() async throws {
    let scratch = try ScratchFolder()
    let folder = "\(scratch.path)/photos"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let photo = try Data(
      contentsOf: URL(filePath: Checkout.demoFeed).deletingLastPathComponent()
        .appending(path: "originals/01-dandelion.jpg")
    )
    let telling = photo.prefix(2) + Data(PlaceSamples.jpegMetadata) + photo.dropFirst(2)
    try telling.write(to: URL(filePath: "\(folder)/a.jpg"))
    let bench = try await ServerBench(Self.removing, syncing: nil)
    try await bench.sync(WebAddress(filePath: folder + "/", relativeTo: "/").text)
    let path = try #require(try await bench.ask("/images/1/original").fields[.location])

    let copy = try await bench.ask(path)

    #expect(copy.status == 200)
    #expect(copy.bytes.count == telling.count)
    #expect(!PlaceSamples.tell(copy.bytes))
    #expect(copy.bytes.suffix(100_000) == Array(telling.suffix(100_000))[...])
    #expect(try Data(contentsOf: URL(filePath: "\(folder)/a.jpg")) == telling)
  }
}
