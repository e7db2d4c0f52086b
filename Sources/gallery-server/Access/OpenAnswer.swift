import Hummingbird
import NIOCore
import NIOHTTPTypes
import Workers

/// An answer from the arrival of its request until the connection has sent its last byte.
///
/// It holds the client's share of the server for that long. Over HTTP/2 many answers wait in the memory of one
/// connection while the client reads none of them.
final class OpenAnswer: Sendable {
  private struct State {
    var shares: [any Sendable] = []
    var isInPieces = false
    /// Stops the work that is only for this client.
    var stop: (@Sendable () -> Void)?
    var isAbandoned = false
  }

  private let state = Locked(State())

  var holdsShare: Bool { state.withLock { !$0.shares.isEmpty } }

  /// Holds a share until the answer has been sent.
  func hold(_ share: some Sendable) { state.withLock { $0.shares.append(share) } }

  /// Gives the shares back before the answer has been sent.
  func release() { state.withLock { $0.shares = [] } }

  /// Whether its body is read while it is sent, so that only a piece of it waits in memory.
  var isInPieces: Bool { state.withLock { $0.isInPieces } }

  /// Notes that its body is read while it is sent.
  func goInPieces() { state.withLock { $0.isInPieces = true } }

  /// Does work that is only for this client; cancels it when the client leaves.
  func whileClientWaits<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    if state.withLock({ $0.isAbandoned }) { throw CancellationError() }
    let task = Task { try await work() }
    let isAbandoned = state.withLock { state in
      state.stop = { task.cancel() }
      return state.isAbandoned
    }
    if isAbandoned { task.cancel() }
    defer { state.withLock { $0.stop = nil } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Notes that the client has left.
  func abandon() {
    let stop = state.withLock { state in
      state.isAbandoned = true
      return state.stop
    }
    stop?()
  }
}

/// Keeps the open answer of a connection (HTTP/1.1) or of a stream (HTTP/2), and notices when the client leaves.
///
/// It receives the answer as an event before the answer's first part, if it has to know the answer: for a stream, and
/// for work that ends when the client leaves.
final class OpenAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = Any
  typealias OutboundIn = HTTPResponsePart

  private var answer: OpenAnswer?
  private var hasClientLeft = false

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext,
    event: Any,
    promise: EventLoopPromise<Void>?
  ) {
    guard let answer = event as? OpenAnswer else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    self.answer = answer
    if hasClientLeft { answer.abandon() }
    promise?.succeed(())
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data), let ended = answer else {
      return context.write(data, promise: promise)
    }
    // It succeeds when all bytes have gone to the client, which over HTTP/2 first has to allow that.
    let sent = promise ?? context.eventLoop.makePromise()
    sent.futureResult.assumeIsolated().whenComplete { [weak ended] _ in
      if let ended, self.answer === ended { self.answer = nil }
    }
    context.write(data, promise: sent)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { leave() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    answer = nil
    context.fireChannelInactive()
  }

  /// A client that closes its half of a connection has usually closed the other half too.
  private func leave() {
    hasClientLeft = true
    answer?.abandon()
  }
}
