import Foundation
import HTTPTypes
import Hummingbird
import Models
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// Clients that keep a copy of the library, and follow its changes.
struct ChangesTests {
  /// A client's copy of a library, made from the lines as the documentation describes.
  private struct Copy {
    var rows: [String: [String: Any]] = [:]
    var cursor: String?
    var pages = 0

    mutating func apply(_ answer: ServerBench.Answer) throws -> Bool {
      let lines = answer.lines
      let end = try #require(lines.last)
      for line in lines.dropLast() {
        let type = try #require(line["type"] as? String)
        let id = try #require(line["id"] as? Int)
        rows["\(type) \(id)"] =
          line["op"] as? String == "put" ? line["data"] as? [String: Any] : nil
      }
      cursor = try #require(end["cursor"] as? String)
      pages += 1
      return try #require(end["more"] as? Bool)
    }

    /// Follows the changes until there are no more.
    mutating func follow(
      _ bench: ServerBench,
      _ query: String = "",
      _ fields: HTTPFields = ServerBench.admin
    )
      async throws
    {
      var hasMore = true
      while hasMore {
        let since = cursor.map { "&since=\($0)" } ?? ""
        let answer = try await bench.ask("/api/v1/changes?\(query)\(since)", .get, fields)
        #expect(answer.status == 200)
        hasMore = try apply(answer)
      }
    }

    func count(_ type: String) -> Int { rows.keys.count { $0.hasPrefix(type) } }
  }

  @Test func `a cursor names the part of the library that its token may see`() async throws {
    let bench = try await ServerBench()
    let parts = [
      LibraryPart(), LibraryPart(feedID: 1), LibraryPart(search: "wood"),
      LibraryPart(feedID: 1, search: "wood"),
    ]

    var names: [String] = []
    for (number, part) in parts.enumerated() {
      let token = try bench.token(part, named: "part\(number)")
      for _ in 1...2 {
        let end = try await bench.ask("/api/v1/changes", .get, token).lines.last
        let cursor = try #require(ChangeCursor(end?["cursor"] as? String ?? ""))
        names.append(cursor.part)
      }
    }
    let root = try await bench.ask("/api/v1/tree/root").json["cursor"] as? String

    #expect(Set(names).count == parts.count)
    #expect(stride(from: 0, to: names.count, by: 2).allSatisfy { names[$0] == names[$0 + 1] })
    #expect(ChangeCursor(root ?? "")?.part == names[0])
  }

