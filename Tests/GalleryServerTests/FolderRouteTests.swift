import Foundation
import HTTPTypes
import Models
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// Originals that are files of a folder, over HTTP: the bytes of a hash are never others.
@Suite(.timeLimit(.minutes(60)))
struct FolderRouteTests {
  private let scratch: ScratchFolder
  private let bench: ServerBench

  /// A feed of two files, `a.jpg` as image 1.
  init() async throws {
    scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/photos/trip",
      withIntermediateDirectories: true
    )
    for (name, photo) in [("a", "01-dandelion"), ("trip/b", "03-stream")] {
      try FileManager.default.copyItem(
        atPath: Self.photo(photo),
        toPath: "\(scratch.path)/photos/\(name).jpg"
      )
    }
    let old = timeval(tv_sec: 1_700_000_000, tv_usec: 0)
    utimes("\(scratch.path)/photos/trip/b.jpg", [old, old])
    bench = try await ServerBench(syncing: nil)
    try await bench.sync(folder)
  }

  private static func photo(_ name: String) -> String {
    let demo = URL(filePath: Checkout.demoFeed).deletingLastPathComponent().path
    return "\(demo)/originals/\(name).jpg"
  }

  private var folder: String {
    WebAddress(filePath: scratch.path + "/photos/", relativeTo: "/").text
  }

  private var file: String { "\(scratch.path)/photos/a.jpg" }

  private func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file))) }

  /// The path of the stored original of an image, to which its own path leads.
  private func path(of id: Int = 1) async throws -> String {
    let answer = try await bench.ask("/images/\(id)/original")
    #expect(answer.status == 303)
    return try #require(answer.fields[.location])
  }

  private func range(_ text: String) -> HTTPFields {
    var fields = ServerBench.admin
    fields[.range] = text
    return fields
  }

  /// Expects that neither the hash nor the image gives an original, and that the answers say why.
  private func expectNoOriginal(at path: String) async throws {
    for path in [path, "/images/1/original"] {
      for fields in [ServerBench.admin, range("bytes=0-9")] {
        let answer = try await bench.ask(path, .get, fields)
        #expect(answer.status == 404, "\(path)")
        #expect(answer.text.contains("missing, or has changed"), "\(answer.text)")
      }
    }
  }

  @Test func `answers with the file, its ranges, and that nothing has changed`() async throws {
    let (path, bytes) = try await (path(), bytes())

    let whole = try await bench.ask(path)
    #expect(whole.status == 200 && whole.bytes == bytes)
    #expect(whole.fields[.contentType] == "image/jpeg")
    #expect(path.hasPrefix("/o/") && path.utf8.count == 67)
    let part = try await bench.ask(path, .get, range("bytes=10-19"))
    #expect(part.status == 206 && part.bytes == Array(bytes[10..<20]))
    let end = try await bench.ask(path, .get, range("bytes=-5"))
    #expect(end.status == 206 && end.bytes == bytes.suffix(5))
    #expect(try await bench.ask(path, .get, range("bytes=99999999-")).status == 416)
    #expect(try await bench.ask(path, .head).bytes.isEmpty)
  }

  @Test func `a file with other content is another original, after a sync`() async throws {
    let path = try await path()

    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.copyItem(atPath: Self.photo("02-picos-de-europa"), toPath: file)
    try await expectNoOriginal(at: path)

    try await bench.sync(folder)
    let new = try await self.path()
    #expect(new != path)
    #expect(try await bench.ask(new).bytes == bytes())
    #expect(try await bench.ask(path).status == 404)
  }

  @Test func `bytes that change in the file do not come under the old hash`() async throws {
    let path = try await path()
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.seek(toOffset: 9_000)
    try handle.write(contentsOf: Data(repeating: 0, count: 5_000))
    try handle.close()

    try await expectNoOriginal(at: path)
  }

  @Test func `a file that grows or becomes shorter is not the original`() async throws {
    let path = try await path()
    let whole = try bytes()

    for bytes in [whole + [0], Array(whole.dropLast(100)), []] {
      try Data(bytes).write(to: URL(filePath: file))
      try await expectNoOriginal(at: path)
    }
  }

  @Test func `a deleted file leaves its thumbnail`() async throws {
    let path = try await path()
    let tiles = try await bench.ask("/api/v1/timeline/0").json
    let thumbnails = try #require(tiles["thumbnails"] as? [String])
    try FileManager.default.removeItem(atPath: file)

    for isSynced in [false, true] {
      if isSynced { try await bench.sync(folder) }
      try await expectNoOriginal(at: path)
      for hash in thumbnails { #expect(try await bench.ask("/t/\(hash)").status == 200) }
    }
  }

  @Test func `a renamed file has the same hash, after a sync`() async throws {
    let path = try await path()
    let bytes = try bytes()
    #expect(rename(file, "\(scratch.path)/photos/trip/renamed.jpg") == 0)
    #expect(try await bench.ask(path).status == 404)

    try await bench.sync(folder)

    #expect(try await self.path() == path)
    #expect(try await bench.ask(path).bytes == bytes)
  }

  @Test(arguments: ["photos/a.jpg", "photos/trip"])
  func `a link in place of a file or its folder is not followed`(name: String) async throws {
    let path = try await path(of: name.hasSuffix(".jpg") ? 1 : 2)
    #expect(rename("\(scratch.path)/\(name)", "\(scratch.path)/outside") == 0)
    #expect(symlink("\(scratch.path)/outside", "\(scratch.path)/\(name)") == 0)

    #expect(try await bench.ask(path).status == 404)
  }

  @Test func `a token of another feed sees nothing of the folder`() async throws {
    let path = try await path()
    try await bench.sync(ServerBench.demoFeed)
    func fields(ofFeed id: Int64) throws -> HTTPFields {
      let access = Access(name: "feed\(id)", isAdmin: false, feedID: id)
      let token = try bench.tokens.add(access, created: .distantPast, expires: nil)
      return [.authorization: "Bearer \(token)"]
    }

    let (own, other) = try (fields(ofFeed: 1), fields(ofFeed: 2))

    #expect(try await bench.ask(path, .get, own).bytes == bytes())
    for path in [path, "/images/1/original", "/images/1", "/api/v1/images/1"] {
      let answer = try await bench.ask(path, .get, other)
      #expect(answer.status == 404, "\(path)")
      #expect(!answer.text.contains(scratch.path))
    }
    #expect(try await bench.ask("/api/v1/images", .get, own).text.contains("photos"))
    #expect(try await !bench.ask("/api/v1/images", .get, other).text.contains("photos"))
  }
}
