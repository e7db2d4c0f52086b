import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestSupport
import Testing

@testable import gallery_server

/// Answers that wait for their clients.
struct OpenAnswerTests {
  private let limit = ClientLimit<String>(each: 1)

  private func connection() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(handler: OpenAnswerHandler())
    try channel.connect(to: .init(unixDomainSocketPath: "/client")).wait()
    return channel
  }

  /// Begins an answer that holds the only share.
  private func begin(on channel: EmbeddedChannel) throws {
    let answer = OpenAnswer()
    answer.hold(try #require(limit.take(for: "reader")))
    channel.triggerUserOutboundEvent(answer, promise: nil)
  }

  @Test func `an answer holds its share until its last byte has been sent`() throws {
    let channel = try connection()
    try begin(on: channel)

    channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
    channel.write(HTTPResponsePart.end(nil), promise: nil)
    #expect(limit.count == 1)

    channel.flush()
    #expect(limit.count == 0)
  }

  @Test func `an answer that cannot be sent any more releases its share`() throws {
    let channel = try connection()
    try begin(on: channel)
    channel.write(HTTPResponsePart.end(nil), promise: nil)

    try channel.close().wait()
    channel.embeddedEventLoop.run()

    #expect(limit.count == 0)
  }

  @Test func `work for a client is cancelled when the client leaves`() async throws {
    let answer = OpenAnswer()
    let (begun, never) = (Gate(), Gate())
    let task = Task {
      try await answer.whileClientWaits {
        begun.open()
        await withTaskCancellationHandler {
          await never.passed()
        } onCancel: {
          never.open()
        }
        try Task.checkCancellation()
      }
    }

    await begun.passed()
    answer.abandon()

    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `work for a client that has closed its side does not begin`() async throws {
    let answer = OpenAnswer()
    try closeSide(during: answer)

    await #expect(throws: CancellationError.self) {
      try await answer.whileClientWaits { Issue.record("the work began") }
    }
  }

  private func closeSide(during answer: OpenAnswer) throws {
    let channel = try connection()
    channel.triggerUserOutboundEvent(answer, promise: nil)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
  }
}
