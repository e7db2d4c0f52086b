import Composition
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing
import Workers

@testable import gallery_server

/// A port of loopback at which the server of a bench listens until this is closed, and connections to it.
///
/// So a test sees the bytes that clients receive, from the whole pipeline of a connection.
struct ServerWire {
  let port: Int
  private let listener: Task<Void, any Error>

  init(_ bench: ServerBench) async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let service = ServerService(
      server: bench.server,
      addresses: [],
      sockets: [],
      tls: nil,
      sync: try SyncInterval.parse("off"),
      token: ServerBench.token,
      opensBrowser: false,
      isJSON: false,
      isQuiet: true,
      logger: logger
    )
    let (ports, found) = AsyncStream.makeStream(of: Int.self)
    let server = try service.connection().server(
      configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        await ConnectionGate.add(to: channel, bench.server.connections)
        found.yield(channel.localAddress?.port ?? 0)
      },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
      logger: logger
    )
    listener = Task { try await server.run() }
    port = try #require(await ports.first { _ in true })
  }

  func close() { listener.cancel() }

  /// Talks to the server over one connection, which this closes at the end.
  func connect<Value: Sendable>(
    _ talk: @Sendable (Conversation) async throws -> Value
  ) async throws -> Value {
    let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await client.executeThenClose { inbound, outbound in
      let conversation = Conversation(outbound)
      let reading = Task {
        for try await bytes in inbound { conversation.add(Array(bytes.readableBytesView)) }
        conversation.end()
      }
      defer { reading.cancel() }
      return try await talk(conversation)
    }
  }

  /// An answer as it was received.
  struct Answer: Equatable, Sendable {
    /// The status line and the fields, without the date.
    var head: [String]
    var hasDate: Bool
    var body: [UInt8]

    var status: Int { Int(head.first?.split(separator: " ").dropFirst().first ?? "") ?? 0 }
  }

  final class Conversation: Sendable {
    private struct Received {
      var bytes: [UInt8] = []
      var hasEnded = false
    }

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let received = Locked(Received())

    fileprivate init(_ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
      self.outbound = outbound
    }

    fileprivate func add(_ bytes: [UInt8]) { received.withLock { $0.bytes += bytes } }

    fileprivate func end() { received.withLock { $0.hasEnded = true } }

    /// The text of a request as an administrator, unless other fields are given.
    static func request(
      _ path: String,
      _ method: String = "GET",
      host: String = "127.0.0.1",
      fields: [String] = ["Authorization: Bearer \(ServerBench.token)"]
    ) -> String {
      (["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields + ["", ""])
        .joined(separator: "\r\n")
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Sends a request, and waits for its answer.
    func ask(
      _ path: String,
      _ method: String = "GET",
      host: String = "127.0.0.1",
      fields: [String] = ["Authorization: Bearer \(ServerBench.token)"]
    ) async throws -> Answer {
      try await send(Self.request(path, method, host: host, fields: fields))
      return try await answer(to: method)
    }

    /// Waits for the next answer.
    func answer(to method: String = "GET") async throws -> Answer {
      while true {
        // The last bytes and the end may arrive between two looks.
        let (answer, hasEnded) = received.withLock { received in
          (Answer(takenFrom: &received.bytes, to: method), received.hasEnded)
        }
        if let answer { return answer }
        try #require(!hasEnded)
        await Task.yield()
      }
    }
  }
}

extension ServerWire.Answer {
  /// Takes the first answer out of the received bytes; nil while it is not complete.
  fileprivate init?(takenFrom bytes: inout [UInt8], to method: String) {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .split(separator: "\r\n").map(String.init)
    let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.drop { $0 != " " }.dropFirst()) }
    let hasBody = method != "HEAD" && lines.first?.contains(" 304 ") != true
    let whole = end.upperBound + (hasBody ? length ?? 0 : 0)
    guard bytes.count >= whole else { return nil }
    head = lines.filter { !$0.lowercased().hasPrefix("date:") }
    hasDate = head.count == lines.count - 1
    body = Array(bytes[end.upperBound..<whole])
    bytes.removeSubrange(..<whole)
  }
}
