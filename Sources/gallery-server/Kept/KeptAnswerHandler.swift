import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers requests for kept pictures and assets on the event loop of the connection, without a task.
///
/// The routes answer the first request of a connection for a picture, with all of their checks, unless it has the
/// server's own token. A later request with the same host and token differs only in its picture, as long as the token
/// stays valid. An asset is for everyone who knows a name of the server. All other requests are handed on, and all that
/// arrive before the answers to these have ended.
final class KeptAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// A request that the routes answer, and whose answer may be kept.
  private struct Watched {
    let question: KeptQuestion
    /// The state of the library; nil for an asset, for which it does not count.
    let mark: Int?
    var head: HTTPResponse?
    var body = ByteBuffer()
    var pieces = 0
  }

  private let shared: SharedServer
  private let client: KnownClient
  private let address: ClientAddress
  private let logger: Logger
  private let sendsFiles: Bool
  /// The encoder of the connection, behind which bytes are written as they are sent; nil for a stream of HTTP/2.
  private var encoder: ChannelHandlerContext?
  /// Whether the encoder would end an answer as one of unknown length, because the last one was.
  private var isChunked = false
  /// A request whose end has not arrived.
  private var held: KeptQuestion?
  /// The number of requests that were handed on and whose answers have not ended.
  private var open = 0
  /// The first of them.
  private var watched: Watched?
  /// Whether the connection ends after an answer of the routes.
  private var isEnding = false
  private var needsFlush = false
  private var isSendingFile = false
  /// The parts of requests that have arrived since, and whether further ones are to be read.
  private var waiting: [NIOAny] = []
  private var needsRead = false
  /// Whether the client has closed its half of the connection since.
  private var isHalfClosed = false

  init(
    _ shared: SharedServer,
    _ client: KnownClient,
    _ address: ClientAddress,
    _ logger: Logger,
    encoder: ChannelHandlerContext? = nil,
    sendsFiles: Bool = false
  ) {
    (self.shared, self.client) = (shared, client)
    (self.address, self.logger) = (address, logger)
    (self.encoder, self.sendsFiles) = (encoder, encoder != nil && sendsFiles)
  }

  func handlerRemoved(context: ChannelHandlerContext) { encoder = nil }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isSendingFile { return waiting.append(data) }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if open == 0, !isEnding, held == nil,
        let question = KeptQuestion(head, in: shared.server.kept.paths)
      {
        held = question
        return
      }
      if head.endsConnection { isEnding = true }
      open += 1
    case .body: handOnHeld(context)
    case .end(let fields):
      if fields == nil, let held, answer(held, context) {
        self.held = nil
        return
      }
      handOnHeld(context)
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    handOnHeld(context)
    flush(context)
    context.fireChannelReadComplete()
  }

  private func handOnHeld(_ context: ChannelHandlerContext) {
    guard let question = held else { return }
    held = nil
    open += 1
    if question.subject == .asset {
      watched = Watched(question: question, mark: nil)
    } else {
      // Before the routes read the library: an answer that a change overtakes is not sent again.
      watched = shared.server.kept.mark.map { Watched(question: question, mark: $0) }
    }
    context.fireChannelRead(wrapInboundOut(.head(question.head)))
  }

  // MARK: Kept answers

  /// Answers a request; false when the routes have to.
  private func answer(_ question: KeptQuestion, _ context: ChannelHandlerContext) -> Bool {
    // A client that sends requests and reads no answers waits for the routes, which read only as fast as it does.
    if !context.channel.isWritable { flush(context) }
    guard context.channel.isWritable, let found = found(for: question, context),
      let share = share(for: Client(token: found.token, address: address), context)
    else { return false }
    shared.server.kept.noteSent()
    shared.server.metrics.note(
      status: found.head.response.status.code,
      of: question.head.method,
      question.path,
      since: question.start,
      logger
    )
    send(found, holding: share, context)
    return true
  }

  private struct Found {
    /// The name of the token; empty for an asset, which needs none.
    let token: String
    let head: KeptHead
    var bytes: ByteBuffer?
    var file: OpenFile?
  }

  /// The answer that is kept for a request that may have it.
  private func found(for question: KeptQuestion, _ context: ChannelHandlerContext) -> Found? {
    let now = Date()
    if question.subject == .asset {
      guard client.names(question.credentials.host, shared.server.hosts),
        let answer = shared.server.kept.asset(for: question, now: now)
      else { return nil }
      return found(answer, token: "")
    }
    guard let mark = shared.server.kept.mark,
      let standing = client.standing(of: question, now: now)
        ?? client.introduce(question, to: shared.server, on: context.channel, now: now),
      let answer = shared.server.kept.answer(
        to: question,
        at: mark,
        now: now,
        sendsFiles: sendsFiles
      )
    else { return nil }
    return found(answer, token: standing.name)
  }

  private func found(_ answer: KeptAnswers.Answer, token: String) -> Found? {
    var found = Found(token: token, head: answer.head)
    switch answer.body {
    case .none: break
    case .bytes(let bytes): found.bytes = bytes
    case .file(let kept, let isSent):
      guard let file = kept.opened() else { return nil }
      if isSent {
        // The routes read on another thread: all connections of this event loop would wait for the disk.
        guard file.isInMemory else { return nil }
        found.file = file
      }
    }
    return found
  }

  /// A share of the server for a client; nil when it has none left.
  private func share(
    for client: Client,
    _ context: ChannelHandlerContext
  ) -> ClientLimit<Client>.Share? {
    if let share = shared.server.requests.take(for: client) { return share }
    // Answers to the requests before, which have arrived together, may only wait to be sent.
    flush(context)
    return shared.server.requests.take(for: client)
  }

  // MARK: Sending

  private func send(
    _ found: Found,
    holding share: ClientLimit<Client>.Share,
    _ context: ChannelHandlerContext
  ) {
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { _ in withExtendedLifetime(share) {} }
    if let encoder, !isChunked {
      write(found.head.bytes, nil, encoder)
      if let bytes = found.bytes { write(bytes, sent, encoder) }
    } else {
      context.write(wrapOutboundOut(.head(found.head.response)), promise: nil)
      if let bytes = found.bytes { context.write(wrapOutboundOut(.body(bytes)), promise: sent) }
      isChunked = false
    }
    needsFlush = true
    if let file = found.file, let encoder {
      isSendingFile = true
      sent.futureResult.assumeIsolated().whenComplete { self.end($0, context) }
      file.send(through: encoder, sent)
      return flush(context)
    }
    // The last byte is in the body, if there is one; the end would take a write of its own for the promise.
    context.write(wrapOutboundOut(.end(nil)), promise: found.bytes == nil ? sent : nil)
  }

  /// Ends an answer when the last byte of its file has been sent, and goes on with the requests that have arrived.
  ///
  /// If it ended before, the connection would seem idle while a slow client reads, and be closed.
  private func end(_ result: Result<Void, any Error>, _ context: ChannelHandlerContext) {
    isSendingFile = false
    let parts = waiting
    waiting = []
    guard case .success = result else { return }
    context.write(wrapOutboundOut(.end(nil)), promise: nil)
    for part in parts { channelRead(context: context, data: part) }
    if !parts.isEmpty { channelReadComplete(context: context) }
    if isSendingFile { return }
    if needsRead {
      needsRead = false
      context.read()
    }
    if isHalfClosed {
      isHalfClosed = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
  }

  /// Tells that a client has closed its half of the connection only after a file has been sent.
  ///
  /// The routes would close the connection at once, and the rest of the file would be lost.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if isSendingFile, event as? ChannelEvent == .inputClosed {
      isHalfClosed = true
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  /// Reads no further requests while a file is sent.
  func read(context: ChannelHandlerContext) {
    if isSendingFile { needsRead = true } else { context.read() }
  }

  private func write(
    _ bytes: ByteBuffer,
    _ promise: EventLoopPromise<Void>?,
    _ encoder: ChannelHandlerContext
  ) {
    encoder.write(HTTPResponseEncoder.wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
  }

  private func flush(_ context: ChannelHandlerContext) {
    guard needsFlush else { return }
    needsFlush = false
    context.flush()
  }

  // MARK: Answers of the routes

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.kind == .informational: break
    case .head(let head):
      watched?.head = head
      if head.headerFields.contains(.connection) { isEnding = true }
      isChunked = !head.headerFields.contains(.contentLength)
    case .body(let piece):
      watched?.body = piece
      watched?.pieces += 1
    case .end(let fields):
      // An answer to bytes that are not a request belongs to no request that was handed on.
      open = max(0, open - 1)
      if let watched, fields == nil { keep(watched) }
      watched = nil
    }
    context.write(data, promise: promise)
  }

  private func keep(_ watched: Watched) {
    guard let head = watched.head, head.status == .ok || head.status == .notModified,
      !head.headerFields.contains(.setCookie)
    else { return }
    let (question, body) = (watched.question, watched.body)
    // The file of an original is sent again, and not its bytes.
    guard watched.pieces <= 1 || question.subject == .original else { return }
    guard let mark = watched.mark else {
      return shared.server.kept.keepAsset(head, body, for: question)
    }
    client.accept(question, by: shared.server.access)
    shared.server.kept.keep(head, body, for: question, at: mark)
  }
}
