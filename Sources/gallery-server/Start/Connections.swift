import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL

extension ServerService {
  /// A connection with HTTP/1.1, and with TLS also HTTP/2 if the client prefers it (ALPN, RFC 7301).
  func connection() throws -> any ServerChildChannel {
    let shared = SharedServer(server)
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        OpenAnswerHandler(), StalledReaderHandler(), KeptAnswerEntrance(shared, logger),
      ],
      idleTimeout: .seconds(Limits.idleSeconds),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: Limits.headerBytes,
        maxHeaderListSize: Limits.headerBytes
      )
    )
    guard let tls else {
      return PlainConnection(child: HTTP1Channel(responder: answering, configuration: channel))
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(tls.certificate).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: tls.key, format: .pem))
    )
    configuration.minimumTLSVersion = .tlsv12
    return FlushedConnection(
      child: try HTTP2UpgradeChannel(
        tlsConfiguration: configuration,
        configuration: .init(
          idleTimeout: .seconds(Limits.idleSeconds),
          streamConfiguration: channel
        ),
        responder: answering
      )
    )
  }

  /// Answers a request.
  ///
  /// The task of a connection lives as long as a stream of events, and keeps the memory of its deepest call. So this
  /// holds one reference to all that answers need, and the functions that it calls are not inlined.
  private var answering: HTTPChannelHandler.Responder {
    let answers = Answers(server.responder, server.following, logger)
    return { request, writer, channel in
      guard let stream = try await answers.answer(request, writer, on: channel) else { return }
      await stream.follow(answers.following.watcher)
    }
  }
}

/// Answers the requests of all connections.
private final class Answers: Sendable {
  private enum Answer {
    /// The open answer holds the client's share while the response is written.
    case response(Response, OpenAnswer)
    /// A stream whose header and first event have been sent.
    case events(EventStream)
  }

  let following: Following
  private let responder: ReachResponder
  private let logger: Logger

  init(_ responder: ReachResponder, _ following: Following, _ logger: Logger) {
    (self.responder, self.following, self.logger) = (responder, following, logger)
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - writer: The writer for the answer.
  ///   - channel: The connection, or a stream of it (HTTP/2).
  /// - Returns: The stream of events that the connection sends from now on; nil after any other answer.
  /// - Throws: when the client has left.
  @inline(never) @concurrent
  func answer(
    _ request: Request,
    _ writer: consuming ResponseWriter,
    on channel: any Channel
  ) async throws -> EventStream? {
    switch try await answer(to: request, on: channel).value {
    case .events(let stream): return stream
    case .response(let response, let answer):
      defer { withExtendedLifetime(answer) {} }
      try await write(response, writer)
      if response.headers[.connection] == "close" { try await channel.close() }
      return nil
    }
  }

  /// The answer to a request, from a task of its own, whose memory ends with it.
  @inline(never)
  private func answer(to request: Request, on channel: any Channel) -> Task<Answer, any Error> {
    Task {
      let context = ServerContext(source: .init(channel: channel, logger: logger))
      // The answers of streams may wait in memory after they have been written.
      if channel.isStream { channel.triggerUserOutboundEvent(context.answer, promise: nil) }
      let response = try await responder.respond(to: request, context: context)
      guard let (stream, first) = following.takeStream(of: channel) else {
        return .response(response, context.answer)
      }
      // Streams have a limit of their own.
      context.answer.release()
      stream.begin(response.head, first)
      return .events(stream)
    }
  }

  @inline(never) @concurrent
  private func write(_ response: Response, _ writer: consuming ResponseWriter) async throws {
    try await writer.write(response: response.head, body: response.body)
  }
}

/// Connections with TLS that flush their last frames before they are closed, and whose streams share what is known about
/// the client.
///
/// Hummingbird closes a connection that is shutting down as soon as the end of its last stream has been written, but
/// not flushed. Clients would see a truncated stream.
struct FlushedConnection<Child: ServerChildChannel>: ServerChildChannel {
  let child: Child

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Child.Value> {
    let value = child.setup(channel: channel, logger: logger)
    do {
      let pipeline = channel.pipeline.syncOperations
      let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
      try pipeline.addHandler(FlushBeforeClose(), position: .after(tls))
      try pipeline.addHandler(KnownClient(), position: .after(tls))
      return value
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
  }

  func handle(value: Child.Value, logger: Logger) async {
    await child.handle(value: value, logger: logger)
  }
}

private final class FlushBeforeClose: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    context.flush()
    context.close(mode: mode, promise: promise)
  }
}

/// Connections without TLS that use little memory while they wait.
///
/// NIO keeps the buffer of the last read, by default 2 KB. This buffer starts with 512 bytes. A longer request needs a
/// second read, and the buffer grows with the reads.
struct PlainConnection: ServerChildChannel {
  let child: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    let buffer = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65_536)
    do {
      try channel.syncOptions?.setOption(.recvAllocator, value: buffer)
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return child.setup(channel: channel, logger: logger)
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await child.handle(value: value, logger: logger)
  }
}

/// Closes a connection whose client reads nothing of an answer for `Limits.stalledSeconds`.
///
/// A slow client is not disconnected; a file is read only as fast as its client reads.
final class StalledReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  private var deadline: Scheduled<Void>?

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    deadline?.cancel()
    deadline = nil
    if !context.channel.isWritable {
      let channel = context.channel
      deadline = context.eventLoop.scheduleTask(in: .seconds(Limits.stalledSeconds)) {
        channel.close(promise: nil)
      }
    }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }
}
