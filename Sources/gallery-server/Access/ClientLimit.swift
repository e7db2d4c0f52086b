import HTTPTypes
import Hummingbird
import NIOCore
import Web
import Workers

/// Counts what each client uses at once, such as requests in progress.
///
/// So one client cannot use up the whole server.
final class ClientLimit<Client: Hashable & Sendable>: Sendable {
  private let each: Int
  private let all: Int
  private let counts = Locked(Counts())

  private struct Counts {
    var each: [Client: Int] = [:]
    var all = 0
  }

  /// - Parameters:
  ///   - each: The maximum for one client.
  ///   - all: The maximum for all clients together.
  init(each: Int, all: Int = .max) {
    self.each = each
    self.all = all
  }

  /// The number that all clients use together.
  var count: Int { counts.withLock { $0.all } }

  /// Counts one more for a client, until the share is released; nil when the limit is reached.
  func take(for client: Client) -> Share? {
    let isFree = counts.withLock { counts in
      let count = counts.each[client, default: 0]
      guard count < each, counts.all < all else { return false }
      counts.each[client] = count + 1
      counts.all += 1
      return true
    }
    return isFree ? Share(of: self, client) : nil
  }

  /// Counts one more for a client.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - things: The word for what is counted.
  ///   - seconds: After how many seconds the client may try again.
  /// - Returns: The share.
  /// - Throws: 429 when the client has reached its limit, 503 when all clients together have.
  func take(
    for client: Client,
    orRefuse things: String,
    again seconds: Int
  ) throws(WebProblem) -> Share {
    if let share = take(for: client) { return share }
    let isOfClient = counts.withLock { $0.each[client, default: 0] >= each }
    var problem = WebProblem(
      status: isOfClient ? 429 : 503,
      title: isOfClient ? "Too Many Requests" : "Not available now",
      detail: isOfClient
        ? "\(each) \(things) of this client wait or run" : "\(all) \(things) wait or run"
    )
    problem.retryAfter = seconds
    throw problem
  }

  private func give(back client: Client) {
    counts.withLock { counts in
      guard let count = counts.each[client] else { return }
      counts.each[client] = count > 1 ? count - 1 : nil
      counts.all -= 1
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

/// Rejects more simultaneous requests of one client than `Limits.requestsPerClient` (429, RFC 6585, section 4), and of
/// all clients than `Limits.requests` (503).
struct RequestLimitMiddleware: RouterMiddleware {
  let limit: ClientLimit<Client>

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    context.answer.hold(
      try limit.take(for: context.client, orRefuse: "requests", again: Limits.requestRetrySeconds)
    )
    return try await next(request, context)
  }
}

/// Keeps answers without a share cheap, such as 401 and 429.
///
/// Over HTTP/2, they count for the address, up to `Limits.requestsPerClient`, until the client has received them; one
/// more closes the connection. Over HTTP/1.1, a connection ends after a 429 or 503, because hundreds of further requests
/// may already wait on it (RFC 9112, section 9.6).
struct RefusalLimitMiddleware: RouterMiddleware {
  private let limit = ClientLimit<ClientAddress>(
    each: Limits.requestsPerClient,
    all: Limits.requests
  )

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let response = try await next(request, context)
    if response.status.kind == .successful || context.answer.holdsShare { return response }
    guard context.channel.isStream else { return ending(response) }
    if let share = limit.take(for: context.clientAddress) {
      context.answer.hold(share)
    } else {
      context.channel.parent?.close(promise: nil)
    }
    return response
  }

  private func ending(_ response: Response) -> Response {
    guard [.tooManyRequests, .serviceUnavailable].contains(response.status) else { return response }
    var response = response
    response.headers[.connection] = "close"
    return response
  }
}

/// A client, identified by its token and its address.
struct Client: Hashable, Sendable {
  /// The name of the token; empty without one.
  var token: String
  var address: ClientAddress
}

/// The address of a client; all addresses of a network with IPv6 count as one, because they have one owner.
enum ClientAddress: Hashable, Sendable {
  /// A socket in the file system.
  case local
  /// An IPv4 address, or the first 64 bits of an IPv6 address.
  case network([UInt8])

  init(_ address: SocketAddress?) {
    self = address?.ipBytes.map { Self(bytes: $0) } ?? .local
  }

  /// The client with an IP address of 4 or 16 bytes.
  init(bytes: [UInt8]) { self = .network(bytes.count == 16 ? Array(bytes[..<8]) : bytes) }
}
