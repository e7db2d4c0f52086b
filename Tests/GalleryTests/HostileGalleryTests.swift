import Foundation
import Models
import TestSupport
import Testing
import Workers

/// Mirrors a loopback server that sends data which no real gallery sends.
struct HostileGalleryTests {
  static let library = "11111111-2222-4333-8444-555555555555"
  private static let hash = String(repeating: "ab", count: 32)
  private let library: TestLibrary

  init() throws { library = try TestLibrary() }

  static func image(
    _ id: Int,
    thumbnail: String? = nil,
    bytes: Int = 99_999,
    _ more: String = ""
  ) -> String {
    let picture = thumbnail.map {
      #","thumbnail":{"sha256":"\#($0)","type":"image/jpeg","bytes":\#(bytes),"width":1,"height":1}"#
    }
    return
      #"{"seq":\#(id),"op":"put","type":"image","id":\#(id),"data":{"feed":1,"position":\#(id),"#
      + #""date":"2026-01-01T00:00:00Z","firstSeen":"2026-01-01T00:00:00Z","#
      + #""originalURL":"https://own.example/\#(id).jpg"\#(picture ?? "")\#(more)}}"#
  }

  static let feed =
    #"{"seq":1,"op":"put","type":"feed","id":1,"data":{"url":"https://own.example/feed","title":"Own"}}"#

  static func end(
    _ cursor: String,
    more: Bool = false,
    library: String = library
  ) -> String {
    #"{"cursor":"\#(cursor)","more":\#(more),"library":"\#(library)"}"#
  }

  static func page(_ lines: String...) -> LoopbackResponse { page(lines) }

  static func page(_ lines: [String]) -> LoopbackResponse {
    .whole(
      Array((lines.joined(separator: "\n") + "\n").utf8),
      fields: ["Content-Type: application/x-ndjson"]
    )
  }

  static func json(_ text: String, status: Int = 200) -> LoopbackResponse {
    .whole(Array(text.utf8), status: status, fields: ["Content-Type: application/json"])
  }

  /// Mirrors a gallery at a path of a server, and returns the program's result.
  private func sync(
    _ path: String = "/api/v1/changes",
    _ handler: @escaping LoopbackServer.Handler
  ) throws -> Program.Result {
    let server = try LoopbackServer(handler: handler)
    defer { server.stop() }
    return try library.program.run("sync", "--no-limits", server.address(path)?.text ?? "")
  }

  private func images() throws -> Int {
    try library.program.run("list").output.split(separator: "\n").count
  }

  @Test func `a good gallery of the same kind is mirrored`() throws {
    let result = try sync { _ in Self.page(Self.feed, Self.image(1), Self.image(2), Self.end("1.a"))
    }

    #expect(result.status == 0 && result.output.contains("2 images, 2 new"), "\(result)")
    #expect(try images() == 2)
  }

