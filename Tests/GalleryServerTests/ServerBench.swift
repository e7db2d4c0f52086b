import Composition
import Foundation
import HTTPTypes
import Hummingbird
import Imaging
import Logging
import Models
import NIOCore
import NIOEmbedded
import NIOPosix
import Scenes
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// A server with its own library, which receives requests in the test's process.
final class ServerBench: Sendable {
  static let token = "0123456789abcdef0123456789abcdef0123456789a"
  /// The fields that a page sends after the user has opened it.
  static let admin: HTTPFields = [.authorization: "Bearer \(token)"]

  let folder: String
  let root: CompositionRoot
  let server: GalleryServer
  let tokens: AccessTokens
  private let responder: ReachResponder

  /// Starts the server after a sync of a document and the pictures next to it; nil leaves the library empty.
  init(
    _ settings: GalleryServer.Settings = .init(),
    syncing feed: String? = ServerBench.demoFeed
  ) async throws {
    folder = NSTemporaryDirectory() + "gallery-server-\(UUID().uuidString)"
    var composition = CompositionRoot.Settings(LibraryLocation(option: "\(folder)/library"))
    composition.environment = [:]
    composition.decoders = DecoderPaths(program: try Programs.path(of: "gallery-server"))
    root = CompositionRoot(composition)
    tokens = AccessTokens(folder: "\(folder)/library")
    server = GalleryServer(root, settings, tokens: tokens, serverToken: Self.token)
    responder = server.responder
    if let feed { try await sync(feed) }
  }

  /// Syncs the document at an address.
  func sync(_ feed: String) async throws {
    let display = RecordAnswer()
    await root.syncFeeds(presenter: SyncFeedsJSONPresenter(display: SyncAnswer(display)))
      .syncFeeds(
        request: .init(feeds: [.address(try #require(WebAddress(feed)))], stop: StopRequest())
      )
    #expect(display.failure == nil)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Twelve photographs with titles, captions, authors and thumbnails.
  static let demoFeed = WebAddress(filePath: Checkout.demoFeed, relativeTo: "/").text

  // MARK: Asking

  struct Answer: Sendable {
    var status: Int
    var fields: HTTPFields
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Who may load the answer (`Cross-Origin-Resource-Policy`).
    var policy: String? { HTTPField.Name("Cross-Origin-Resource-Policy").flatMap { fields[$0] } }

    /// The members of a JSON object.
    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }
  }

  /// Sends a request as an administrator, unless other fields are given; `peer` is the address of the client, or the
  /// path of a socket in the file system, and nil if nobody knows it.
  func ask(
    _ path: String,
    _ method: HTTPRequest.Method = .get,
    _ fields: HTTPFields = admin,
    host: String? = "127.0.0.1:8470",
    from peer: String? = nil,
    body: String = ""
  ) async throws -> Answer {
    let channel = EmbeddedChannel()
    channel.remoteAddress = try peer.map { peer in
      try peer.hasPrefix("/")
        ? SocketAddress(unixDomainSocketPath: peer)
        : SocketAddress(ipAddress: peer, port: 40_000)
    }
    let response = try await response(path, method, fields, host: host, body: body, on: channel)
    let collector = Collector()
    try await response.body.write(BodyCollector(collector))
    return Answer(
      status: response.status.code,
      fields: response.headers,
      bytes: collector.bytes.withLock { $0 }
    )
  }

  /// Sends a request, and returns the response before its body is written.
  func response(
    _ path: String,
    _ method: HTTPRequest.Method,
    _ fields: HTTPFields,
    host: String? = "127.0.0.1:8470",
    body: String = "",
    on channel: any Channel = EmbeddedChannel()
  ) async throws -> Response {
    let head = HTTPRequest(
      method: method,
      scheme: "http",
      authority: host,
      path: path,
      headerFields: fields
    )
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
    let source = ApplicationRequestContextSource(
      channel: channel,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    var context = ServerContext(source: source)
    // The event loop of an embedded channel does not run by itself.
    context.eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    return try await responder.respond(to: request, context: context)
  }

  /// Sends JSON as an administrator.
  func send(_ path: String, _ json: String) async throws -> Answer {
    var fields = Self.admin
    fields[.contentType] = "application/json"
    return try await ask(path, .post, fields, body: json)
  }

  /// Waits for the end of a job.
  func endOfJob(_ answer: Answer) async throws -> [String: Any] {
    let address = try #require(answer.json["job"] as? String)
    while true {
      let job = try await ask(address).json
      if ["done", "failed"].contains(job["state"] as? String) { return job }
      await Task.yield()
    }
  }
}

private final class Collector: Sendable {
  let bytes = Locked<[UInt8]>([])
}

private struct BodyCollector: ResponseBodyWriter {
  private let collector: Collector

  init(_ collector: Collector) { self.collector = collector }

  mutating func write(_ buffer: ByteBuffer) async throws {
    collector.bytes.withLock { $0 += Array(buffer.readableBytesView) }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// The answer of a sync, from which only a failure matters.
private struct SyncAnswer: SyncFeedsRecordDisplayLogic {
  private let answer: RecordAnswer

  init(_ answer: RecordAnswer) { self.answer = answer }

  func displayRecords(viewModel: RecordViewModel) {}
  func displayFailure(viewModel: Fail.ViewModel) { answer.displayFailure(viewModel: viewModel) }
  func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel) {}
  func displaySyncNotice(viewModel: SyncFeeds.Notice.ViewModel) {}
  func displaySyncProgress(viewModel: RecordViewModel) {}
  func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel) {}
}
