import FoundationEssentials
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import Web
import Workers

/// The facts that routes need about a request, in addition to the request itself.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The rights of the request; it has no rights before `AccessMiddleware` sets them.
  var access = Access(name: "", isAdmin: false)
  let clientAddress: ClientAddress
  /// The connection.
  let channel: any Channel
  /// The event loop of the connection.
  var eventLoop: any EventLoop
  /// The answer to the request.
  let answer = OpenAnswer()

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
    eventLoop = source.channel.eventLoop
    clientAddress = ClientAddress(source.channel.remoteAddress)
  }

  var client: Client { Client(token: access.name, address: clientAddress) }

  /// Rejects a token that is limited to a part of the library; used for answers about the whole library.
  func requireWholeLibrary() throws(WebProblem) {
    guard access.part.isWhole else {
      throw .forbidden("the token is limited to a part of the library")
    }
  }

  /// Rejects a request that may not change the library.
  func requireAdmin() throws(WebProblem) {
    guard access.isAdmin else {
      throw .forbidden("the token may read the library, but not change it")
    }
  }
}

extension Channel {
  /// Whether it is a stream of HTTP/2, whose parent is a connection.
  ///
  /// The parent of a connection is a listening socket.
  var isStream: Bool { parent?.parent != nil }
}

extension WebProblem {
  fileprivate static func forbidden(_ detail: String) -> WebProblem {
    WebProblem(status: 403, title: "Forbidden", detail: detail)
  }
}

/// Rejects requests for a host name that is not this server's.
///
/// Otherwise a stranger's page whose name leads to this machine would have the same origin (DNS rebinding).
struct HostMiddleware: RouterMiddleware {
  /// Additional host names to those of the loopback interface, in lower case.
  let hosts: Set<String>
  /// The requests that hubs may make; nil when hubs do not reach the server.
  let hubs: HubEntrance?

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard namesOneHost(request, context) else {
      throw WebProblem.misused("the request names its host more than once")
    }
    guard let authority = request.head.authority,
      isKnown(authority) || hubs?.leads(request) == true
    else {
      throw WebProblem(
        status: 421,
        title: "Misdirected request",
        detail: "this server has another host name; --host NAME allows one"
      )
    }
    return try await next(request, context)
  }

  /// Whether the authority is the only host that the request names (RFC 9112, section 3.2).
  ///
  /// HTTP/1.1 has taken the first field as the authority. A stream of HTTP/2 may repeat its authority in a field (RFC
  /// 9113, section 8.3.1).
  private func namesOneHost(_ request: Request, _ context: ServerContext) -> Bool {
    request.headers[values: .furtherHost].allSatisfy { field in
      context.channel.isStream && field == request.head.authority
    }
  }

  private func isKnown(_ authority: String) -> Bool {
    guard let host = Self.host(of: authority) else { return false }
    return ["127.0.0.1", "[::1]", "localhost"].contains(host) || host.hasSuffix(".localhost")
      || hosts.contains(host)
  }

  /// The host in lower case, without its port (RFC 3986, section 3.2); nil when anything else follows the host.
  fileprivate static func host(of authority: String) -> String? {
    let bracket = authority.firstIndex(of: "]").map(authority.index(after:))
    let end = authority.hasPrefix("[") ? bracket : authority.firstIndex(of: ":")
    let host = authority[..<(end ?? authority.endIndex)]
    let rest = authority[host.endIndex...]
    let isPort = rest.first == ":" && rest.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    return rest.isEmpty || isPort ? host.lowercased() : nil
  }
}

/// The requests that hubs may make without a token: below one path, and only by the public name.
struct HubEntrance: Sendable {
  /// The common beginning of the paths of all callbacks.
  let path: String
  /// The host name, in lower case.
  let host: String

  func leads(_ request: Request) -> Bool {
    guard request.uri.path.hasPrefix(path), let authority = request.head.authority else {
      return false
    }
    return HostMiddleware.host(of: authority) == host
  }
}

/// Rejects changes that a page of another origin requests.
///
/// It checks `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), or else `Origin`. Programs other than browsers
/// send neither field, and have no cookie.
struct OriginMiddleware: RouterMiddleware {
  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let isSafe = [.get, .head, .options].contains(request.method)
    guard isSafe || isOfSameOrigin(request) else {
      throw WebProblem.forbidden("another site asks for a change")
    }
    return try await next(request, context)
  }

  private func isOfSameOrigin(_ request: Request) -> Bool {
    if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
    guard let origin = request.headers[.origin] else { return true }
    // A proxy in front of this server may speak TLS.
    return ["http", "https"].contains { origin == "\($0)://\(request.head.authority ?? "")" }
  }
}