  @Test(arguments: [
    ("<html>", "does not answer as a gallery"), ("", "does not answer as a gallery"),
    (#"{"items":[]}"#, "does not answer as a gallery"),
  ])
  func `what answers otherwise is not a gallery`(body: String, reason: String) throws {
    let result = try sync { _ in .whole(Array(body.utf8), fields: ["Content-Type: text/html"]) }

    #expect(result.status == 1 && result.errors.contains(reason), "\(result)")
    #expect(try images() == 0)
  }

  @Test func `changes without end`() throws {
    let count = Locked(0)
    let result = try sync { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return Self.page(Self.end("1.\(number)", more: true))
    }

    #expect(result.status == 1 && result.errors.contains("its changes never end"), "\(result)")
    #expect(try images() == 0)
  }

  @Test func `a cursor that goes back`() throws {
    let result = try sync { request in
      request.target.hasSuffix("=1.b")
        ? Self.page(Self.image(3), Self.end("1.a", more: true))
        : request.target.hasSuffix("=1.a")
          ? Self.page(Self.image(2), Self.end("1.b", more: true))
          : Self.page(Self.feed, Self.image(1), Self.end("1.a", more: true))
    }

    #expect(result.status == 1 && result.errors.contains("its changes never end"), "\(result)")
    #expect(try images() <= 3)
  }

  @Test func `pages of another library`() throws {
    let result = try sync { request in
      request.target.hasSuffix("=1.a")
        ? Self.page(Self.image(2), Self.end("1.b", library: "other"))
        : Self.page(Self.feed, Self.image(1), Self.end("1.a", more: true))
    }

    #expect(result.status == 1 && result.errors.contains("of different libraries"), "\(result)")
    #expect(try images() == 1)
  }

  @Test(arguments: ["not JSON", "[]", #"{"seq":"x"}"#, #"{"seq":1,"op":"put","type":"image"}"#])
  func `a page with a line that is none is not applied`(line: String) throws {
    let result = try sync { _ in Self.page(Self.feed, Self.image(1), line, Self.end("1.a")) }

    #expect(
      result.status == 1 && result.errors.contains("changes that cannot be read"),
      "\(result)"
    )
    #expect(try images() == 0)
  }

  @Test func `a page that is cut off is not applied`() throws {
    let result = try sync { _ in Self.page(Self.feed, Self.image(1)) }

    #expect(
      result.status == 1 && result.errors.contains("changes that cannot be read"),
      "\(result)"
    )
    #expect(try images() == 0)
  }

  @Test func `a line without end`() throws {
    let result = try sync { _ in
      let fields = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n"
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      return LoopbackResponse([.send(Array(fields.utf8)), .sendForever(piece)], closes: true)
    }

    #expect(
      result.status == 1 && result.errors.contains("changes that cannot be read"),
      "\(result)"
    )
    #expect(try images() == 0)
  }

