import NIOCore

/// Closes a connection whose client takes nothing of an answer for `Limits.stalledSeconds`.
///
/// A client that reads slowly is waited for; the file that it reads is read no faster than it reads.
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
