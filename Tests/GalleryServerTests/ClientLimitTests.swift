import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing
import Web

@testable import gallery_server

struct ClientLimitTests {
  @Test func `refuses one too many of a client until another one ends`() {
    let limit = ClientLimit<String>(each: 2)
    var shares = [limit.take(for: "reader"), limit.take(for: "reader")]

    #expect(limit.take(for: "reader") == nil)
    #expect(limit.count == 2)

    shares.removeLast()
    #expect(limit.take(for: "reader") != nil)
  }

  @Test func `counts each client apart, and all of them together`() {
    let limit = ClientLimit<String>(each: 2, all: 3)
    let shares = ["reader", "reader", "frame"].map { limit.take(for: $0) }

    #expect(!shares.contains { $0 == nil })
    #expect(limit.take(for: "script") == nil)
  }

  @Test func `counts amounts, and one above the limit alone`() throws {
    let limit = ClientLimit<String>(each: 10, all: 15)
    var shares = [try #require(limit.take(8, for: "reader"))]

    #expect(limit.take(3, for: "reader") == nil)
    #expect(limit.take(8, for: "frame") == nil)
    shares.append(try #require(limit.take(7, for: "frame")))
    #expect(limit.take(for: "script") == nil)
    #expect(limit.count == 15)

    shares = []
    #expect(limit.count == 0)
    shares = [try #require(limit.take(.max, for: "reader"))]
    #expect(limit.take(for: "reader") == nil)
    #expect(limit.take(for: "frame") == nil)
  }

  @Test func `says whether a client or all clients have too much`() throws {
    let limit = ClientLimit<String>(each: 10, all: 15)
    let shares = try ["reader", "frame"].map { try #require(limit.take(7, for: $0)) }

    for (client, status) in [("reader", 429), ("script", 503)] {
      let problem = #expect(throws: WebProblem.self) {
        try limit.take(5, for: client, orRefuse: "bytes of answers", again: 1)
      }
      #expect(problem?.status == status)
    }
    withExtendedLifetime(shares) {}
  }
}

struct StalledReaderHandlerTests {
  private let channel = EmbeddedChannel(handler: StalledReaderHandler())

  init() throws { try channel.connect(to: .init(unixDomainSocketPath: "/client")).wait() }

  private func setWritable(_ isWritable: Bool) {
    channel.isWritable = isWritable
    channel.pipeline.fireChannelWritabilityChanged()
  }

  @Test func `lets go of a client that takes nothing of an answer`() {
    setWritable(false)
    channel.embeddedEventLoop.advanceTime(by: .seconds(Limits.stalledSeconds - 1))
    #expect(channel.isActive)

    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test func `waits for a client that reads slowly`() {
    for _ in 0..<3 {
      setWritable(false)
      channel.embeddedEventLoop.advanceTime(by: .seconds(Limits.stalledSeconds - 1))
      setWritable(true)
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(Limits.stalledSeconds))

    #expect(channel.isActive)
  }
}

struct RefusalLimitTests {
  private func answer(_ status: HTTPResponse.Status) async throws -> Response {
    let context = ServerContext(
      source: .init(channel: EmbeddedChannel(), logger: Logger(label: "test"))
    )
    let request = Request(
      head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
      body: RequestBody(buffer: ByteBuffer())
    )
    return try await RefusalLimitMiddleware().handle(request, context: context) { _, _ in
      Response(status: status)
    }
  }

  @Test(arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable])
  func `ends a connection over HTTP/1.1 after an answer without a share`(
    status: HTTPResponse.Status
  ) async throws {
    #expect(try await answer(status).headers[.connection] == "close")
  }

  @Test(arguments: [HTTPResponse.Status.ok, .unauthorized, .notFound])
  func `keeps the connection after other answers`(status: HTTPResponse.Status) async throws {
    #expect(try await answer(status).headers[.connection] == nil)
  }
}
