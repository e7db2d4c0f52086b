import Foundation
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import Web
import Workers

/// What routes know of a request beside the request itself.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// What the request may do; none before `AccessMiddleware`.
  var access = Access(name: "", isAdmin: false)
  /// The client's IP address; nil for a socket in the file system.
  let clientAddress: String?
  /// The connection.
  let channel: any Channel
  /// That of the connection.
  var eventLoop: any EventLoop

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
    eventLoop = source.channel.eventLoop
    clientAddress = source.channel.remoteAddress?.ipAddress
  }

  /// Refuses a token that is limited to a part of the library, where an answer tells of all.
  func requireWholeLibrary() throws(WebProblem) {
    guard access.feedID == nil, access.search == nil else {
      throw .forbidden("the token is limited to a part of the library")
    }
  }

  /// Refuses a request that may not change the library.
  func requireAdmin() throws(WebProblem) {
    guard access.isAdmin else {
      throw .forbidden("the token may read the library, but not change it")
    }
  }
}

extension WebProblem {
  fileprivate static func forbidden(_ detail: String) -> WebProblem {
    WebProblem(status: 403, title: "Forbidden", detail: detail)
  }
}

/// Refuses requests to a host name that is not this server's: a page of a stranger whose name leads to this machine
/// would be of the same origin (DNS rebinding).
struct HostMiddleware: RouterMiddleware {
  /// Host names, in lower case, beside those of the loopback interface.
  let hosts: Set<String>
  /// Where hubs may ask; nil when none does.
  let hubs: HubEntrance?

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
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

  private func isKnown(_ authority: String) -> Bool {
    let host = Self.host(of: authority).lowercased()
    return ["127.0.0.1", "[::1]", "localhost"].contains(host) || host.hasSuffix(".localhost")
      || hosts.contains(host)
  }

  /// The host without its port (RFC 3986, section 3.2).
  fileprivate static func host(of authority: String) -> Substring {
    if authority.hasPrefix("[") {
      return authority[...(authority.firstIndex(of: "]") ?? authority.startIndex)]
    }
    return authority.prefix { $0 != ":" }
  }
}

/// Where hubs may ask, without a token: below one path, and by the public name alone.
struct HubEntrance: Sendable {
  /// The path before those of all callbacks.
  let path: String
  /// The host name, in lower case.
  let host: String

  func leads(_ request: Request) -> Bool {
    guard request.uri.path.hasPrefix(path), let authority = request.head.authority else {
      return false
    }
    return HostMiddleware.host(of: authority).lowercased() == host
  }
}

/// Refuses changes that a page of another origin asks for.
///
/// It looks at `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), else at `Origin`. Programs send neither, and
/// have no cookie.
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
    let host = origin.split(separator: "/", maxSplits: 2).last.map(String.init)
    return host == request.head.authority
  }
}

/// Lets requests pass that have a token: by `Authorization` (Bearer, or Basic with the token as the password), or by
/// the cookie that a browser got for the address with `?token=`.
struct AccessMiddleware: RouterMiddleware {
  let tokens: AccessTokens
  let serverToken: String
  let basePath: String
  /// Whether cookies are for TLS alone.
  let isSecure: Bool
  /// Where hubs may ask without a token; nil when none does.
  let hubs: HubEntrance?
  private let failures = FailedTries()

  static let cookie = "gallery"

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
    guard let token = headerToken(of: request) ?? cookieToken(of: request) else {
      throw Self.unauthorized
    }
    var context = context
    context.access = try await access(for: token)
    return try await next(request, context)
  }

  private func access(for token: String) async throws -> Access {
    if let access = tokens.access(for: token, server: serverToken, now: Date()) { return access }
    try await failures.note()
    throw Self.unauthorized
  }

  private static let unauthorized = WebProblem(
    status: 401,
    title: "Unauthorized",
    detail: "open the address that 'gallery serve' has printed, or send a token"
  )

  // MARK: Where a token stands

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

  private func cookieToken(of request: Request) -> String? {
    for field in request.headers[values: .cookie] {
      for pair in field.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        let name = parts.first?.trimmingPrefix(while: \.isWhitespace)
        if parts.count == 2, name.map(String.init) == Self.cookie { return String(parts[1]) }
      }
    }
    return nil
  }

  // MARK: The first visit

  /// Leads to the same address without the token, so that it stays in no history, with a cookie that has it.
  private func welcome(_ token: String, _ request: Request) async throws -> Response {
    _ = try await access(for: token)
    var parameters = PercentEncoding.parameters(request.uri.query ?? "")
    parameters["token"] = nil
    let query = parameters.sorted { $0.key < $1.key }
      .map { "\($0.key)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    var response = Response(status: .seeOther)
    // Two slashes at the beginning would lead to another host (RFC 3986, section 4.2).
    let path = "/" + request.uri.path.drop { $0 == "/" }
    response.headers[.location] = path + (query.isEmpty ? "" : "?\(query)")
    response.headers[.cacheControl] = "no-store"
    response.headers[.setCookie] =
      "\(Self.cookie)=\(token); Path=\(basePath.isEmpty ? "/" : basePath); HttpOnly; SameSite=Strict; Max-Age=34560000"
      + (isSecure ? "; Secure" : "")
    return response
  }
}

/// Slows down guesses: after a few in a minute, each further one waits for a second.
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
