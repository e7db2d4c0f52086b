import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOSSL

/// Puts a `KeptAnswerHandler` behind the handler that closes idle connections, when the first request arrives.
///
/// Hummingbird has no place for handlers there. A handler before it would answer requests on a connection that seems
/// idle, and so is closed.
final class KeptAnswerEntrance: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart

  private let shared: SharedServer
  private let logger: Logger

  init(_ shared: SharedServer, _ logger: Logger) { (self.shared, self.logger) = (shared, logger) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let pipeline = context.pipeline.syncOperations
    // A proxy sends the requests of many clients, about whom its fields tell.
    if !shared.server.settings.proxies.contains(context.channel.remoteAddress),
      let place = try? pipeline.handler(type: HTTPConnectionStateHandler.self)
    {
      try? pipeline.addHandler(handler(for: context.channel), position: .after(place))
    }
    context.fireChannelRead(data)
    pipeline.removeHandler(context: context, promise: nil)
  }

  private func handler(for channel: any Channel) -> KeptAnswerHandler {
    let connection = channel.isStream ? channel.parent : channel
    let known = try? connection?.pipeline.syncOperations.handler(type: KnownClient.self)
    let pipeline = channel.pipeline.syncOperations
    return KeptAnswerHandler(
      shared,
      known ?? KnownClient(),
      ClientAddress(channel.remoteAddress),
      logger,
      encoder: try? pipeline.context(handlerType: HTTPResponseEncoder.self),
      // Bytes have to be encrypted before they are sent.
      sendsFiles: (try? pipeline.handler(type: NIOSSLServerHandler.self)) == nil
    )
  }
}

/// The server, for the handlers of all connections; a copy of its value in each would be most of their memory.
final class SharedServer: Sendable {
  let server: GalleryServer

  init(_ server: GalleryServer) { self.server = server }
}
