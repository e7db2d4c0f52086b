import Workers

/// A transfer as a caller posts it to the loop.
///
/// It is a class, because it is passed on several times, and copying a request is expensive.
final class PostedTransfer: Sendable {
  let id: TransferID
  let request: NetworkRequest
  /// The host key of the request's address, computed here to save time of the loop.
  let host: String
  let receiver: TransferReceiver
  /// Whether the body is streamed.
  let isStreamed: Bool

  init(id: TransferID, request: NetworkRequest, receiver: TransferReceiver) {
    self.id = id
    self.request = request
    host = request.address.hostKey
    self.receiver = receiver
    isStreamed = if case .stream = receiver { true } else { false }
  }
}

/// The continuation of a caller that waits for an answer.
typealias Answering<Answer> = CheckedContinuation<Result<Answer, NetworkError>, Never>

/// The receiver of a transfer's answer.
enum TransferReceiver: Sendable {
  /// A caller that waits for the whole reply.
  case reply(Answering<NetworkReply>)
  /// A group that receives the whole reply, with its number.
  case numbered(Int, of: TransferGroup)
  /// A caller that waits for the header and then reads the body as it arrives.
  case stream(header: Answering<NetworkHeader>, buffer: BodyBuffer)

  /// Fails a transfer that has not delivered anything.
  func fail(_ error: NetworkError) {
    switch self {
    case .reply(let continuation):
      continuation.resume(returning: .failure(error))
    case .numbered(let number, let group):
      group.pass(number, .failure(error))
    case .stream(let continuation, let buffer):
      buffer.finish(.failure(error))
      continuation.resume(returning: .failure(error))
    }
  }
}
