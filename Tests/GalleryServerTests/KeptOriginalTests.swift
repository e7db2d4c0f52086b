import Foundation
import HTTPTypes
import Logging
import Models
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing
import Workers

@testable import gallery_server

/// Originals that event loops send from their files.
struct KeptOriginalTests {
  @Test func `an original that is changed or missing is looked at again`() async throws {
    let served = try await ServedPictures()
    let original = try await served.original()
    let path = "/o/\(original.sha256)"

    try await served.connect { client in
      let first = try await client.ask(path)
      #expect(try await client.ask(path) == first)
      #expect(served.sent == 1)
      let date = Date(timeIntervalSince1970: 1)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: original.path)
      #expect(try await client.ask(path) == first)
      #expect(served.sent == 1)
      #expect(try await client.ask(path) == first)
      #expect(served.sent == 2)
      try FileManager.default.moveItem(atPath: original.path, toPath: original.path + "-away")
      for method in ["GET", "HEAD"] { #expect(try await client.ask(path, method).status == 404) }
      try FileManager.default.createSymbolicLink(
        atPath: original.path,
        withDestinationPath: original.path + "-away"
      )
      #expect(try await client.ask(path).status == 404)
      #expect(served.sent == 2)
    }
  }

  @Test func `a long original is read on other threads`() async throws {
    let served = try await ServedPictures()
    let original = try await served.original(isLong: true)
    let path = "/o/\(original.sha256)"

    try await served.connect { client in
      let first = try await client.ask(path)
      #expect(first.body.count == original.info.bytes)
      #expect(try await client.ask(path) == first)
    }
    #expect(served.sent == 0)
  }

  @Test func `an original from which the place is removed goes through the routes`() async throws {
    let served = try await ServedPictures(.init(removesPlaces: true))
    let original = try await served.original()
    let path = "/o/\(original.sha256)"

    try await served.connect { client in
      let first = try await client.ask(path)
      #expect(first.status == 200)
      #expect(try await client.ask(path) == first)
    }
    #expect(served.sent == 0)
  }

  @Test func `many originals that are asked for together come whole and in order`() async throws {
    let served = try await ServedPictures()
    let path = "/o/\(try await served.original().sha256)"

    try await served.connect { client in
      let original = try await client.ask(path)
      let thumbnail = try await client.ask(served.path)
      let one = ServerWire.Conversation.request(path)
      let other = ServerWire.Conversation.request(served.path)
      try await client.send(String(repeating: one + other, count: 8))
      for _ in 1...8 {
        #expect(try await client.answer() == original)
        #expect(try await client.answer() == thumbnail)
      }
    }
    #expect(served.sent > 0)
  }

  @Test func `an original that becomes shorter while it is sent ends the connection`() async throws
  {
    let served = try await ServedPictures()
    let original = try await served.original()
    try await served.connect { client in _ = try await client.ask("/o/\(original.sha256)") }
    while served.bench.server.requests.count > 0 { await Task.yield() }

    try sendShortened(original, served.bench.server)
  }

  /// A connection whose client reads nothing; it notes that it is to be closed, and stays open.
  private final class StalledConnection: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    var isStalled = true
    private(set) var isClosing = false

    func flush(context: ChannelHandlerContext) {
      if !isStalled { context.flush() }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      isClosing = true
      promise?.succeed(())
    }
  }

  /// Notes that the client has closed its half of the connection.
  private final class ClosedHalf: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart

    private(set) var isTold = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event as? ChannelEvent == .inputClosed { isTold = true }
      context.fireUserInboundEventTriggered(event)
    }
  }

  private func sendShortened(_ original: StoredOriginal, _ server: GalleryServer) throws {
    let (stalled, closedHalf) = (StalledConnection(), ClosedHalf())
    let channel = EmbeddedChannel(handler: stalled)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(HTTPResponseEncoder())
    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
    try pipeline.addHandler(
      KeptAnswerHandler(
        SharedServer(server),
        KnownClient(),
        .local,
        Logger(label: "test"),
        encoder: try pipeline.context(handlerType: HTTPResponseEncoder.self),
        sendsFiles: true
      )
    )
    try pipeline.addHandler(closedHalf)
    let head = HTTPRequestHead(
      version: .http1_1,
      method: .GET,
      uri: "/o/\(original.sha256)",
      headers: ["Host": "localhost", "Authorization": "Bearer \(ServerBench.token)"]
    )
    func ask() {
      channel.pipeline.fireChannelRead(HTTPServerRequestPart.head(head))
      channel.pipeline.fireChannelRead(HTTPServerRequestPart.end(nil))
      channel.pipeline.fireChannelReadComplete()
    }

    ask()
    #expect(server.kept.figures.sent == 1)
    #expect(server.requests.count == 1)
    ask()
    // It waits for the end of the first answer.
    #expect(server.kept.figures.sent == 1)
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
    channel.embeddedEventLoop.advanceTime(by: .seconds(Limits.fileCheckSeconds))
    #expect(!stalled.isClosing)
    try Data("short".utf8).write(to: URL(filePath: original.path))
    channel.embeddedEventLoop.advanceTime(by: .seconds(Limits.fileCheckSeconds))
    #expect(stalled.isClosing)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    // The rest of the first answer would be lost.
    #expect(!closedHalf.isTold)
    stalled.isStalled = false
    channel.flush()
    #expect(closedHalf.isTold)
    #expect(server.requests.count == 0)
    // The second request, whose file is not the one that was kept, goes to the routes.
    #expect(try channel.readInbound(as: HTTPRequestPart.self) != nil)
  }
}
