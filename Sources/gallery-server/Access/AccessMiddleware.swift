import FoundationEssentials
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import Web
import Workers

/// Rejects requests without a valid token, except those that reveal nothing about the library, and those of hubs.
///
/// The token is in `Authorization` (Bearer, or Basic with the token as the password), or in the address. A browser has
/// instead the cookie of a session that it got for the address of a page with `?token=`, or a trusted proxy has logged
/// the person in.
struct AccessMiddleware: RouterMiddleware {
  /// The parameter with a token of `FeedTokens`.
  static let feedParameter = "feed_token"

  let tokens: AccessTokens
  let serverToken: String
  let basePath: String
  /// The requests that hubs may make without a token; nil when hubs do not reach the server.
  let hubs: HubEntrance?
  private let failures = FailedTries()
  private let sessions: BrowserSessions
  private let feedTokens: FeedTokens

  init(tokens: AccessTokens, serverToken: String, basePath: String, hubs: HubEntrance?) {
    (self.tokens, self.serverToken) = (tokens, serverToken)
    (self.basePath, self.hubs) = (basePath, hubs)
    sessions = BrowserSessions(serverToken: serverToken)
    feedTokens = FeedTokens(serverToken: serverToken)
  }

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    if isForAll(request) || hubs?.leads(request, context) == true {
      return try await next(request, context)
    }
    var context = context
    if let token = addressToken(of: request, context) {
      if case .whole(let token) = token, request.method == .get,
        !request.isForPrograms(below: basePath)
      {
        return try await welcome(token, request, context)
      }
      try await open(token, &context)
      return sharing(try await next(request, context), request)
    }
    if let user = context.reach.user, !user.isEmpty {
      context.access = try access(forUser: user)
      return try await next(request, context)
    }
    if let token = headerToken(of: request) {
      context.access = try await access(for: token)
      let response = try await next(request, context)
      // Programs other than browsers need none of these fields, and browsers name the origin of a script.
      let isOfScript = request.headers[.origin] != nil
      let isForViewers = request.uri.path.hasPrefix("\(basePath)/iiif/")
      return isOfScript || isForViewers ? sharing(response, request) : response
    }
    guard let session = sessions.session(in: request) else { throw Self.unauthorized }
    let open = try await openSession(session)
    context.access = open.access
    var response = try await next(request, context)
    if let hash = open.renewedHash { response.headers[.setCookie] = cookie(hash, context) }
    return response
  }

  /// Whether everyone may have the answer: that the server runs, or the scripts, styles and icons of its pages.
  private func isForAll(_ request: Request) -> Bool {
    let path = request.uri.path
    return path == "\(basePath)/healthz" || path.hasPrefix("\(basePath)/assets/")
  }

  /// Lets pages of other origins read the answer to a request that has a token itself.
  ///
  /// An answer because of a cookie, or because of a proxy's login, is only for the pages of this server.
  private func sharing(_ response: Response, _ request: Request) -> Response {
    guard request.isForPrograms(below: basePath) else { return response }
    var response = response
    response.headers[.accessControlAllowOrigin] = "*"
    response.headers[.accessControlExposeHeaders] =
      "Accept-Ranges, Content-Length, Content-Range, ETag, Link"
    response.headers[.crossOriginResourcePolicy] = "cross-origin"
    return response
  }

  /// The rights of a session, and the hash of its token if the browser should get a new cookie.
  private func openSession(_ session: String) async throws -> (access: Access, renewedHash: String?)
  {
    let now = Date()
    guard let open = sessions.open(session, now: now),
      let access = tokens.access(forTokenWithHash: open.tokenHash, server: serverToken, now: now)
    else {
      try await failures.note()
      throw Self.unauthorized
    }
    return (access, open.isOld ? open.tokenHash : nil)
  }

  /// The rights that the fields of a request give to it and to later ones with the same fields; nil when they give
  /// none, or only to a part of the library, and when the answer has more than the picture.
  ///
  /// It looks up the token without a task, and does not count failures. So only requests that `handle` has let through
  /// may look for named tokens, which are in a file.
  ///
  /// - Parameters:
  ///   - head: The head of the request.
  ///   - now: The current time.
  ///   - isStranger: Whether `handle` has not let the request through: then only the server's own token counts.
  /// - Returns: The rights.
  func standing(of head: HTTPRequest, now: Date, isStranger: Bool = false) -> Standing? {
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    // Before the tokens are read: a change meanwhile ends the standing.
    let version = tokens.namedVersion
    var (hash, end): (String?, Date?)
    if let token = headerToken(of: request) {
      hash = try? AccessTokens.hash(of: token)
    } else if let session = sessions.session(in: request),
      let open = sessions.open(session, now: now), !open.isOld
    {
      (hash, end) = (open.tokenHash, sessions.renewal(of: session))
    }
    guard let hash, !isStranger || hash == (try? AccessTokens.hash(of: serverToken)),
      let access = tokens.access(forTokenWithHash: hash, server: serverToken, now: now),
      access.part.isWhole
    else { return nil }
    if let expires = tokens.end(of: access) { end = min(end ?? expires, expires) }
    return Standing(
      name: access.name,
      end: end,
      tokens: access.tokenHash == nil ? nil : (tokens, version)
    )
  }

  private func access(for token: String) async throws -> Access {
    if let access = tokens.access(for: token, server: serverToken, now: Date()) { return access }
    try await failures.note()
    throw Self.unauthorized
  }

  /// The rights of a person whom a trusted proxy has logged in: those of the token with the person's name.
  private func access(forUser user: String) throws(WebProblem) -> Access {
    if let access = tokens.access(forUser: user, now: Date()) { return access }
    throw .forbidden("no token has the name '\(user)'; 'gallery token add \(user)' makes one")
  }

  static let unauthorized = WebProblem(
    status: 401,
    title: "Unauthorized",
    detail: "open the address that 'gallery serve' has printed, or send a token"
  )

  // MARK: Tokens in addresses

  private enum AddressToken {
    /// The server's token, or a named one.
    case whole(String)
    case feed(String)
  }

  private func addressToken(of request: Request, _ context: ServerContext) -> AddressToken? {
    guard [.get, .head].contains(request.method) else { return nil }
    if let token = context.pathToken { return token.contains(".") ? .feed(token) : .whole(token) }
    guard let query = request.uri.query, query.contains("token=") else { return nil }
    let parameters = PercentEncoding.parameters(query)
    return parameters["token"].map { .whole($0) }
      ?? parameters[Self.feedParameter].map { .feed($0) }
  }

  /// Opens what a token in an address opens: never changes, and in the answer only addresses that read the same part.
  private func open(_ token: AddressToken, _ context: inout ServerContext) async throws {
    switch token {
    case .whole(let token):
      context.access = try await access(for: token)
      context.access.isAdmin = false
      context.addressParent = try? AccessTokens.hash(of: token)
      context.feedToken = context.addressParent.flatMap {
        feedTokens.token(for: context.access.part, parent: $0)
      }
    case .feed(let token):
      guard let access = tokens.access(forFeedToken: token, server: serverToken, now: Date()) else {
        try await failures.note()
        throw Self.unauthorized
      }
      (context.access, context.feedToken) = (access, token)
    }
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
  private func welcome(
    _ token: String,
    _ request: Request,
    _ context: ServerContext
  ) async throws -> Response {
    _ = try await access(for: token)
    var parameters = PercentEncoding.parameters(request.uri.query ?? "")
    parameters["token"] = nil
    let query = parameters.sorted { $0.key < $1.key }
      .map { "\($0.key)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    var response = Response(status: .seeOther)
    let path = context.reach.path(of: request, below: basePath)
    response.headers[.location] = path + (query.isEmpty ? "" : "?\(query)")
    response.headers[.cacheControl] = "no-store"
    if let hash = try? AccessTokens.hash(of: token) {
      response.headers[.setCookie] = cookie(hash, context)
    }
    return response
  }

  private func cookie(_ hash: String, _ context: ServerContext) -> String? {
    let path = context.reach.pagePath
    return sessions.cookie(
      forTokenWithHash: hash,
      path: path.isEmpty ? "/" : path,
      isSecure: context.reach.isSecure,
      now: Date()
    )
  }
}

/// The rights of a client that sees the whole library, as long as its token stays valid.
struct Standing {
  /// The name of its token.
  let name: String
  /// When the token ends, or the browser gets a new session; nil for never.
  fileprivate let end: Date?
  /// The named tokens, in the version that has its token; nil for the server's own token, which never changes.
  fileprivate let tokens: (AccessTokens, AccessTokens.FileVersion?)?

  func lasts(until now: Date) -> Bool {
    if let end, now >= end { return false }
    return tokens.map { tokens, version in tokens.namedVersion == version } ?? true
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
