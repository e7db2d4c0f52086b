import Hummingbird
import Web
import Workers

/// Counts the requests of each client that are being answered, so that one client cannot take all of the server.
final class BusyClients: Sendable {
  struct Client: Hashable {
    var token: String
    /// The IP address; nil for a socket in the file system.
    var address: String?
  }

  private let counts = Locked<[Client: Int]>([:])

  /// Counts one more request until its visit is released, which an answer's body holds while it is written.
  ///
  /// - Throws: a problem with status 429 (RFC 6585, section 4) when the client has `Limits.requestsPerClient` already.
  func enter(_ client: Client) throws(WebProblem) -> Visit {
    let isFree = counts.withLock { counts in
      let count = counts[client, default: 0]
      guard count < Limits.requestsPerClient else { return false }
      counts[client] = count + 1
      return true
    }
    guard isFree else {
      throw WebProblem(
        status: 429,
        title: "Too Many Requests",
        detail: "\(Limits.requestsPerClient) requests of this client are being answered"
      )
    }
    return Visit(client, self)
  }

  fileprivate func leave(_ client: Client) {
    counts.withLock { counts in
      guard let count = counts[client] else { return }
      counts[client] = count > 1 ? count - 1 : nil
    }
  }

  /// A request that is being answered, until the last reference goes.
  final class Visit: Sendable {
    private let client: Client
    private let clients: BusyClients

    fileprivate init(_ client: Client, _ clients: BusyClients) {
      self.client = client
      self.clients = clients
    }

    deinit { clients.leave(client) }

    /// The answer, which holds the visit while its body is written; a short body is written at once.
    func holding(_ response: Response) -> Response {
      if let length = response.body.contentLength, length <= Limits.fileChunk { return response }
      var response = response
      let body = response.body
      response.body = ResponseBody(contentLength: body.contentLength) { writer in
        defer { withExtendedLifetime(self) {} }
        try await body.write(writer)
      }
      return response
    }
  }
}
