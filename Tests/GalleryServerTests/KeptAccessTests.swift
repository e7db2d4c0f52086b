import Foundation
import HTTPTypes
import Models
import Testing

@testable import gallery_server

/// Who gets pictures from the server's memory.
struct KeptAccessTests {
  @Test func `a token opens pictures only on the connection that has shown it`() async throws {
    let served = try await ServedPictures()
    let path = served.path

    try await served.connect { client in
      _ = try await client.ask(path)
      _ = try await client.ask(path)
      #expect(try await client.ask(path, fields: []).status == 401)
      #expect(try await client.ask(path, fields: ["Authorization: Bearer x"]).status == 401)
      #expect(try await client.ask(path, fields: ["Cookie: gallery=x"]).status == 401)
    }
    let stranger = try await served.connect { client in try await client.ask(path, fields: []) }
    #expect(stranger.status == 401)
    #expect(served.sent == 1)
  }

  @Test func `the own token opens kept pictures on a new connection`() async throws {
    let served = try await ServedPictures()
    let path = served.path
    let token = try served.bench.tokens.add(
      Access(name: "tv", isAdmin: false),
      created: Date(),
      expires: nil
    )
    let first = try await served.connect { client in try await client.ask(path) }

    let second = try await served.connect { client in try await client.ask(path) }
    #expect(second == first)
    #expect(served.sent == 1)
    let evil = try await served.connect { client in
      try await client.ask(path, host: "evil.example")
    }
    #expect(evil.status == 421)
    let named = try await served.connect { client in
      try await client.ask(path, fields: ["Authorization: Bearer \(token)"])
    }
    #expect(named == first)
    #expect(served.sent == 1)
  }

  @Test func `a session opens pictures again`() async throws {
    let served = try await ServedPictures()
    let path = served.path
    let welcome = try await served.bench.ask("/?token=\(ServerBench.token)", .get, [:])
    let cookie = try #require(welcome.fields[.setCookie]).prefix { $0 != ";" }

    try await served.connect { client in
      let first = try await client.ask(path, fields: ["Cookie: other=1; \(cookie)"])
      #expect(try await client.ask(path, fields: ["Cookie: other=1; \(cookie)"]) == first)
      #expect(first.status == 200)
    }
    #expect(served.sent == 1)
  }

  @Test func `a token that is removed opens nothing more`() async throws {
    let served = try await ServedPictures()
    let path = served.path
    let access = Access(name: "tv", isAdmin: false)
    let token = try served.bench.tokens.add(access, created: Date(), expires: nil)

    try await served.connect { client in
      let fields = ["Authorization: Bearer \(token)"]
      _ = try await client.ask(path, fields: fields)
      #expect(try await client.ask(path, fields: fields).status == 200)
      #expect(served.sent == 1)
      try served.bench.tokens.remove(name: "tv")
      #expect(try await client.ask(path, fields: fields).status == 401)
    }
  }

  @Test func `a token and a session last until they end`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let now = Date()
    let access = Access(name: "tv", isAdmin: false)
    let token = try bench.tokens.add(access, created: now, expires: now.addingTimeInterval(60))
    let welcome = try await bench.ask("/?token=\(ServerBench.token)", .get, [:])
    let cookie = try #require(welcome.fields[.setCookie]).prefix { $0 != ";" }
    func standing(_ fields: HTTPFields) throws -> Standing {
      let head = HTTPRequest(
        method: .get,
        scheme: "http",
        authority: "localhost",
        path: "/t/",
        headerFields: fields
      )
      return try #require(bench.server.access.standing(of: head, now: now))
    }

    let named = try standing([.authorization: "Bearer \(token)"])
    #expect(named.name == "tv")
    #expect(named.lasts(until: now.addingTimeInterval(59)))
    #expect(!named.lasts(until: now.addingTimeInterval(61)))
    let half = Double(Limits.sessionSeconds / 2)
    let session = try standing([.cookie: String(cookie)])
    #expect(session.lasts(until: now.addingTimeInterval(half - 60)))
    #expect(!session.lasts(until: now.addingTimeInterval(half + 60)))
    let own = try standing(ServerBench.admin)
    #expect(own.lasts(until: .distantFuture))
    // Another token changes the file that the first one is in.
    _ = try bench.tokens.add(Access(name: "radio", isAdmin: false), created: now, expires: nil)
    #expect(!named.lasts(until: now))
    #expect(own.lasts(until: now))
  }

  @Test func `a token that sees a part of the library gets nothing from memory`() async throws {
    let served = try await ServedPictures()
    let paths = served.paths
    let access = Access(name: "tv", isAdmin: false, search: "zeppelin")
    let token = try served.bench.tokens.add(access, created: Date(), expires: nil)

    try await served.connect { client in
      for path in paths + paths { _ = try await client.ask(path) }
      let sent = served.sent
      #expect(sent == paths.count)
      let fields = ["Authorization: Bearer \(token)"]
      for path in paths { #expect(try await client.ask(path, fields: fields).status == 404) }
      #expect(served.sent == sent)
    }
  }

  @Test func `a proxy that is trusted asks the routes`() async throws {
    let served = try await ServedPictures(.init(proxies: try TrustedProxies(["127.0.0.1"])))
    let path = served.path

    let evil = [ServedPictures.admin, "X-Forwarded-Host: evil.example"]
    let statuses = try await served.connect { client in
      var statuses: [Int] = []
      for _ in 1...3 { statuses.append(try await client.ask(path).status) }
      return statuses + [try await client.ask(path, fields: evil).status]
    }
    #expect(statuses == [200, 200, 200, 421])
    #expect(served.bench.server.kept.figures == .init())
  }
}
