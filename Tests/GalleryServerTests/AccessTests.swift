import Foundation
import HTTPTypes
import Models
import TestSupport
import Testing

@testable import gallery_server

/// The requests that each kind of client may send.
struct AccessTests {
  private static let resources = [
    "/", "/feeds", "/images/1", "/search?q=a", "/api/v1/images", "/api/v1/feeds", "/metrics",
    "/images.rss", "/iiif/images/manifest.json", "/random", "/frame", "/nothing",
  ]

  @Test(arguments: resources)
  func `answers nothing without a token`(path: String) async throws {
    let bench = try await ServerBench(syncing: nil)

    let answer = try await bench.ask(path, .get, [:])

    #expect(answer.status == 401)
    #expect(answer.fields[.wwwAuthenticate] != nil)
  }

  @Test func `tells whether it runs without a token`() async throws {
    let bench = try await ServerBench(syncing: nil)

    let answer = try await bench.ask("/healthz", .get, [:])

    #expect(answer.status == 200)
    #expect(answer.text == "ok\n")
  }

  @Test(arguments: [
    "evil.example", "evil.example:8470", "127.0.0.1.evil.example", "", "[::2]", "[::1]evil.example",
    "127.0.0.1:80:evil", "localhost:8x", "[::1", "127.0.0.1@evil.example",
  ])
  func `refuses a foreign host name`(host: String) async throws {
    let bench = try await ServerBench(syncing: nil)

    #expect(try await bench.ask("/healthz", .get, [:], host: host).status == 421)
    #expect(try await bench.ask("/", host: host).status == 421)
  }

  /// HTTP/1.1 has taken the first field as the authority.
  @Test(arguments: ["evil.example", "127.0.0.1:8470"])
  func `refuses a request that names its host twice`(second: String) async throws {
    let bench = try await ServerBench(syncing: nil)
    var fields = ServerBench.admin
    fields[.furtherHost] = second

    #expect(try await bench.ask("/", .get, fields).status == 400)
  }

  @Test(arguments: [
    "127.0.0.1", "[::1]:8470", "localhost:", "localhost:8470", "a.localhost", "Photos.home:80",
  ])
  func `takes the names of this machine, and those that are allowed`(host: String) async throws {
    let bench = try await ServerBench(.init(hosts: ["photos.home"]), syncing: nil)

    #expect(try await bench.ask("/healthz", .get, [:], host: host).status == 200)
  }

  @Test func `gives a browser a cookie, and leads it away from the token`() async throws {
    let bench = try await ServerBench()

    let first = try await bench.ask("/?sort=title&token=\(ServerBench.token)", .get, [:])
    let cookie = try #require(first.fields[.setCookie])

    #expect(first.status == 303)
    #expect(first.fields[.location] == "/?sort=title")
    #expect(cookie.contains("HttpOnly; SameSite=Lax"))
    let pair = try #require(cookie.split(separator: ";").first.map(String.init))
    #expect(try await bench.ask("/", .get, [.cookie: "other=1; \(pair)"]).status == 200)
  }

  @Test func `a cookie is a session, and is of no use where a token is asked for`() async throws {
    let bench = try await ServerBench()
    let session = try await session(bench, ServerBench.token)

    #expect(!session.contains(ServerBench.token))
    let value = try #require(session.split(separator: "=").last)
    #expect(try await bench.ask("/", .get, [.authorization: "Bearer \(value)"]).status == 401)
    #expect(try await bench.ask("/?token=\(value)", .get, [:]).status == 401)
    let token: HTTPFields = [.cookie: "gallery=\(ServerBench.token)"]
    #expect(try await bench.ask("/", .get, token).status == 401)
  }

  @Test func `a session ends with its token`() async throws {
    let bench = try await ServerBench()
    let token = try bench.tokens.add(
      Access(name: "tv", isAdmin: false),
      created: Date(),
      expires: nil
    )
    let fields: HTTPFields = [.cookie: try await session(bench, token)]
    #expect(try await bench.ask("/", .get, fields).status == 200)

    try bench.tokens.remove(name: "tv")

    #expect(try await bench.ask("/", .get, fields).status == 401)
  }

