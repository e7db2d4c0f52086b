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
  @Test func `sends the same bytes again`() async throws {
    let served = try await ServedPictures()
    let path = served.path

    try await served.connect { client in
      let head = try await client.ask(path, "HEAD")
      let first = try await client.ask(path)
      #expect(served.sent == 0)
      #expect(try await client.ask(path) == first)
      #expect(try await client.ask(path, "HEAD") == head)
      #expect(served.sent == 2)
      #expect(first.head.dropFirst() == head.head.dropFirst())
      #expect(first.status == 200)
      #expect(head.body.isEmpty)
      #expect(first.body.starts(with: [0xFF, 0xD8, 0xFF]))
    }
  }

  @Test func `says again that a client has the picture`() async throws {
    let served = try await ServedPictures()
    let path = served.path
    let known = "If-None-Match: \"\(path.suffix(64))\""

    try await served.connect { client in
      _ = try await client.ask(path)
      let first = try await client.ask(path, fields: [ServedPictures.admin, known])
      #expect(served.sent == 0)
      #expect(try await client.ask(path, fields: [ServedPictures.admin, known]) == first)
      #expect(first.status == 304)
      #expect(served.sent == 1)
      let other = try await client.ask(
        path,
        fields: [ServedPictures.admin, "If-None-Match: \"x\""]
      )
      #expect(other.status == 200)
      #expect(served.sent == 1)
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
    let served = try await ServedPictures()
    let path = served.path

    try await served.connect { client in
      _ = try await client.ask(path)
      let sent = served.sent
      #expect(try await client.ask(path, fields: [ServedPictures.admin] + fields).status == status)
      #expect(served.sent == sent)
    }
  }

  @Test func `the routes answer other paths, methods and hosts`() async throws {
    let served = try await ServedPictures()
    let path = served.path

    try await served.connect { client in
      _ = try await client.ask(path)
      #expect(try await client.ask(path.uppercased().replacing("/T/", with: "/t/")).status == 404)
      #expect(try await client.ask(path + "?token=x").status == 401)
      #expect(try await client.ask(path, "DELETE").status == 405)
      #expect(try await client.ask(path, host: "evil.example").status == 421)
      #expect(served.sent == 0)
    }
  }

  @Test func `a picture that is removed is sent no more`() async throws {
    let served = try await ServedPictures()
    let path = served.path

    try await served.connect { client in
      _ = try await client.ask(path)
      #expect(try await client.ask(path).status == 200)
      #expect(try await served.bench.ask("/api/v1/feeds/1", .delete).status == 200)
      #expect(try await client.ask(path).status == 404)
      #expect(served.sent == 1)
    }
  }

  @Test func `a change of anything makes the routes look again`() async throws {
    let served = try await ServedPictures()
    let path = served.path

    try await served.connect { client in
      let first = try await client.ask(path)
      #expect(try await client.ask(path) == first)
      #expect(try await served.bench.ask("/api/v1/images/1/pin", .put).status == 204)
      #expect(try await client.ask(path) == first)
      #expect(served.sent == 1)
      #expect(try await client.ask(path) == first)
      #expect(served.sent == 2)
    }
  }

  @Test func `answers come in the order of the requests`() async throws {
    let served = try await ServedPictures()
    let paths = served.paths

    try await served.connect { client in
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
      #expect(served.sent >= 2)
    }
  }

  @Test func `many requests that arrive together are not too many at once`() async throws {
    let served = try await ServedPictures()
    let path = served.path
    let count = 3 * Limits.requestsPerClient

    try await served.connect { client in
      _ = try await client.ask(path)
      let first = try await client.ask(path, "HEAD")
      let request = ServerWire.Conversation.request(path, "HEAD")
      try await client.send(String(repeating: request, count: count))
      for _ in 0..<count { #expect(try await client.answer(to: "HEAD") == first) }
    }
    #expect(served.sent > 1)
  }

  @Test func `a client that leaves with many answers unread leaves nothing behind`() async throws {
    let served = try await ServedPictures()
    let path = served.path

    try await served.connect { client in
      _ = try await client.ask(path)
      let request = ServerWire.Conversation.request(path)
      try await client.send(String(repeating: request, count: 300))
      _ = try await client.answer()
    }
    while served.bench.server.requests.count > 0 { await Task.yield() }

    let again = try await served.connect { client in try await client.ask(path) }
    #expect(again.status == 200)
  }

  @Test func `what a client does not read is not added to`() async throws {
    let served = try await ServedPictures()
    let server = served.bench.server
    let head = HTTPRequest(
      method: .get,
      scheme: "http",
      authority: "localhost",
      path: served.path,
      headerFields: ServerBench.admin
    )
    let question = try #require(KeptQuestion(head, in: server.kept.paths))
    let mark = try #require(server.kept.mark)
    let response = HTTPResponse(status: .ok, headerFields: [.contentLength: "5"])
    server.kept.keep(response, ByteBuffer(string: "bytes"), for: question, at: mark)

    try askOfWritable(server, question)
  }

  private func askOfWritable(_ server: GalleryServer, _ question: KeptQuestion) throws {
    let client = KnownClient()
    client.accept(question, by: server.access)
    let handler = KeptAnswerHandler(SharedServer(server), client, .local, Logger(label: "test"))
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
}