  @Test(arguments: [1, 5, 1_000]) func `a copy has everything, page by page`(limit: Int)
    async throws
  {
    let bench = try await ServerBench()
    _ = try await bench.ask("/api/v1/images/3/pin", .put)
    var copy = Copy()

    try await copy.follow(bench, "limit=\(limit)")

    #expect(copy.count("feed") == 1 && copy.count("image") == 12 && copy.count("pin") == 1)
    #expect(copy.pages >= (14 + limit - 1) / limit)
    let image = try #require(copy.rows["image 1"])
    let whole = try await bench.ask("/api/v1/images/1").json
    for member in ["title", "author", "caption", "published", "firstSeen"] {
      #expect(image[member] as? String == whole[member] as? String, "\(member)")
    }
    #expect(image["feed"] as? Int == 1)
    #expect(image["gone"] == nil)
    let thumbnail = try #require(image["thumbnail"] as? [String: Any])
    let hash = try #require(thumbnail["sha256"] as? String)
    #expect(try await bench.ask("/t/\(hash)").bytes.count == thumbnail["bytes"] as? Int)
    // The feed and its pictures are files.
    #expect(copy.rows["feed 1"]?["url"] == nil && copy.rows["feed 1"]?["title"] is String)
    for member in ["originalURL", "thumbnailURL"] { #expect(image[member] == nil, "\(member)") }
    #expect(copy.rows["feed 1"]?["images"] as? Int == 12)
  }

  @Test func `a copy goes on from its cursor`() async throws {
    let bench = try await ServerBench()
    var copy = Copy()
    try await copy.follow(bench)
    let first = copy.cursor

    _ = try await bench.ask("/api/v1/images/3/pin", .put)
    let answer = try await bench.ask("/api/v1/changes?since=\(copy.cursor ?? "")")
    #expect(answer.lines.map { $0["type"] as? String } == ["pin", nil])
    _ = try copy.apply(answer)
    #expect(copy.cursor != first)

    _ = try await bench.ask("/api/v1/feeds/1", .delete)
    try await copy.follow(bench)
    #expect(copy.rows.keys.sorted() == ["pin 3"])
    let nothing = try await bench.ask("/api/v1/changes?since=\(copy.cursor ?? "")")
    #expect(nothing.lines.count == 1)
    // A cursor and a signature.
    #expect(nothing.bytes.count < 400)
    #expect(nothing.fields[.cacheControl] == "no-store")
    #expect(nothing.fields[.contentType] == "application/x-ndjson")
  }

  @Test func `kinds of changes can be left out`() async throws {
    let bench = try await ServerBench()
    var copy = Copy()

    try await copy.follow(bench, "types=feed,unknown")

    #expect(copy.rows.keys.sorted() == ["feed 1"])
  }

  @Test(arguments: [
    "since=x", "since=1.2.3", "limit=0", "limit=1001", "types=x", "wait=-1", "wait=x",
    "since=1.a.1.0.0.4.9.9",
  ])
  func `says what is wrong with a request`(query: String) async throws {
    let answer = try await ServerBench(syncing: nil).ask("/api/v1/changes?\(query)")

    #expect(answer.status == 400)
    #expect(answer.json["detail"] is String)
  }

  @Test func `a cursor that is no longer valid leads to the tree`() async throws {
    let bench = try await ServerBench()
    var copy = Copy()
    try await copy.follow(bench)
    let cursor = try #require(copy.cursor.flatMap(ChangeCursor.init))
    var others = [cursor, cursor, cursor]
    others[0].library = String(repeating: "a", count: 32)
    others[1].epoch += 1
    others[2].position.number += 1

    for other in others {
      let answer = try await bench.ask("/api/v1/changes?since=\(other.text)")
      #expect(answer.status == 410)
      #expect(answer.json["resync"] as? String == "/api/v1/tree/root")
    }
  }

  @Test func `a client that came before the library goes on`() async throws {
    let bench = try await ServerBench(syncing: nil)
    var copy = Copy()
    try await copy.follow(bench)
    #expect(copy.rows.isEmpty)

    try await bench.sync(ServerBench.demoFeed)
    try await copy.follow(bench)

    #expect(copy.count("image") == 12)
  }

  // MARK: Tokens

  @Test func `a limited token gets its part alone`() async throws {
    let bench = try await ServerBench()
    let words = try bench.token(LibraryPart(search: "dandelion"))
    var copy = Copy()

    try await copy.follow(bench, "", words)

    let listed = try await bench.ask("/api/v1/images", .get, words).json["images"] as? [Any]
    #expect(copy.count("image") == listed?.count)
    #expect(0 < copy.count("image") && copy.count("image") < 12)
    #expect(copy.rows["feed 1"]?.keys.sorted() == ["format", "title"])

    // A cursor belongs to the copy of one token, and is not valid with another one.
    let whole = try await bench.ask("/api/v1/changes?since=\(copy.cursor ?? "")")
    #expect(whole.status == 410)
    var other = Copy()
    try await other.follow(bench)
    let limited = try await bench.ask("/api/v1/changes?since=\(other.cursor ?? "")", .get, words)
    #expect(limited.status == 410)
    #expect(limited.json["resync"] == nil)
  }

  /// A file with a feed of two images.
  private static let otherFeed = """
    <rss version="2.0"><channel><title>Other</title>
    <item><title>One</title><enclosure url="one.jpg" type="image/jpeg" length="1"/></item>
    <item><title>Two</title><enclosure url="two.jpg" type="image/jpeg" length="1"/></item>
    </channel></rss>
    """

  @Test(arguments: [
    ("feed=1", "feed=1"), ("search=dandelion", "q=dandelion"), ("feed=2", "feed=2"),
    ("search=two", "q=two"), ("feed=2&search=two", "feed=2&q=two"),
    ("feed=2&search=dandelion", "feed=2&q=dandelion"), ("search=++", ""),
  ])
  func `a request may ask for a part, and goes on with it`(
    query: String,
    list: String
  ) async throws {
    let bench = try await ServerBench()
    let folder = try ScratchFolder()
    let file = "\(folder.path)/other.xml"
    try Self.otherFeed.write(toFile: file, atomically: true, encoding: .utf8)
    try await bench.sync("file://\(file)")
    var (copy, paged) = (Copy(), Copy())

    try await copy.follow(bench, query)
    try await paged.follow(bench, "\(query)&limit=1")
    let since = "since=\(copy.cursor ?? "")"
    let again = try await bench.ask("/api/v1/changes?\(query)&\(since)")
    let other = try await bench.ask("/api/v1/changes?search=else&\(since)")
    let listed = try await bench.ask("/api/v1/images?\(list)").json["images"] as? [Any]

    #expect(copy.count("image") == listed?.count)
    #expect(paged.rows.keys == copy.rows.keys)
    #expect(again.status == 200 && again.lines.count == 1)
    #expect(other.status == 410)
  }

  @Test func `a request asks for no more than its token may see`() async throws {
    let bench = try await ServerBench()
    let folder = try ScratchFolder()
    let file = "\(folder.path)/other.xml"
    try Self.otherFeed.write(toFile: file, atomically: true, encoding: .utf8)
    try await bench.sync("file://\(file)")
    let first = try bench.token(LibraryPart(feedID: 1))
    let words = try bench.token(LibraryPart(search: "dandelion"), named: "words")
    func status(_ query: String, _ fields: HTTPFields = ServerBench.admin) async throws -> Int {
      try await bench.ask("/api/v1/changes?\(query)", .get, fields).status
    }
    var copy = Copy()
    try await copy.follow(bench, "search=dandelion", first)

    #expect((1..<12).contains(copy.count("image")))
    #expect(try await status("feed=1", first) == 200)
    #expect(try await status("feed=2", first) == 404)
    #expect(try await status("feed=1", words) == 200)
    #expect(try await status("feed=2", words) == 404)
    #expect(try await status("search=two", words) == 400)
    #expect(try await status("feed=99") == 404)
    #expect(try await status("feed=one") == 400)
  }

  @Test(arguments: [LibraryPart(feedID: 1), LibraryPart(search: "dandelion")])
  func `a limited token learns nothing of changes elsewhere`(part: LibraryPart) async throws {
    let bench = try await ServerBench()
    let token = try bench.token(part)
    var copy = Copy()
    try await copy.follow(bench, "", token)
    let own = copy.rows.count
    let folder = try ScratchFolder()
    let file = "\(folder.path)/other.xml"
    try Self.otherFeed.write(toFile: file, atomically: true, encoding: .utf8)

    try await bench.sync("file://\(file)")
    _ = try await bench.ask("/api/v1/images/13/pin", .put)
    let added = try await bench.ask("/api/v1/changes?since=\(copy.cursor ?? "")", .get, token)
    _ = try await bench.ask("/api/v1/images/13/pin", .delete)
    _ = try await bench.ask("/api/v1/feeds/2", .delete)
    let removed = try await bench.ask("/api/v1/changes?since=\(copy.cursor ?? "")", .get, token)

    for answer in [added, removed] {
      #expect(answer.status == 200)
      #expect(answer.lines.count == 1)
      #expect(answer.lines.first?["more"] as? Bool == false)
    }
    // A page with only one line does not stop at a change elsewhere, which its cursor would name.
    var paged = Copy()
    try await paged.follow(bench, "limit=1", token)
    #expect(paged.rows.count == own)
    #expect(paged.pages <= own)
  }

  @Test(arguments: [LibraryPart(feedID: 1), LibraryPart(search: "dandelion")])
  func `a limited token begins again when an image has left its part`(part: LibraryPart)
    async throws
  {
    let bench = try await ServerBench()
    let token = try bench.token(part)
    var copy = Copy()
    try await copy.follow(bench, "", token)

    _ = try await bench.ask("/api/v1/feeds/1", .delete)
    let answer = try await bench.ask("/api/v1/changes?since=\(copy.cursor ?? "")", .get, token)
    var again = Copy()
    try await again.follow(bench, "", token)

    #expect(answer.status == 410)
    #expect(answer.json["resync"] == nil)
    #expect(copy.count("image") > 0 && again.rows.isEmpty)
  }

  @Test func `held images are those up to the highest id`() {
    let held = HeldImages([3, 9, 4])

    #expect(held.last == 9)
    #expect(held.isHeld(by: PartImages([4, 3, 9])) && held.isHeld(by: PartImages([3, 4, 9, 10])))
    #expect(
      !held.isHeld(by: PartImages([3, 9])) && !held.isHeld(by: PartImages([3, 4, 5, 9]))
        && !held.isHeld(by: PartImages([]))
    )
    #expect(HeldImages([]).isHeld(by: PartImages([])) && HeldImages([]).isHeld(by: PartImages([1])))
  }

