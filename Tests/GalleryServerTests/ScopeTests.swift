import Composition
import Foundation
import HTTPTypes
import Hummingbird
import Models
import Scenes
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// The answers of every route to every kind of token.
///
/// The routes are those of the router, so that a new route is tested without a new line here.
@Suite(.timeLimit(.minutes(60)))
struct ScopeTests {
  /// A library with two feeds; each fact about the second one contains a word that occurs nowhere else.
  private struct Library {
    let bench: ServerBench
    private let folder: ScratchFolder
    /// The words and hashes of each feed.
    let seen: [String]
    let walled: [String]
    /// The hashes of the thumbnail and the original of an image of each feed.
    let seenHashes: [String]
    let walledHashes: [String]
    /// The thumbnails and originals of the second feed.
    let walledPictures: [[UInt8]]

    init() async throws {
      folder = try ScratchFolder()
      bench = try await ServerBench(syncing: nil)
      try Self.write("seen", "10-swallowtail", images: 2, in: folder.path)
      try Self.write("walled", "09-after-the-rain", images: 1, in: folder.path)
      for name in ["seen", "walled"] { try await bench.sync("file://\(folder.path)/\(name).xml") }
      seenHashes = try await Self.hashes(of: 1, ofFeed: 1, bench)
      walledHashes = try await Self.hashes(of: 3, ofFeed: 2, bench)
      seen = ["seentitle", "seenfeed"] + seenHashes
      walled =
        ["walledfeed", "walledtitle", "walledcaption", "walledauthor"]
        + walledHashes
      var pictures: [[UInt8]] = []
      for (route, hash) in zip(["t", "o"], walledHashes) {
        pictures.append(try await bench.ask("/\(route)/\(hash)").bytes)
      }
      walledPictures = pictures
    }

    private static func write(
      _ name: String,
      _ picture: String,
      images: Int,
      in folder: String
    ) throws {
      let items = (1...images).map { number in
        """
        <item><title>\(name)title \(number)</title><guid isPermaLink="false">\(number)</guid>
        <description>\(name)caption</description>
        <media:credit role="photographer">\(name)author</media:credit>
        <media:content url="\(name)picture\(number).jpg" type="image/jpeg" medium="image"/>
        <media:thumbnail url="\(name)thumbnail.jpg"/></item>
        """
      }
      let feed = """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/">
        <channel><title>\(name)feed</title>\(items.joined())</channel></rss>
        """
      try feed.write(toFile: "\(folder)/\(name).xml", atomically: true, encoding: .utf8)
      let demo = URL(filePath: Checkout.demoFeed).deletingLastPathComponent().path
      let (original, thumbnail) = ("originals/\(picture).jpg", "thumbnails/\(picture).jpg")
      for number in 1...images {
        try FileManager.default.copyItem(
          atPath: "\(demo)/\(original)",
          toPath: "\(folder)/\(name)picture\(number).jpg"
        )
      }
      try FileManager.default.copyItem(
        atPath: "\(demo)/\(thumbnail)",
        toPath: "\(folder)/\(name)thumbnail.jpg"
      )
    }