/// Rejects requests without a valid token, except to `/healthz` and from hubs.
///
/// The token is in `Authorization` (Bearer, or Basic with the token as the password). A browser has instead the cookie
/// of a session that it got for an address with `?token=`.
struct AccessMiddleware: RouterMiddleware {
  let tokens: AccessTokens
  let serverToken: String
  let basePath: String
  /// The requests that hubs may make without a token; nil when hubs do not reach the server.
  let hubs: HubEntrance?
  private let failures = FailedTries()
  private let sessions: BrowserSessions

  init(
    tokens: AccessTokens,
    serverToken: String,
    basePath: String,
    isSecure: Bool,
    hubs: HubEntrance?
  ) {
    (self.tokens, self.serverToken) = (tokens, serverToken)
    (self.basePath, self.hubs) = (basePath, hubs)
    sessions = BrowserSessions(
      serverToken: serverToken,
      path: basePath.isEmpty ? "/" : basePath,
      isSecure: isSecure
    )
  }

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    if request.uri.path == "\(basePath)/healthz" || hubs?.leads(request) == true {
      return try await next(request, context)
    }
    if request.method == .get, let token = parameterToken(of: request) {
      return try await welcome(token, request)
    }
    var context = context
    if let token = headerToken(of: request) {
      context.access = try await access(for: token)
      return try await next(request, context)
    }
    guard let session = sessions.session(in: request) else { throw Self.unauthorized }
    let (access, renewed) = try await openSession(session)
    context.access = access
    var response = try await next(request, context)
    if let renewed { response.headers[.setCookie] = renewed }
    return response
  }

  /// The rights of a session, and a new cookie if the session is old.
  private func openSession(_ session: String) async throws -> (Access, cookie: String?) {
    let now = Date()
    guard let open = sessions.open(session, now: now),
      let access = tokens.access(forTokenWithHash: open.tokenHash, server: serverToken, now: now)
    else {
      try await failures.note()
      throw Self.unauthorized
    }
    return (access, open.isOld ? sessions.cookie(forTokenWithHash: open.tokenHash, now: now) : nil)
  }

  private func access(for token: String) async throws -> Access {
    if let access = tokens.access(for: token, server: serverToken, now: Date()) { return access }
    try await failures.note()
    throw Self.unauthorized
  }

  static let unauthorized = WebProblem(
    status: 401,
    title: "Unauthorized",
    detail: "open the address that 'gallery serve' has printed, or send a token"
  )

  // MARK: Finding the token

  private func parameterToken(of request: Request) -> String? {
    guard let query = request.uri.query, query.contains("token=") else { return nil }
    return PercentEncoding.parameters(query)["token"]
  }

  private func headerToken(of request: Request) -> String? {
    guard let field = request.headers[.authorization] else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "bearer": return String(parts[1])
    case "basic":
      let text = Data(base64Encoded: String(parts[1])).map { String(decoding: $0, as: UTF8.self) }
      return text?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last
        .map(String.init)
    default: return nil
    }
  }

  // MARK: The first visit

  /// Sets a cookie with a new session, and redirects to the same address without it, so that the token is not in the
  /// history.
  private func welcome(_ token: String, _ request: Request) async throws -> Response {
    _ = try await access(for: token)
    var parameters = PercentEncoding.parameters(request.uri.query ?? "")
    parameters["token"] = nil
    let query = parameters.sorted { $0.key < $1.key }
      .map { "\($0.key)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    var response = Response(status: .seeOther)
    // Two slashes at the beginning would mean another host (RFC 3986, section 4.2). Browsers read a backslash like a
    // slash, and skip tabs (URL Standard, section 4.4).
    let path = "/" + request.uri.path.drop { $0 == "/" || $0 == "\\" || $0.isWhitespace }
    response.headers[.location] = path + (query.isEmpty ? "" : "?\(query)")
    response.headers[.cacheControl] = "no-store"
    if let hash = try? AccessTokens.hash(of: token) {
      response.headers[.setCookie] = sessions.cookie(forTokenWithHash: hash, now: Date())
    }
    return response
  }
}

/// Slows down guesses: after a few failures within a minute, each further failure waits for a second.
private final class FailedTries: Sendable {
  private let times = Locked<[ContinuousClock.Instant]>([])

  func note() async throws {
    let now = ContinuousClock.now
    let count = times.withLock { times in
      times.removeAll { now - $0 > .seconds(60) }
      if times.count <= Limits.failedTries { times.append(now) }
      return times.count
    }
    if count > Limits.failedTries { try await Task.sleep(for: .seconds(1)) }
  }
}