  // MARK: Waiting

  @Test func `waits for a change`() async throws {
    let bench = try await ServerBench()
    var copy = Copy()
    try await copy.follow(bench)
    let path = "/api/v1/changes?wait=25&since=\(copy.cursor ?? "")"

    async let waiting = bench.ask(path)
    _ = try await bench.ask("/api/v1/images/3/pin", .put)

    #expect(try await waiting.lines.first?["type"] as? String == "pin")
  }

  @Test func `cursors are read as they were written`() {
    let version = LibraryVersion(library: "0c-5e", epoch: 2, number: 44)
    let position = ChangePosition(number: 7, kind: .image, id: 9)
    let part = LibraryPart(search: "sea")
    for cursor in [
      ChangeCursor(version, start: 40, part: part, position: position),
      ChangeCursor(
        version,
        start: 0,
        part: part,
        held: HeldImages([7, .max]),
        position: .behind(44)
      ),
      ChangeCursor(behind: version, part: LibraryPart()),
    ] {
      #expect(ChangeCursor(cursor.text) == cursor)
    }
    #expect(ChangeCursor(behind: version, part: LibraryPart()).text == "1.0c5e.2.0.0.44")
  }
}

extension ServerBench.Answer {
  /// The objects of lines of JSON.
  var lines: [[String: Any]] {
    text.split(separator: "\n").map { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }
  }
}

extension ServerBench {
  /// The fields of a client whose token shows a part of the library.
  func token(_ part: LibraryPart, named name: String = "part") throws -> HTTPFields {
    let access = Access(name: name, isAdmin: false, feedID: part.feedID, search: part.search)
    let token = try tokens.add(access, created: .now, expires: nil)
    return [.authorization: "Bearer \(token)"]
  }
}
