import Foundation
import HTTPTypes
import Models
import Testing
import Workers

@testable import gallery_server

/// What event loops answer, beside the answers of the routes: thumbnails, originals and assets.
struct KeptRouteTests {
  enum Route: CaseIterable {
    case thumbnail, original, asset

    func path(on served: ServedPictures) async throws -> String {
      switch self {
      case .thumbnail: served.path
      case .original: "/o/\(try await served.original().sha256)"
      case .asset: served.asset
      }
    }
  }

  /// A server whose event loops answer what is kept, and one whose routes answer everything, because it trusts a proxy
  /// at the address of the test.
  private struct Pair {
    let fast: ServedPictures
    let slow: ServedPictures
    let path: String

    init(_ route: Route) async throws {
      fast = try await ServedPictures()
      slow = try await ServedPictures(.init(proxies: try TrustedProxies(["127.0.0.1"])))
      path = try await route.path(on: fast)
      #expect(try await route.path(on: slow) == path)
    }

    /// The answers of both to the same request; the first server keeps the whole answer before.
    func ask(_ asked: Asked) async throws -> (fast: ServerWire.Answer, slow: ServerWire.Answer) {
      let (path, fields) = (path + asked.query, asked.fields(path))
      let first = try await fast.connect { client in
        for _ in 1...2 { _ = try await client.ask(self.path) }
        return try await client.ask(path, asked.method, host: asked.host, fields: fields)
      }
      let second = try await slow.connect { client in
        try await client.ask(path, asked.method, host: asked.host, fields: fields)
      }
      return (first, second)
    }
  }

  struct Asked: Sendable {
    var method = "GET"
    var query = ""
    var host = "127.0.0.1"
    /// Further fields; `HASH` stands for the entity tag.
    var more: [String] = []
    var token: String? = "Bearer \(ServerBench.token)"

    func fields(_ path: String) -> [String] {
      (token.map { ["Authorization: \($0)"] } ?? [])
        + more.map { $0.replacing("HASH", with: "\"\(path.suffix(64))\"") }
    }
  }

  @Test(arguments: Route.allCases)
  func `an event loop answers with the fields and bytes of the routes`(route: Route) async throws {
    let pair = try await Pair(route)
    let kinds: [Asked] = [
      .init(), .init(method: "HEAD"), .init(more: ["Accept-Encoding: br, gzip"]),
      .init(method: "HEAD", more: ["Accept-Encoding: gzip"]), .init(more: ["If-None-Match: HASH"]),
      .init(more: ["Accept: image/*", "Sec-Fetch-Site: cross-site", "Referer: http://a.example/"]),
    ]

    for asked in kinds {
      let expected = try await pair.ask(asked).slow
      let fields = asked.fields(pair.path)
      try await pair.fast.connect { client in
        for _ in 1...2 { _ = try await client.ask(pair.path) }
        _ = try await client.ask(pair.path, fields: fields)
        let sent = pair.fast.sent
        let answer = try await client.ask(pair.path, asked.method, fields: fields)
        #expect(pair.fast.sent == sent + 1, "\(asked)")
        #expect(answer == expected, "\(asked)")
        #expect(answer.hasDate)
      }
    }
    #expect(pair.slow.sent == 0)
  }

  private static let others: [Asked] = [
    .init(token: nil), .init(token: "Bearer x"), .init(token: "Basic eDp4"),
    .init(more: ["Cookie: gallery=x"], token: nil), .init(host: "evil.example"),
    .init(host: "127.0.0.1:8470"), .init(host: "LOCALHOST"), .init(host: "127.0.0.1.evil.example"),
    .init(host: "evil.example", token: nil), .init(more: ["Host: 127.0.0.1"]),
    .init(more: ["Range: bytes=0-9"]), .init(more: ["Range: bytes=-5", "If-Range: HASH"]),
    .init(more: ["Range: bytes=0-9", "If-Range: \"x\""]), .init(more: ["Range: bytes=99999999-"]),
    .init(method: "HEAD", more: ["Range: bytes=0-9"]), .init(more: ["If-None-Match: *"]),
    .init(more: ["If-None-Match: \"x\", HASH"]), .init(more: ["If-None-Match: W/HASH"]),
    .init(method: "HEAD", more: ["If-None-Match: HASH"]), .init(more: ["If-None-Match: \"x\""]),
    .init(more: ["Origin: https://viewer.example"]), .init(more: ["Expect: nothing"]),
    .init(more: ["Accept-Encoding: identity"]), .init(more: ["Content-Length: 0"]),
    .init(more: ["Connection: close"]), .init(method: "DELETE"), .init(method: "OPTIONS"),
    .init(query: "?token=x"), .init(query: "?token=\(ServerBench.token)", token: nil),
    .init(query: "x"), .init(query: "/"), .init(query: "?"),
  ]

  @Test(arguments: Route.allCases)
  func `all else has the same answer as without kept answers`(route: Route) async throws {
    let pair = try await Pair(route)

    for asked in Self.others {
      let (fast, slow) = try await pair.ask(asked)
      #expect(fast == slow, "\(asked)")
    }
  }

  @Test(arguments: [Route.thumbnail, .original])
  func `a token that sees a part of the library gets what the routes give`(
    route: Route
  ) async throws {
    let pair = try await Pair(route)
    var tokens: [String] = []
    for served in [pair.fast, pair.slow] {
      let access = Access(name: "tv", isAdmin: false, search: "zeppelin")
      tokens.append(try served.bench.tokens.add(access, created: Date(), expires: nil))
    }

    let (fast, slow) = try await (
      pair.ask(Asked(token: "Bearer \(tokens[0])")).fast,
      pair.ask(Asked(token: "Bearer \(tokens[1])")).slow
    )

    #expect(fast == slow)
    #expect(fast.status == 404)
  }

  // MARK: Assets

  @Test func `an asset needs no token, and stays when the library changes`() async throws {
    let served = try await ServedPictures()

    try await served.connect { client in
      let first = try await client.ask(served.asset, fields: [])
      #expect(try await served.bench.ask("/api/v1/images/1/pin", .put).status == 204)
      #expect(try await client.ask(served.asset, fields: []) == first)
      #expect(served.sent == 1)
      #expect(try await client.ask(served.asset, host: "evil.example", fields: []).status == 421)
      #expect(try await client.ask(served.path, fields: []).status == 401)
      #expect(served.sent == 1)
    }
  }

  @Test func `an asset that does not exist is not kept`() async throws {
    let served = try await ServedPictures()

    try await served.connect { client in
      for path in [served.asset + "x", served.asset + "?x=1", served.asset + "%20"] {
        let first = try await client.ask(path)
        #expect(try await client.ask(path) == first)
      }
    }
    #expect(served.sent == 0)
  }
}
