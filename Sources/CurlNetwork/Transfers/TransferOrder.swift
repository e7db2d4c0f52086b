import Workers

/// A transfer as the client posts it to the loop.
///
/// An object, because it goes through several hands, and a request has many parts to copy.
final class TransferOrder: Sendable {
  let id: TransferID
  let request: NetworkRequest
  /// Whom it asks first: found out by whoever makes the order, since the loop has enough to do.
  let host: String
  let receiver: TransferReceiver
  /// Whether somebody takes the body as it comes.
  let isStreamed: Bool

  init(id: TransferID, request: NetworkRequest, receiver: TransferReceiver) {
    self.id = id
    self.request = request
    host = request.address.hostKey
    self.receiver = receiver
    isStreamed = if case .stream = receiver { true } else { false }
  }
}
