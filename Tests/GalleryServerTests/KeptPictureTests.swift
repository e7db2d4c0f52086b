import Composition
import Foundation
import HTTPTypes
import Logging
import Models
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestSupport
import Testing
import Workers

@testable import gallery_server

/// Pictures that the server sends from its memory, over connections to it.
struct KeptPictureTests {
  private static let admin = "Authorization: Bearer \(ServerBench.token)"

  /// The paths of the thumbnails; no request for them starts the computation of colours, which changes the library.
  private func paths(_ bench: ServerBench) async throws -> [String] {
    let ids = (1...12).map { Int64($0) }
    let hashes = try await bench.root.library.tiles(ids: ids).compactMap(\.thumbnail)
    return try #require(hashes.isEmpty ? nil : hashes).map { "/t/\($0.hexadecimal)" }
  }

  @Test func `sends the same bytes again`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      let head = try await client.ask(path, "HEAD")
      let first = try await client.ask(path)
      #expect(bench.server.kept.figures.sent == 0)
      #expect(try await client.ask(path) == first)
      #expect(try await client.ask(path, "HEAD") == head)
      #expect(bench.server.kept.figures.sent == 2)
      #expect(first.head.dropFirst() == head.head.dropFirst())
      #expect(first.status == 200)
      #expect(head.body.isEmpty)
      #expect(first.body.starts(with: [0xFF, 0xD8, 0xFF]))
    }
  }

  @Test func `says again that a client has the picture`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let known = "If-None-Match: \"\(path.suffix(64))\""
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      _ = try await client.ask(path)
      let first = try await client.ask(path, fields: [Self.admin, known])
      #expect(bench.server.kept.figures.sent == 0)
      #expect(try await client.ask(path, fields: [Self.admin, known]) == first)
      #expect(first.status == 304)
      #expect(bench.server.kept.figures.sent == 1)
      let other = try await client.ask(path, fields: [Self.admin, "If-None-Match: \"x\""])
      #expect(other.status == 200)
      #expect(bench.server.kept.figures.sent == 1)
    }
  }

  @Test(arguments: [
    (["Range: bytes=0-9"], 206), (["Range: bytes=0-9", "If-Range: \"x\""], 200),
    (["Range: bytes=99999999-"], 416), (["Origin: https://viewer.example"], 200),
    (["Expect: nothing"], 417), (["If-None-Match: *"], 304), (["Content-Length: 0"], 200),
    (["Host: 127.0.0.1"], 400), (["Authorization: Bearer x"], 401), (["Connection: close"], 200),
  ])
  func `the routes answer all that asks for more than the picture`(
    fields: [String],
    status: Int
  ) async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      _ = try await client.ask(path)
      let sent = bench.server.kept.figures.sent
      #expect(try await client.ask(path, fields: [Self.admin] + fields).status == status)
      #expect(bench.server.kept.figures.sent == sent)
    }
  }

  @Test func `the routes answer other paths, methods and hosts`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      _ = try await client.ask(path)
      #expect(try await client.ask(path.uppercased().replacing("/T/", with: "/t/")).status == 404)
      #expect(try await client.ask(path + "?token=x").status == 401)
      #expect(try await client.ask(path, "DELETE").status == 405)
      #expect(try await client.ask(path, host: "evil.example").status == 421)
      #expect(bench.server.kept.figures.sent == 0)
    }
  }

  @Test func `a token opens pictures only on the connection that has shown it`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      _ = try await client.ask(path)
      _ = try await client.ask(path)
      #expect(try await client.ask(path, fields: []).status == 401)
      #expect(try await client.ask(path, fields: ["Authorization: Bearer x"]).status == 401)
      #expect(try await client.ask(path, fields: ["Cookie: gallery=x"]).status == 401)
    }
    let stranger = try await wire.connect { client in try await client.ask(path, fields: []) }
    #expect(stranger.status == 401)
    #expect(bench.server.kept.figures.sent == 1)
  }

  @Test func `the own token opens kept pictures on a new connection`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let token = try bench.tokens.add(
      Access(name: "tv", isAdmin: false),
      created: Date(),
      expires: nil
    )
    let wire = try await ServerWire(bench)
    defer { wire.close() }
    let first = try await wire.connect { client in try await client.ask(path) }

    let second = try await wire.connect { client in try await client.ask(path) }
    #expect(second == first)
    #expect(bench.server.kept.figures.sent == 1)
    let evil = try await wire.connect { client in
      try await client.ask(path, host: "evil.example")
    }
    #expect(evil.status == 421)
    let named = try await wire.connect { client in
      try await client.ask(path, fields: ["Authorization: Bearer \(token)"])
    }
    #expect(named == first)
    #expect(bench.server.kept.figures.sent == 1)
  }

  @Test func `a session opens pictures again`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let welcome = try await bench.ask("/?token=\(ServerBench.token)", .get, [:])
    let cookie = try #require(welcome.fields[.setCookie]).prefix { $0 != ";" }
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      let first = try await client.ask(path, fields: ["Cookie: other=1; \(cookie)"])
      #expect(try await client.ask(path, fields: ["Cookie: other=1; \(cookie)"]) == first)
      #expect(first.status == 200)
    }
    #expect(bench.server.kept.figures.sent == 1)
  }

  @Test func `a token that is removed opens nothing more`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let access = Access(name: "tv", isAdmin: false)
    let token = try bench.tokens.add(access, created: Date(), expires: nil)
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      let fields = ["Authorization: Bearer \(token)"]
      _ = try await client.ask(path, fields: fields)
      #expect(try await client.ask(path, fields: fields).status == 200)
      #expect(bench.server.kept.figures.sent == 1)
      try bench.tokens.remove(name: "tv")
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
    let bench = try await ServerBench()
    let paths = try await paths(bench)
    let access = Access(name: "tv", isAdmin: false, search: "zeppelin")
    let token = try bench.tokens.add(access, created: Date(), expires: nil)
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      for path in paths + paths { _ = try await client.ask(path) }
      let sent = bench.server.kept.figures.sent
      #expect(sent == paths.count)
      let fields = ["Authorization: Bearer \(token)"]
      for path in paths { #expect(try await client.ask(path, fields: fields).status == 404) }
      #expect(bench.server.kept.figures.sent == sent)
    }
  }

  @Test func `a picture that is removed is sent no more`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      _ = try await client.ask(path)
      #expect(try await client.ask(path).status == 200)
      #expect(try await bench.ask("/api/v1/feeds/1", .delete).status == 200)
      #expect(try await client.ask(path).status == 404)
      #expect(bench.server.kept.figures.sent == 1)
    }
  }

  @Test func `a change of anything makes the routes look again`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      let first = try await client.ask(path)
      #expect(try await client.ask(path) == first)
      #expect(try await bench.ask("/api/v1/images/1/pin", .put).status == 204)
      #expect(try await client.ask(path) == first)
      #expect(bench.server.kept.figures.sent == 1)
      #expect(try await client.ask(path) == first)
      #expect(bench.server.kept.figures.sent == 2)
    }
  }

  @Test func `answers come in the order of the requests`() async throws {
    let bench = try await ServerBench()
    let paths = try await paths(bench)
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      var pictures: [ServerWire.Answer] = []
      for path in paths { pictures.append(try await client.ask(path)) }
      let health = try await client.ask("/healthz")
      let kinds = [0, 1, -1, 0, -1, -1, 1, 0, 0]
      let text = kinds.map { ServerWire.Conversation.request($0 < 0 ? "/healthz" : paths[$0]) }
      try await client.send(text.joined())
      for kind in kinds {
        #expect(try await client.answer() == (kind < 0 ? health : pictures[kind]))
      }
      // Two were sent before the first request for the routes; the rest may have waited for these.
      #expect(bench.server.kept.figures.sent >= 2)
    }
  }

  @Test func `many requests that arrive together are not too many at once`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let count = 3 * Limits.requestsPerClient
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      _ = try await client.ask(path)
      let first = try await client.ask(path, "HEAD")
      let request = ServerWire.Conversation.request(path, "HEAD")
      try await client.send(String(repeating: request, count: count))
      for _ in 0..<count { #expect(try await client.answer(to: "HEAD") == first) }
    }
    #expect(bench.server.kept.figures.sent > 1)
  }

  @Test func `a client that leaves with many answers unread leaves nothing behind`() async throws {
    let bench = try await ServerBench()
    let path = try await paths(bench)[0]
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    try await wire.connect { client in
      _ = try await client.ask(path)
      let request = ServerWire.Conversation.request(path)
      try await client.send(String(repeating: request, count: 300))
      _ = try await client.answer()
    }
    while bench.server.requests.count > 0 { await Task.yield() }

    let again = try await wire.connect { client in try await client.ask(path) }
    #expect(again.status == 200)
  }

  @Test func `what a client does not read is not added to`() async throws {
    let bench = try await ServerBench()
    let head = HTTPRequest(
      method: .get,
      scheme: "http",
      authority: "localhost",
      path: try await paths(bench)[0],
      headerFields: ServerBench.admin
    )
    let question = try #require(PictureQuestion(head, below: "/t/"))
    let mark = try #require(bench.server.kept.mark)
    let response = HTTPResponse(status: .ok, headerFields: [.contentLength: "5"])
    bench.server.kept.keep(response, ByteBuffer(string: "bytes"), for: question, at: mark)

    try askOfWritable(bench.server, question)
  }

  private func askOfWritable(_ server: GalleryServer, _ question: PictureQuestion) throws {
    let client = KnownClient()
    client.accept(question, by: server.access)
    let handler = KeptPictureHandler(server, client, .local, Logger(label: "test"))
    let channel = EmbeddedChannel(handler: handler)
    func ask() {
      channel.pipeline.fireChannelRead(HTTPRequestPart.head(question.head))
      channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
      channel.pipeline.fireChannelReadComplete()
    }

    ask()
    #expect(server.kept.figures.sent == 1)
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) != nil)
    channel.isWritable = false
    ask()
    channel.isWritable = true
    ask()
    // The third one waits for the answer to the second.
    #expect(server.kept.figures.sent == 1)
    for _ in 0..<4 { #expect(try channel.readInbound(as: HTTPRequestPart.self) != nil) }
    channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    ask()
    #expect(server.kept.figures.sent == 2)
    #expect(server.requests.count == 0)
  }

  @Test func `a proxy that is trusted asks the routes`() async throws {
    let bench = try await ServerBench(.init(proxies: try TrustedProxies(["127.0.0.1"])))
    let path = try await paths(bench)[0]
    let wire = try await ServerWire(bench)
    defer { wire.close() }

    let evil = [Self.admin, "X-Forwarded-Host: evil.example"]
    let statuses = try await wire.connect { client in
      var statuses: [Int] = []
      for _ in 1...3 { statuses.append(try await client.ask(path).status) }
      return statuses + [try await client.ask(path, fields: evil).status]
    }
    #expect(statuses == [200, 200, 200, 421])
    #expect(bench.server.kept.figures == .init())
  }
}
