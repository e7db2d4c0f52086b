import Foundation
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import PictureFiles
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// Pictures by their hash, and originals that are still arriving.
struct PictureRouteTests {
  /// A browser shows a picture in a page with styles of its own.
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

  @Test func `serves a thumbnail under its hash for a year`() async throws {
    let bench = try await ServerBench()
    let hash = try await thumbnail(bench)

    let picture = try await bench.ask("/t/\(hash)")

    #expect(picture.status == 200)
    #expect(picture.fields[.contentType] == "image/jpeg")
    #expect(picture.fields[.eTag] == "\"\(hash)\"")
    #expect(picture.fields[.cacheControl] == "private, max-age=31536000, immutable")
    #expect(picture.fields[.contentSecurityPolicy] == Self.policy)
    #expect(picture.fields[.xContentTypeOptions] == "nosniff")
    #expect(picture.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
  }

  @Test func `answers with ranges, heads, and that nothing has changed`() async throws {
    let bench = try await ServerBench()
    let hash = try await thumbnail(bench)
    let whole = try await bench.ask("/t/\(hash)")

    let part = try await bench.ask("/t/\(hash)", .get, fields(.range, "bytes=10-19"))
    #expect(part.status == 206)
    #expect(part.bytes == Array(whole.bytes[10..<20]))
    #expect(part.fields[.contentRange] == "bytes 10-19/\(whole.bytes.count)")

    let beyond = try await bench.ask("/t/\(hash)", .get, fields(.range, "bytes=99999999-"))
    #expect(beyond.status == 416)
    #expect(beyond.fields[.contentRange] == "bytes */\(whole.bytes.count)")

    let known = try await bench.ask("/t/\(hash)", .get, fields(.ifNoneMatch, "\"\(hash)\""))
    #expect(known.status == 304)
    let other = try await bench.ask("/t/\(hash)", .get, fields(.ifNoneMatch, "\"x\""))
    #expect(other.status == 200)

    let head = try await bench.ask("/t/\(hash)", .head)
    #expect(head.status == 200)
    #expect(head.bytes.isEmpty)
  }

  @Test func `answers with several thumbnails behind one another, without those that it lacks`()
    async throws
  {
    let bench = try await ServerBench()
    let hashes = try await thumbnails(bench)
    let unknown = String(repeating: "ab", count: 32)

    let answer = try await bench.ask(
      "/api/v1/thumbnails?hashes=\(hashes[1]),\(unknown),\(hashes[0])"
    )

    #expect(answer.status == 200)
    #expect(answer.fields[.contentType] == "application/octet-stream")
    #expect(answer.fields[.cacheControl] == "no-store")
    let (first, second) = try await (bench.ask("/t/\(hashes[1])"), bench.ask("/t/\(hashes[0])"))
    #expect(answer.bytes == first.bytes + second.bytes)
    let most = Array(repeating: unknown, count: 99).joined(separator: ",")
    let last = try await bench.ask("/api/v1/thumbnails?hashes=\(most),\(hashes[0])")
    #expect(last.bytes == second.bytes)
  }

