/// Asks servers for documents and pictures.
///
/// Cancelling the calling task ends the transfer at any stage; the call then throws
/// `NetworkError.Reason.cancelled`.
package protocol Networking: Sendable {
  /// Asks for an address and answers when the final response's header has come; its body follows.
  func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse

  /// Asks for an address and answers when the whole body has come: for what is small.
  func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply
}
