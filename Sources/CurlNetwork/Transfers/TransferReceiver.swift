import Workers

/// The one answer that somebody waits for.
typealias Answering<Answer> = CheckedContinuation<Result<Answer, NetworkError>, Never>

/// Who waits for what of a transfer.
enum TransferReceiver: Sendable {
  /// For the whole of it.
  case reply(Answering<NetworkReply>)
  /// For the whole of it, as one of many.
  case numbered(Int, of: TransferGroup)
  /// For the header, and then for the body as it arrives.
  case stream(header: Answering<NetworkHeader>, buffer: BodyBuffer)

  /// Fails a transfer that has delivered nothing yet.
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
