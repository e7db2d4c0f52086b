import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// What a connection shows about its client; the streams of a connection (HTTP/2) share it.
///
/// It is a handler only so that streams find it in the pipeline of their connection.
final class KnownClient: ChannelOutboundHandler {
  typealias OutboundIn = Never

  /// The last credentials with which the routes have given out a picture, and the rights that these give.
  private var accepted: (credentials: PictureQuestion.Credentials, standing: Standing)?

  /// The rights of a request that the routes would accept; nil when they have to look.
  func standing(of question: PictureQuestion, now: Date) -> Standing? {
    guard let accepted, accepted.credentials == question.credentials,
      accepted.standing.lasts(until: now)
    else { return nil }
    return accepted.standing
  }

  /// Notes that the routes have given out a picture.
  func accept(_ question: PictureQuestion, by access: AccessMiddleware) {
    let now = Date()
    if standing(of: question, now: now) != nil { return }
    accepted = access.standing(of: question.head, now: now).map { (question.credentials, $0) }
  }

  /// The rights of a client that shows the server's own token, or a session of it, before the routes have seen it; nil
  /// for any other client.
  func introduce(
    _ question: PictureQuestion,
    to server: GalleryServer,
    on channel: any Channel,
    now: Date
  ) -> Standing? {
    guard server.hosts.isKnown(question.credentials.host),
      let standing = server.access.standing(of: question.head, now: now, isStranger: true),
      server.connections.note(standing.name, on: channel)
    else { return nil }
    accepted = (question.credentials, standing)
    return standing
  }
}

/// Answers requests for kept pictures on the event loop of the connection, without a task.
///
/// The routes answer the first request of a connection, with all of their checks, unless it has the server's own token. A
/// later request with the same host and token differs only in its picture, as long as the token stays valid. All other
/// requests are handed on, and all that arrive before the answers to these have ended.
final class KeptPictureHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// A request that the routes answer, and whose answer may be kept.
  private struct Watched {
    let question: PictureQuestion
    let mark: Int
    var head: HTTPResponse?
    var body = ByteBuffer()
    var pieces = 0
  }

  private let server: GalleryServer
  private let client: KnownClient
  private let address: ClientAddress
  private let logger: Logger
  /// A request whose end has not arrived.
  private var held: PictureQuestion?
  /// The number of requests that were handed on and whose answers have not ended.
  private var open = 0
  /// The first of them.
  private var watched: Watched?
  /// Whether the connection ends after an answer of the routes.
  private var isEnding = false
  private var needsFlush = false

  init(_ server: GalleryServer, _ client: KnownClient, _ address: ClientAddress, _ logger: Logger) {
    (self.server, self.client) = (server, client)
    (self.address, self.logger) = (address, logger)
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      if open == 0, !isEnding, held == nil,
        let question = PictureQuestion(head, below: server.kept.prefix)
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
    // Before the routes read the library: an answer that a change overtakes is not sent again.
    watched = server.kept.mark.map { Watched(question: question, mark: $0) }
    context.fireChannelRead(wrapInboundOut(.head(question.head)))
  }

  // MARK: Kept answers

  /// Answers a request; false when the routes have to.
  private func answer(_ question: PictureQuestion, _ context: ChannelHandlerContext) -> Bool {
    // A client that sends requests and reads no answers waits for the routes, which read only as fast as it does.
    if !context.channel.isWritable { flush(context) }
    let now = Date()
    guard context.channel.isWritable, let mark = server.kept.mark,
      let standing = client.standing(of: question, now: now)
        ?? client.introduce(question, to: server, on: context.channel, now: now),
      let answer = server.kept.answer(to: question, at: mark, now: now),
      let share = share(for: Client(token: standing.name, address: address), context)
    else { return false }
    server.metrics.note(
      status: answer.head.status.code,
      of: question.head.method,
      question.path,
      since: question.start,
      logger
    )
    send(answer, holding: share, context)
    return true
  }

  /// A share of the server for a client; nil when it has none left.
  private func share(
    for client: Client,
    _ context: ChannelHandlerContext
  ) -> ClientLimit<Client>.Share? {
    if let share = server.requests.take(for: client) { return share }
    // Answers to the requests before, which have arrived together, may only wait to be sent.
    flush(context)
    return server.requests.take(for: client)
  }

  private func send(
    _ answer: KeptPictures.Answer,
    holding share: ClientLimit<Client>.Share,
    _ context: ChannelHandlerContext
  ) {
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { _ in withExtendedLifetime(share) {} }
    context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
    // The last byte is in the body, if there is one; the end would take a write of its own for the promise.
    if let body = answer.body { context.write(wrapOutboundOut(.body(body)), promise: sent) }
    context.write(wrapOutboundOut(.end(nil)), promise: answer.body == nil ? sent : nil)
    needsFlush = true
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
    guard let head = watched.head, watched.pieces <= 1,
      head.status == .ok || head.status == .notModified,
      !head.headerFields.contains(.setCookie)
    else { return }
    client.accept(watched.question, by: server.access)
    server.kept.keep(head, watched.body, for: watched.question, at: watched.mark)
  }
}

/// Puts a `KeptPictureHandler` behind the handler that closes idle connections, when the first request arrives.
///
/// Hummingbird has no place for handlers there. A handler before it would answer requests on a connection that seems
/// idle, and so is closed.
final class KeptPictureEntrance: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart

  private let server: GalleryServer
  private let logger: Logger

  init(_ server: GalleryServer, _ logger: Logger) { (self.server, self.logger) = (server, logger) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let pipeline = context.pipeline.syncOperations
    // A proxy sends the requests of many clients, about whom its fields tell.
    if !server.settings.proxies.contains(context.channel.remoteAddress),
      let place = try? pipeline.handler(type: HTTPConnectionStateHandler.self)
    {
      try? pipeline.addHandler(handler(for: context.channel), position: .after(place))
    }
    context.fireChannelRead(data)
    pipeline.removeHandler(context: context, promise: nil)
  }

  private func handler(for channel: any Channel) -> KeptPictureHandler {
    let connection = channel.isStream ? channel.parent : channel
    let known = try? connection?.pipeline.syncOperations.handler(type: KnownClient.self)
    return KeptPictureHandler(
      server,
      known ?? KnownClient(),
      ClientAddress(channel.remoteAddress),
      logger
    )
  }
}