  @Test(arguments: [
    "", "?hashes=", "?hashes=ab", "?hashes=HASH,", "?hashes=,HASH", "?hashes=HASHHASH", "MANY",
  ])
  func `takes 1 to 100 hashes at once`(query: String) async throws {
    let bench = try await ServerBench(syncing: nil)
    let hash = String(repeating: "ab", count: 32)
    let many = "?hashes=" + Array(repeating: hash, count: 101).joined(separator: ",")

    let answer = try await bench.ask(
      "/api/v1/thumbnails"
        + query.replacing("HASH", with: hash).replacing("MANY", with: many)
    )

    #expect(answer.status == 400)
    #expect(
      answer.json["detail"] as? String
        == "'hashes' are 1 to 100 SHA-256 hashes with commas between them"
    )
  }

  @Test func `takes a range only of the version that the client has`() async throws {
    let bench = try await ServerBench()
    let hash = try await thumbnail(bench)
    var fields = fields(.range, "bytes=0-9")

    fields[.ifRange] = "\"\(hash)\""
    #expect(try await bench.ask("/t/\(hash)", .get, fields).status == 206)
    fields[.ifRange] = "\"another\""
    #expect(try await bench.ask("/t/\(hash)", .get, fields).status == 200)
  }

  @Test(arguments: [
    ("bytes=0-9", ByteRange.part(0..<10)), ("bytes=5-", .part(5..<100)),
    ("bytes=-7", .part(93..<100)), ("bytes=-700", .part(0..<100)),
    ("bytes=90-900", .part(90..<100)), ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
    ("bytes=9-3", .whole), ("bytes=0-1,5-6", .whole), ("lines=0-1", .whole), ("bytes=x-", .whole),
    ("bytes=-", .whole), ("", .whole), ("bytes=+0-+9", .whole), ("bytes=--9", .whole),
    ("bytes=0-9223372036854775806", .part(0..<100)),
    ("bytes=0-9223372036854775807", .part(0..<100)),
    ("bytes=99-18446744073709551615", .part(99..<100)),
    ("bytes=9223372036854775807-", .unsatisfiable),
    ("bytes=9223372036854775808-9223372036854775809", .unsatisfiable),
    ("bytes=-9223372036854775807", .part(0..<100)), ("bytes=-9223372036854775808", .part(0..<100)),
    ("bytes=0-1e308", .whole), ("bytes=NaN-", .whole),
  ])
  func `reads ranges`(field: String, expected: ByteRange) {
    #expect(ByteRange(field, length: 100) == expected)
  }

  @Test(arguments: ["", "0", "zz", "../x", String(repeating: "0", count: 64)])
  func `knows only the hashes of its pictures`(hash: String) async throws {
    let bench = try await ServerBench()

    #expect(try await bench.ask("/t/\(hash)").status == 404)
    #expect(try await bench.ask("/o/\(hash)").status == 404)
  }

  /// A WebP of 16 x 32 pixels, whose EXIF turns it by a quarter.
  private static let lyingWebP = """
    UklGRlwAAABXRUJQVlA4WAoAAAAIAAAADwAAHwAAVlA4TBwAAAAvD8AHAA8wCleAP4T+/EcLxIJJ/tLdM4jof8YzRVhJRhoA
    AABJSSoACAAAAAEAEgEDAAEAAAAGAAAAAAAAAA==
    """

  @Test func `leads an element of a page to an upright rendering of a WebP`() async throws {
    let site = try ScratchFolder()
    let webP = Data(base64Encoded: Self.lyingWebP, options: .ignoreUnknownCharacters)
    try #require(webP).write(to: URL(filePath: "\(site.path)/lying.webp"))
    try Data(#"[{"id": 1, "title": "Lying", "url": "lying.webp"}]"#.utf8)
      .write(to: URL(filePath: "\(site.path)/feed.json"))
    let feed = WebAddress(filePath: "\(site.path)/feed.json", relativeTo: "/").text
    let bench = try await ServerBench(syncing: feed)
    _ = try await bench.ask("/images/1/original")
    var fields = ServerBench.admin

    let saved = try await bench.ask("/images/1/original", .get, fields)
    fields[.accept] = "image/avif,image/webp,*/*"
    let shown = try await bench.ask("/images/1/original", .get, fields)
    let upright = try #require(shown.fields[.location])
    let rendering = try await bench.ask(upright)

    #expect(try await bench.ask("/random", .get, fields).fields[.location] == upright)
    #expect(try await bench.ask("/frame").text.contains(#" src="\#(upright)""#))
    #expect(saved.fields[.location]?.contains("/o/") == true)
    #expect(rendering.status == 200)
    #expect(rendering.fields[.contentType] == "image/jpeg")
    let header = try #require(ImageHeader(rendering.bytes))
    #expect((header.width, header.height) == (32, 16))
  }

  @Test func `fetches an original once, and then leads to its hash`() async throws {
    let bench = try await ServerBench()

    let first = try await bench.ask("/images/1/original")
    let second = try await bench.ask("/images/1/original")

    let location = try #require(second.fields[.location])
    #expect(second.status == 303)
    let stored = try await bench.ask(location)
    #expect(stored.status == 200)
    #expect(stored.fields[.contentType] == "image/jpeg")
    // The original may have arrived in full before the response began.
    if first.status == 200 {
      #expect(first.bytes == stored.bytes)
      #expect(first.fields[.cacheControl] == "no-store")
    } else {
      #expect(first.status == 303)
    }
    let part = try await bench.ask(location, .get, fields(.range, "bytes=-4"))
    #expect(part.bytes == Array(stored.bytes.suffix(4)))
  }

  @Test(arguments: [
    (ImageFormat.svg, "attachment" as String?, "default-src 'none'; sandbox"),
    (.png, nil, PictureRouteTests.policy), (.webP, nil, PictureRouteTests.policy),
  ])
  func `hands out documents as attachments, never inline`(
    format: ImageFormat,
    disposition: String?,
    policy: String
  ) async throws {
    let server = try await ServerBench(syncing: nil).server
    for tag in ["\"1\"", "\"0\""] {
      let head = HTTPRequest(
        method: .get,
        scheme: "http",
        authority: "localhost",
        path: "/o/0",
        headerFields: [.ifNoneMatch: tag]
      )
      let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
      let picture = StoredPicture(hash: "0", format: format, length: 1)

      let answer = server.answer(picture, request) { _ in ResponseBody() }

      #expect(answer.status == (tag == picture.entityTag ? .notModified : .ok))
      #expect(answer.headers[.contentDisposition] == disposition)
      #expect(answer.headers[.contentSecurityPolicy] == policy)
    }
  }

  @Test func `leads to a picture by chance`() async throws {
    let bench = try await ServerBench()

    let picture = try await bench.ask("/random")
    let told = try await bench.ask("/random", .get, fields(.accept, "application/json"))

    #expect(picture.status == 303)
    #expect(try await bench.ask(try #require(picture.fields[.location])).status == 200)
    #expect(told.json["page"] as? String == "/images/\(told.json["id"] as? Int ?? 0)")
    #expect(try await bench.ask("/random?q=zeppelin").status == 404)
  }

  private func thumbnail(_ bench: ServerBench) async throws -> String {
    try #require(try await thumbnails(bench).first)
  }

  private func thumbnails(_ bench: ServerBench) async throws -> [String] {
    let hashes = try await bench.ask("/api/v1/timeline/0").json["thumbnails"] as? [String]
    return try #require(hashes).filter { !$0.isEmpty }
  }

  private func fields(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
    var fields = ServerBench.admin
    fields[name] = value
    return fields
  }
}
