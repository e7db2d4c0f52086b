import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL

/// Connections with TLS whose last frames are sent before they are closed.
///
/// Hummingbird closes a connection that is to end as soon as the end of its last stream has been written, and not
/// flushed: clients would see a stream that is cut.
struct FlushedConnection<Child: ServerChildChannel>: ServerChildChannel {
  let child: Child

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Child.Value> {
    let value = child.setup(channel: channel, logger: logger)
    do {
      let pipeline = channel.pipeline.syncOperations
      let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
      try pipeline.addHandler(FlushBeforeClose(), position: .after(tls))
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

/// Connections without TLS that keep little memory while they wait.
///
/// NIO keeps the buffer that it read the last request into, 2 KB of it. A longer request takes another read, and the
/// buffer of a connection with many grows.
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