  /// The cookie that a browser gets for an address with a token.
  private func session(_ bench: ServerBench, _ token: String) async throws -> String {
    let answer = try await bench.ask("/?token=\(token)", .get, [:])
    let cookie = try #require(answer.fields[.setCookie])
    return String(cookie.prefix { $0 != ";" })
  }

  @Test func `keeps a cookie to its path, and to TLS where there is TLS`() async throws {
    let bench = try await ServerBench(
      .init(basePath: "/gallery", isSecure: true),
      syncing: nil
    )

    let answer = try await bench.ask("/gallery/?token=\(ServerBench.token)", .get, [:])

    let cookie = try #require(answer.fields[.setCookie])
    #expect(cookie.contains("Path=/gallery;"))
    #expect(cookie.hasSuffix("; Secure"))
  }

  @Test func `takes a token as a password, as feed readers send it`() async throws {
    let bench = try await ServerBench()
    let login = Data("reader:\(ServerBench.token)".utf8).base64EncodedString()

    #expect(
      try await bench.ask("/images.rss", .get, [.authorization: "Basic \(login)"]).status == 200
    )
    #expect(try await bench.ask("/images.rss", .get, [.authorization: "Basic AAAA"]).status == 401)
  }

  @Test(arguments: ["cross-site", "same-site"])
  func `refuses changes that another site asks for`(site: String) async throws {
    let bench = try await ServerBench()
    var fields = ServerBench.admin
    fields[.contentType] = "application/json"
    fields[.secFetchSite] = site

    let answer = try await bench.ask("/api/v1/sync", .post, fields, body: "{}")

    #expect(answer.status == 403)
    #expect(answer.text.contains("another site"))
  }

  @Test func `refuses changes by the origin where a browser sends nothing better`() async throws {
    let bench = try await ServerBench()
    var fields = ServerBench.admin
    let foreign = ["https://evil.example", "http://evil.example/127.0.0.1:8470", "127.0.0.1:8470"]
    for origin in foreign {
      fields[.origin] = origin
      #expect(try await bench.ask("/api/v1/feeds/1", .delete, fields).status == 403)
    }

    fields[.origin] = "http://127.0.0.1:8470"
    #expect(try await bench.ask("/api/v1/feeds/1", .delete, fields).status == 200)
  }

  @Test func `refuses a body that a form could send`() async throws {
    let bench = try await ServerBench()
    var fields = ServerBench.admin
    fields[.contentType] = "text/plain"

    #expect(try await bench.ask("/api/v1/sync", .post, fields, body: "{}").status == 415)
  }

  // MARK: Named tokens

  @Test func `lets a reader read, and change nothing`() async throws {
    let bench = try await ServerBench()
    let fields = try reader(bench, Access(name: "tv", isAdmin: false))

    #expect(try await bench.ask("/", .get, fields).status == 200)
    #expect(try await bench.ask("/api/v1/feeds/1", .delete, fields).status == 403)
    #expect(try await bench.ask("/feeds/1/remove", .post, fields).status == 403)
    #expect(try await bench.ask("/api/v1/images/1/pin", .put, fields).status == 403)
  }

  @Test func `shows a token only the part of the library that it is limited to`() async throws {
    let bench = try await ServerBench()
    let fields = try reader(bench, Access(name: "sky", isAdmin: false, search: "dandelion"))

    let images = try await bench.ask("/api/v1/images", .get, fields).json["images"] as? [Any]

    #expect(images?.count == 1)
    #expect(try await bench.ask("/images/1", .get, fields).status == 200)
    #expect(try await bench.ask("/images/2", .get, fields).status == 404)
    #expect(try await bench.ask("/api/v1/images/2", .get, fields).status == 404)
    #expect(try await bench.ask("/images/2/original", .get, fields).status == 404)
  }

  @Test(arguments: ["/feeds", "/api/v1/feeds", "/metrics", "/api/v1/jobs/1"])
  func `shows a limited token nothing that tells of the whole library`(path: String) async throws {
    let bench = try await ServerBench()
    let limited = try reader(bench, Access(name: "sky", isAdmin: false, search: "dandelion"))
    let whole = try reader(bench, Access(name: "tv", isAdmin: false))

    #expect(try await bench.ask(path, .get, limited).status == 403)
    #expect(try await bench.ask(path, .get, whole).status != 403)
  }

  @Test(arguments: ["//evil.example/", "/\\evil.example/", "/\\/evil.example/"])
  func `a first visit leads to no other host`(path: String) async throws {
    let bench = try await ServerBench(syncing: nil)

    let answer = try await bench.ask("\(path)?token=\(ServerBench.token)", .get, [:])

    #expect(answer.fields[.location] == "/evil.example/")
  }

  @Test func `refuses a token that has expired or is removed`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let access = Access(name: "old", isAdmin: true)
    let expired = try bench.tokens.add(access, created: .distantPast, expires: Date())
    #expect(bench.tokens.access(for: expired, server: "", now: Date()) == nil)

    try bench.tokens.remove(name: "old")
    let valid = try bench.tokens.add(access, created: Date(), expires: .distantFuture)
    let found = try #require(bench.tokens.access(for: valid, server: "", now: Date()))
    #expect(found.name == "old" && found.isAdmin && bench.tokens.isValid(found))
    try bench.tokens.remove(name: "old")
    #expect(bench.tokens.access(for: valid, server: "", now: Date()) == nil)
    #expect(!bench.tokens.isValid(found))
  }

  @Test func `keeps tokens from other users of the machine, and named ones hashed`() throws {
    let folder = NSTemporaryDirectory() + "tokens-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tokens = AccessTokens(folder: folder)

    let server = try tokens.serverToken()
    let named = try tokens.add(Access(name: "tv", isAdmin: false), created: Date(), expires: nil)

    #expect(try tokens.serverToken() == server)
    for file in ["server-token", "tokens.json"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    let stored = try String(contentsOfFile: "\(folder)/tokens.json", encoding: .utf8)
    #expect(!stored.contains(named))
  }

  @Test func `keeps every change of those that programs make at the same time`() async throws {
    let folder = NSTemporaryDirectory() + "tokens-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tokens = AccessTokens(folder: folder)
    let add = { @Sendable (name: String) in
      try tokens.add(Access(name: name, isAdmin: false), created: Date(), expires: nil)
    }
    let removed = try add("old")

    let added = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<20 { group.addTask { try add("tv\(number)") } }
      try tokens.remove(name: "old")
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }

    #expect(try tokens.named().count == 20)
    for token in added { #expect(tokens.access(for: token, server: "", now: Date()) != nil) }
    #expect(tokens.access(for: removed, server: "", now: Date()) == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(names) == ["tokens.json", "tokens.lock"])
  }

  @Test(arguments: ["", "admin", "a b", "../x"])
  func `refuses names that are not valid`(name: String) throws {
    let tokens = AccessTokens(folder: NSTemporaryDirectory() + "tokens-\(UUID().uuidString)")

    #expect(throws: AccessTokens.Problem.unusableName(name)) {
      try tokens.add(Access(name: name, isAdmin: false), created: Date(), expires: nil)
    }
  }

  private func reader(_ bench: ServerBench, _ access: Access) throws -> HTTPFields {
    let token = try bench.tokens.add(access, created: Date(), expires: nil)
    return [.authorization: "Bearer \(token)"]
  }

  @Test func `removing a token that is not there makes no library`() throws {
    let folder = NSTemporaryDirectory() + "tokens-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tokens = AccessTokens(folder: folder)

    #expect(throws: AccessTokens.Problem.unknown(name: "tv")) { try tokens.remove(name: "tv") }
    #expect(try tokens.named().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