  @Test func `a page of more lines than any gallery sends`() throws {
    let line = #"{"seq":1,"op":"delete","type":"image","id":1}"#
    let result = try sync { _ in
      Self.page([Self.feed] + Array(repeating: line, count: 5_000) + [Self.end("1.a")])
    }

    #expect(
      result.status == 1 && result.errors.contains("more than 5,000 changes at once"),
      "\(result)"
    )
    #expect(try images() == 0)
  }

  @Test func `a gallery of more feeds than any may have`() throws {
    let pages = Locked(0)
    let result = try sync { _ in
      let page = pages.withLock { pages in
        pages += 1
        return pages
      }
      let feeds = (1...4_000).map { number in
        let id = page * 10_000 + number
        return
          #"{"seq":1,"op":"put","type":"feed","id":\#(id),"data":{"url":"https://own.example/\#(id)"}}"#
      }
      return Self.page(feeds + [Self.end("1.\(page)", more: page < 3)])
    }

    #expect(
      result.status == 1 && result.errors.contains("feeds beyond the limit of 10000"),
      "\(result)"
    )
    // The whole pages before, and the gallery itself.
    let feeds = try library.program.run("feeds").output.split(separator: "\n")
    #expect(feeds.count == 8_001)
  }

  @Test func `a cursor that no address can carry is not kept`() throws {
    let result = try sync { _ in Self.page(Self.feed, Self.image(1), Self.end("../a")) }

    #expect(
      result.status == 1 && result.errors.contains("changes that cannot be read"),
      "\(result)"
    )
    #expect(try images() == 0)
  }

  @Test func `pictures that do not match their hashes are not stored`() throws {
    let result = try sync { request in
      request.target.hasPrefix("/t/")
        ? .whole(PictureBytes.jpeg)
        : Self.page(Self.feed, Self.image(1, thumbnail: Self.hash), Self.end("1.a"))
    }

    #expect(result.errors.contains("a picture that does not match its hash"), "\(result)")
    #expect(try images() == 1)
    #expect(try library.program.run("show", "1", "--thumbnail", "--output", "-").status != 0)
  }

  @Test func `thumbnails that a list leaves out are asked for one by one`() throws {
    let pictures = [PictureBytes.jpeg, PictureBytes.png, PictureBytes.gif]
    let hashes = pictures.map { SHA256Digest(of: $0).hexadecimal }
    let images = zip(pictures, hashes).enumerated().map { index, picture in
      Self.image(index + 1, thumbnail: picture.1, bytes: picture.0.count)
    }
    let asked = Locked<[String]>([])

    let result = try sync { request in
      asked.withLock { $0.append(request.target) }
      if request.target.hasPrefix("/api/v1/thumbnails") { return .whole(pictures[1] + [1, 2, 3]) }
      if let index = hashes.firstIndex(where: { request.target == "/t/\($0)" }) {
        return index == 2 ? Self.json("{}", status: 404) : .whole(pictures[index])
      }
      return Self.page([Self.feed] + images + [Self.end("1.a")])
    }

    #expect(result.errors.contains("404"), "\(result)")
    #expect(
      asked.withLock { Set($0.filter { $0.hasPrefix("/t/") }) } == [
        "/t/\(hashes[0])", "/t/\(hashes[2])",
      ]
    )
    for (index, picture) in pictures.prefix(2).enumerated() {
      let path = "\(library.folder)/\(index + 1)"
      _ = try library.program.run("show", "\(index + 1)", "--thumbnail", "--output", path)
      #expect(FileManager.default.contents(atPath: path).map(Array.init) == picture)
    }
    #expect(try library.program.run("show", "3", "--thumbnail", "--output", "-").status != 0)
  }

  @Test(arguments: [
    #"{"type":"library","hash":"HASH","library":"LIBRARY","cursor":"1.a","feeds":[],"pins":[]}"#,
    #"{"type":"library","hash":"HASH","library":"LIBRARY","cursor":"1.a","feeds":[{"id":1,"seq":1,"#
      + #""hash":"HASH","images":1}],"pins":[]}"#,
    #"{"type":"feed"}"#,
  ])
  func `a root that does not have its hash`(text: String) throws {
    let root = text.replacing("HASH", with: Self.hash).replacing("LIBRARY", with: Self.library)
    let result = try sync("/api/v1/tree/root") { _ in Self.json(root) }

    #expect(result.status == 1, "\(result)")
    let reasons = ["that does not match its hash", "does not answer as a gallery"]
    #expect(reasons.contains { result.errors.contains($0) }, "\(result)")
    #expect(try images() == 0)
  }

  @Test func `a tree that leads back to itself, or has other leaves than its hashes say`() throws {
    let lines = "library \(Self.library)\nfeed 1 \(Self.hash)\n"
    let digest = try library.program.shell("printf '\(lines)' | sha256sum").output.prefix(64)
    let root =
      #"{"type":"library","hash":"\#(digest)","library":"\#(Self.library)","cursor":"1.a","feeds":"#
      + #"[{"id":1,"seq":1,"hash":"\#(Self.hash)","images":1}],"pins":[]}"#
    let node =
      #"{"type":"feed","hash":"\#(Self.hash)","id":1,"feed":\#(Self.feed),"months":"#
      + #"[{"month":"2026-01","hash":"\#(Self.hash)","images":1}]}"#
    let month =
      #"{"type":"month","hash":"\#(Self.hash)","feed":1,"month":"2026-01","leaves":"#
      + #"[{"hash":"\#(Self.hash)","images":1,"first":0,"last":9}]}"#
    for (second, third) in [(node, node), (month, Self.image(1)), (month, month)] {
      let count = Locked(0)
      let result = try sync("/api/v1/tree/root") { request in
        if request.target.hasSuffix("/root") { return Self.json(root) }
        let turn = count.withLock { count in
          count += 1
          return count
        }
        return Self.json(turn == 1 ? node : turn == 2 ? second : third)
      }
      #expect(result.status == 1, "\(result)")
      #expect(try images() == 0)
    }
  }
}
