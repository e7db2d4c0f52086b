import HTTPTypes
import Hummingbird
import NIOCore
import Web
import Workers

/// Counts what each client uses at once, such as requests in progress, or the bytes that wait for it.
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

  /// Counts more for a client, until the share is released; nil when the limit is reached.
  ///
  /// What is above a limit by itself is counted while the client, or all of them, use nothing else.
  func take(_ amount: Int = 1, for client: Client) -> Share? {
    let isFree = counts.withLock { counts in
      let count = counts.each[client, default: 0]
      guard fits(amount, count, each), fits(amount, counts.all, all) else { return false }
      counts.each[client] = count + amount
      counts.all += amount
      return true
    }
    return isFree ? Share(of: self, client, amount) : nil
  }

  private func fits(_ amount: Int, _ count: Int, _ limit: Int) -> Bool {
    count == 0 || count <= limit - min(amount, limit)
  }

  /// Counts more for a client.
  ///
  /// - Parameters:
  ///   - amount: How much.
  ///   - client: The client.
  ///   - things: The word for what is counted.
  ///   - seconds: After how many seconds the client may try again.
  /// - Returns: The share.
  /// - Throws: 429 when the client has reached its limit, 503 when all clients together have.
  func take(
    _ amount: Int = 1,
    for client: Client,
    orRefuse things: String,
    again seconds: Int
  ) throws(WebProblem) -> Share {
    if let share = take(amount, for: client) { return share }
    let isOfClient = counts.withLock { !fits(amount, $0.each[client, default: 0], each) }
    var problem = WebProblem(
      status: isOfClient ? 429 : 503,
      title: isOfClient ? "Too Many Requests" : "Not available now",
      detail: isOfClient
        ? "\(each) \(things) of this client wait or run" : "\(all) \(things) wait or run"
    )
    problem.retryAfter = seconds
    throw problem
  }

  private func give(back amount: Int, of client: Client) {
    counts.withLock { counts in
      guard let count = counts.each[client] else { return }
      counts.each[client] = count > amount ? count - amount : nil
      counts.all -= amount
    }
  }

  final class Share: Sendable {
    private let limit: ClientLimit
    private let client: Client
    private let amount: Int

    fileprivate init(of limit: ClientLimit, _ client: Client, _ amount: Int) {
      self.limit = limit
      self.client = client
      self.amount = amount
    }

    deinit { limit.give(back: amount, of: client) }
  }
}

/// Rejects more simultaneous requests of one client than `Limits.requestsPerClient` (429, RFC 6585, section 4), and of
/// all clients than `Limits.requests` (503), and likewise answers of more bytes that wait in memory for clients that do
/// not read them.
struct RequestLimitMiddleware: RouterMiddleware {
  let limit: ClientLimit<Client>
  let bytes: ClientLimit<Client>

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    context.answer.hold(
      try limit.take(for: context.client, orRefuse: "requests", again: Limits.requestRetrySeconds)
    )
    let response = try await next(request, context)
    let length = response.body.contentLength ?? Limits.fileChunk
    context.answer.hold(
      try bytes.take(
        context.answer.isInPieces ? min(length, Limits.fileChunk) : length,
        for: context.client,
        orRefuse: "bytes of answers",
        again: Limits.requestRetrySeconds
      )
    )
    return response
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
