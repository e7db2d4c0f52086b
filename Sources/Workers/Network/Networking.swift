/// Takes the answer to a request of a group, by the number that it was asked under.
package typealias FetchAnswer = @Sendable (Int, Result<NetworkReply, NetworkError>) -> Void

/// Asks servers for documents and pictures.
///
/// Cancelling the calling task ends the transfer at any stage; the call then throws
/// `NetworkError.Reason.cancelled`.
package protocol Networking: Sendable {
  /// Asks for an address and answers when the final response's header has come; its body follows.
  func open(_ request: NetworkRequest) async throws(NetworkError) -> NetworkResponse

  /// Asks for an address and answers when the whole body has come: for what is small.
  func fetch(_ request: NetworkRequest) async throws(NetworkError) -> NetworkReply

  /// A group of requests that are answered as by `fetch`.
  ///
  /// - Parameter answer: Is called on a thread of the network's, and may not keep it waiting.
  /// - Returns: The group; nothing has been asked yet.
  func group(_ answer: @escaping FetchAnswer) async -> any FetchGroup
}