    /// The hashes of the pictures of an image, whose original is fetched.
    private static func hashes(
      of id: Int,
      ofFeed feedID: Int,
      _ bench: ServerBench
    ) async throws -> [String] {
      _ = try await bench.ask("/images/\(id)/original")
      let path = try await bench.ask("/images/\(id)/original").fields[.location]
      let tiles = try await bench.ask("/api/v1/timeline/0?feed=\(feedID)").json
      let thumbnail = try #require((tiles["thumbnails"] as? [String])?.first)
      return [thumbnail, try #require(path?.split(separator: "/").last.map(String.init))]
    }

    func token(_ access: Access, expires: Date? = nil) throws -> HTTPFields {
      let token = try bench.tokens.add(access, created: .distantPast, expires: expires)
      return [.authorization: "Bearer \(token)"]
    }

    /// The paths of a route, with each value that its parameters may have.
    func paths(of route: String) throws -> [String] {
      let values = [
        "id": ["0", "1", "2", "3"], "hash": seenHashes + walledHashes + ["root"],
        "name": ["core.js"], "region": ["full"], "size": ["50,"], "rotation": ["0"],
        "file": ["default.jpg"],
      ]
      var paths = [""]
      for part in route.split(separator: "/").map(String.init) {
        var options = [part]
        if let found = part.firstMatch(of: /:(\w+)|\{(\w+)\}/) {
          let name = String(found.1 ?? found.2 ?? "")
          let known = try #require(values[name], "the parameter \(name) of \(route) has no values")
          options = known.map { part.replacing(found.0, with: $0) }
        }
        paths = paths.flatMap { path in options.map { "\(path)/\($0)" } }
      }
      return route == "/" ? ["/"] : paths
    }

    /// The paths of all routes with some methods.
    func paths(_ isWanted: (HTTPRequest.Method) -> Bool) throws -> [(
      path: String, method: HTTPRequest.Method
    )] {
      try bench.server.router.routes.filter { isWanted($0.method) }.flatMap { route in
        try paths(of: "\(route.path)").map { (path: $0, method: route.method) }
      }
    }

    var reads: [String] {
      get throws { try paths { $0 == .get }.map(\.path) }
    }

    /// Queries that ask for more than a limited token may see.
    var queries: [String] {
      [
        "", "?q=walledt", "?q=seent", "?feed=2", "?q=walledt&feed=2", "?sort=title&limit=1",
        "?hashes=\(walledHashes.joined(separator: ","))",
      ]
    }
  }

  /// The text of an answer and of its fields.
  private static func text(_ answer: ServerBench.Answer) -> String {
    answer.text + answer.fields.map(\.value).joined(separator: " ")
  }

