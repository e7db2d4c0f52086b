import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Web

/// Tells a client that asks for it when to send the body (`Expect: 100-continue`, RFC 9110, section 10.1.1).
///
/// A request that is refused before its body is read gets only the final answer. Any other expectation gets 417.
struct ExpectationMiddleware: RouterMiddleware {
  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard let expectation = request.headers[.expect] else {
      return try await next(request, context)
    }
    guard expectation.lowercased() == "100-continue" else {
      throw WebProblem(status: 417, title: "Expectation failed")
    }
    var request = request
    request.body = RequestBody(asyncSequence: AwaitedBody(request.body, on: context.channel))
    return try await next(request, context)
  }
}

/// A body that the client sends when the server begins to read it.
private struct AwaitedBody: AsyncSequence {
  typealias Element = ByteBuffer

  private let body: RequestBody
  private let channel: any Channel

  init(_ body: RequestBody, on channel: any Channel) {
    (self.body, self.channel) = (body, channel)
  }

  func makeAsyncIterator() -> RequestBody.AsyncIterator {
    channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    return body.makeAsyncIterator()
  }
}
