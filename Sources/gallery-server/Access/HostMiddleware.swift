import HTTPTypes
import Hummingbird
import Web

/// Rejects requests for a host name that is not this server's.
///
/// Otherwise a stranger's page whose name leads to this machine would have the same origin (DNS rebinding).
struct HostMiddleware: RouterMiddleware {
  /// Additional host names to those of the loopback interface, in lower case.
  let hosts: Set<String>
  /// The host name of the public address, which only proxies may pass on.
  let publicHost: String?
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
      isKnown(authority) || hubs?.leads(request, context) == true, isForwardedKnown(context)
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

  private func isForwardedKnown(_ context: ServerContext) -> Bool {
    guard let forwarded = context.reach.forwardedHost else { return true }
    let isPublic = publicHost != nil && Self.host(of: forwarded) == publicHost
    return isPublic || isKnown(forwarded)
  }

  /// Whether an authority names this server.
  func isKnown(_ authority: String) -> Bool {
    guard let host = Self.host(of: authority) else { return false }
    return Self.isLoopback(host) || hosts.contains(host)
  }

  /// Whether a host, in the spelling of `HostName`, is the loopback interface.
  static func isLoopback(_ host: String) -> Bool {
    ["127.0.0.1", "[::1]", "localhost"].contains(host) || host.hasSuffix(".localhost")
  }

  /// The host without its port, in the spelling of `HostName` (RFC 3986, section 3.2).
  ///
  /// Nil when anything else follows the host.
  static func host(of authority: String) -> String? {
    let bracket = authority.firstIndex(of: "]").map(authority.index(after:))
    let end = authority.hasPrefix("[") ? bracket : authority.firstIndex(of: ":")
    let host = authority[..<(end ?? authority.endIndex)]
    let rest = authority[host.endIndex...]
    let isPort = rest.first == ":" && rest.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    return rest.isEmpty || isPort ? HostName.spelling(host) : nil
  }
}

/// The requests that hubs may make without a token: below one path, and only by the public name.
struct HubEntrance: Sendable {
  /// The common beginning of the paths of all callbacks.
  let path: String
  /// The host name, in lower case.
  let host: String

  func leads(_ request: Request, _ context: ServerContext) -> Bool {
    guard request.uri.path.hasPrefix(path),
      let authority = context.reach.forwardedHost ?? request.head.authority
    else { return false }
    return HostMiddleware.host(of: authority) == host
  }
}