  /// Asks for everything, and returns the texts of all answers.
  private func texts(
    _ library: Library,
    _ token: HTTPFields,
    lacking words: [String]
  ) async throws -> String {
    var all = ""
    for path in try library.reads {
      for query in library.queries {
        let answer = try await library.bench.ask(path + query, .get, token)
        let text = Self.text(answer)
        for word in words { #expect(!text.contains(word), "\(path)\(query) tells \(word)") }
        #expect(!library.walledPictures.contains(answer.bytes), "\(path)\(query)")
        if library.walledHashes.contains(where: { path.contains($0) }) {
          #expect([403, 404].contains(answer.status), "\(path)\(query)")
        }
        all += text
      }
    }
    return all
  }

  @Test func `a limited token learns nothing of other feeds by any route`() async throws {
    let library = try await Library()
    let scopes = [
      Access(name: "feed", isAdmin: false, feedID: 1),
      Access(name: "words", isAdmin: false, search: "seentitle"),
    ]

    for scope in scopes {
      let texts = try await texts(library, library.token(scope), lacking: library.walled)
      for word in library.seen { #expect(texts.contains(word), "\(scope.name) lacks \(word)") }
    }
  }

  @Test(arguments: ["🌊", "!!!"])
  func `a token whose search has no words sees nothing by any route`(words: String) async throws {
    let library = try await Library()
    let token = try library.token(Access(name: "wordless", isAdmin: false, search: words))

    _ = try await texts(library, token, lacking: library.seen + library.walled)
  }

  @Test func `those who see the whole library are refused nothing that they may read`() async throws
  {
    let library = try await Library()
    let reader = try library.token(Access(name: "reader", isAdmin: false))
    var texts = ""

    for path in try library.reads {
      let admin = try await library.bench.ask(path)
      #expect(![401, 403].contains(admin.status), "\(path)")
      let answer = try await library.bench.ask(path, .get, reader)
      #expect(![401, 403].contains(answer.status), "\(path)")
      texts += Self.text(answer)
    }

    // Without these words, the other tests would find nothing.
    for word in library.seen + library.walled { #expect(texts.contains(word), "\(word)") }
  }

  @Test func `only an administrator changes the library`() async throws {
    let library = try await Library()
    let readers = [
      Access(name: "reader", isAdmin: false), Access(name: "feed", isAdmin: false, feedID: 1),
      Access(name: "words", isAdmin: false, search: "seentitle"),
    ]
    let version = try await library.bench.root.library.version()

    for reader in readers {
      let token = try library.token(reader)
      for (path, method) in try library.paths({ ![.get, .head].contains($0) }) {
        let answer = try await library.bench.ask(path, method, token, body: "{}")
        #expect(answer.status == 403, "\(method) \(path) for \(reader.name)")
      }
    }

    #expect(try await library.bench.root.library.version() == version)
  }

  @Test func `no token, an expired one and a removed one open no route`() async throws {
    let library = try await Library()
    let removed = try library.token(Access(name: "removed", isAdmin: true))
    try library.bench.tokens.remove(name: "removed")
    let expired = try library.token(Access(name: "expired", isAdmin: true), expires: .distantPast)
    // The page that asks for a token has its scripts and styles before it has a token.
    let requests = try library.paths { _ in true }.filter {
      $0.path != "/healthz" && !$0.path.hasPrefix("/assets/")
    }

    // At the same time, because the server delays answers to wrong tokens.
    try await withThrowingTaskGroup(of: (String, Int).self) { group in
      for token in [[:], removed, expired] as [HTTPFields] {
        for (path, method) in requests {
          group.addTask {
            let answer = try await library.bench.ask(path, method, token, body: "{}")
            return ("\(method) \(path)", answer.status)
          }
        }
      }
      for try await (request, status) in group { #expect(status == 401, "\(request)") }
    }
  }

  @Test func `the address of a next page has no words of the token`() async throws {
    let library = try await Library()
    let token = try library.token(Access(name: "words", isAdmin: false, search: "seentitle"))

    let first = try await library.bench.ask("/images.json?limit=1", .get, token).json
    let next = try #require(first["next_url"] as? String)

    #expect(!next.contains("seentitle"))
    let path = next.replacing("http://127.0.0.1:8470", with: "")
    let second = try await library.bench.ask(path, .get, token).json
    #expect((first["items"] as? [Any])?.count == 1)
    #expect((second["items"] as? [Any])?.count == 1)
    #expect(second["next_url"] == nil)
  }

  @Test func `a failure of the library names no file and no database`() {
    let error = StoreError(
      reason: .databaseUnreachable,
      path: "postgresql://secretuser@secrethost:54399/photos",
      message: "connection to secrethost refused"
    )

    for problem in [
      WebProblem(Fail.ViewModel(Fail.Response(failure: .library(error, .list)))),
      AnswerMiddleware.problem(error), AnswerMiddleware.problem(FileProblem()),
    ] {
      #expect(problem.status == 500)
      #expect(!String(decoding: problem.json, as: UTF8.self).contains("secret"))
      #expect(problem.cause?.contains("secret") == true)
    }
  }

  @Test(arguments: [
    StoreError(reason: .objectsUnreachable, path: "s3://secret", message: ""),
    StoreError(reason: .noLibrary, path: "/home/secret", message: ""),
  ])
  func `a missing library and a silent object store are not named`(error: StoreError) {
    let failure = RequestFailure.library(error, .show)
    let problem = WebProblem(Fail.ViewModel(Fail.Response(failure: failure)))

    #expect(problem.status == (failure.outcome == .notFound ? 404 : 503))
    #expect(!String(decoding: problem.json, as: UTF8.self).contains("secret"))
    #expect(problem.cause?.contains("secret") == true)
  }

  @Test(arguments: [
    (ImagingError.unreadable(path: "/home/secret/a.jpg", message: "gone"), 404),
    (.noDecoder(lookedAt: ["/home/secret/gallery-decoder"]), 503),
    (.cannotStart(message: "/home/secret/gallery-decoder: no memory"), 503),
  ])
  func `a picture that cannot be decoded names no file`(error: ImagingError, status: Int) {
    let problem = GalleryServer.problem(error)

    #expect(problem.status == status)
    #expect(!String(decoding: problem.json, as: UTF8.self).contains("secret"))
    #expect(problem.cause?.contains("secret") == true)
    let other = GalleryServer.problem(.resultTooLarge(limit: 9_000_000))
    #expect(other.detail?.contains("9") == true && other.cause == nil)
  }

  private struct FileProblem: Error, CustomStringConvertible {
    let description = "/home/secret cannot be read"
  }
}
