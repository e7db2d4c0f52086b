import Hummingbird
import Web
import Workers

/// Counts what each client uses at once, such as requests in progress.
///
/// So one client cannot use up the whole server.
final class ClientLimit<Client: Hashable & Sendable>: Sendable {
  private let each: Int
  private let all: Int
  private let counts = Locked<[Client: Int]>([:])

  /// - Parameters:
  ///   - each: The maximum for one client.
  ///   - all: The maximum for all clients together.
  init(each: Int, all: Int = .max) {
    self.each = each
    self.all = all
  }

  /// The number that all clients use together.
  var count: Int { counts.withLock { $0.values.reduce(0, +) } }

  /// Counts one more for a client, until the share is released; nil when the limit is reached.
  func take(for client: Client) -> Share? {
    let isFree = counts.withLock { counts in
      let count = counts[client, default: 0]
      guard count < each, all == .max || counts.values.reduce(0, +) < all else { return false }
      counts[client] = count + 1
      return true
    }
    return isFree ? Share(of: self, client) : nil
  }

  private func give(back client: Client) {
    counts.withLock { counts in
      guard let count = counts[client] else { return }
      counts[client] = count > 1 ? count - 1 : nil
    }
  }

  final class Share: Sendable {
    private let limit: ClientLimit
    private let client: Client

    fileprivate init(of limit: ClientLimit, _ client: Client) {
      self.limit = limit
      self.client = client
    }

    deinit { limit.give(back: client) }
  }
}

/// Rejects more simultaneous requests of one client than `Limits.requestsPerClient` (429, RFC 6585, section 4).
struct RequestLimitMiddleware: RouterMiddleware {
  private struct Client: Hashable {
    var token: String
    /// The IP address; nil for a socket in the file system.
    var address: String?
  }

  private let limit = ClientLimit<Client>(each: Limits.requestsPerClient)

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let client = Client(token: context.access.name, address: context.clientAddress)
    guard let share = limit.take(for: client) else {
      throw WebProblem(
        status: 429,
        title: "Too Many Requests",
        detail: "\(Limits.requestsPerClient) requests of this client are being answered"
      )
    }
    var response = try await next(request, context)
    // A short body is written at once; a long body holds the share until it is written.
    if let length = response.body.contentLength, length <= Limits.fileChunk { return response }
    let body = response.body
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      defer { withExtendedLifetime(share) {} }
      try await body.write(writer)
    }
    return response
  }
}
