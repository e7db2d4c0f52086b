import Workers

/// A transfer as the client posts it to the loop.
///
/// An object, because it goes through several hands, and a request has many parts to copy.
final class TransferOrder: Sendable {
  let id: TransferID
  let request: NetworkRequest
  let receiver: TransferReceiver

  init(id: TransferID, request: NetworkRequest, receiver: TransferReceiver) {
    self.id = id
    self.request = request
    self.receiver = receiver
  }
}
