import HTTPTypes
import Hummingbird
import Models
import Workers

/// How the client of a request reaches this server, as far as the server can know it.
struct Reach: Sendable {
  /// The scheme, host and port of all published addresses, such as `https://photos.example.org`.
  var origin = "http://localhost"
  /// The beginning of the paths of all published addresses; empty when there is none.
  var publishedPath = ""
  /// The beginning of the paths in the links of pages; empty when there is none.
  var pagePath = ""
  /// Whether the client has sent the request over TLS, to this server or to a proxy.
  var isSecure = false
  /// The host that a trusted proxy has been asked for; nil when no proxy tells it.
  var forwardedHost: String?
  /// The name that a trusted proxy has given to the person who asks.
  var user: String?

  /// The origins of pages that may ask this server for changes.
  var ownOrigins: Set<String> = []

  /// The path by which a browser asks for the same page again.
  ///
  /// Two slashes at the beginning would mean another host (RFC 3986, section 4.2). Browsers read a backslash like a
  /// slash, and skip tabs (URL Standard, section 4.4).
  func path(of request: Request, below basePath: String) -> String {
    let below = request.uri.path.trimmingPrefix(basePath)
    return "\(pagePath)/\(below.drop { $0 == "/" || $0 == "\\" || $0.isWhitespace })"
  }
}

/// Determines for each request how its client reaches the server, before the routes see it.
///
/// `--public-url` decides about everything that is published. Otherwise it is the fields of trusted proxies, or else
/// the request itself.
struct ReachResponder: HTTPResponder {
  typealias Context = ServerContext

  private let routes: RouterResponder<ServerContext>
  private let settings: GalleryServer.Settings

  init(_ routes: RouterResponder<ServerContext>, _ settings: GalleryServer.Settings) {
    (self.routes, self.settings) = (routes, settings)
  }

  @concurrent func respond(
    to request: Request,
    context: ServerContext
  ) async throws -> Response {
    var (request, context) = (request, context)
    let peer = context.channel.remoteAddress
    var facts: ForwardedFacts?
    if settings.proxies.contains(peer) {
      facts = ForwardedFacts(request.headers, through: settings.proxies)
      if let client = facts?.client { context.clientAddress = ClientAddress(bytes: client) }
    }
    context.reach = reach(of: request, facts)
    if facts != nil, let field = settings.userHeader { context.reach.user = request.headers[field] }
    takePublicPath(of: &request)
    takePathToken(of: &request, &context)
    return try await routes.respond(to: request, context: context)
  }

  private func reach(of request: Request, _ facts: ForwardedFacts?) -> Reach {
    let received = request.head.authority ?? "localhost"
    let scheme = facts?.scheme ?? (settings.isSecure ? "https" : "http")
    let authority = facts?.host ?? received
    var reach = Reach()
    reach.forwardedHost = facts?.host
    reach.isSecure = settings.isSecure || scheme == "https"
    reach.origin = "\(scheme)://\(authority)"
    reach.publishedPath = (facts?.prefix ?? "") + settings.basePath
    reach.pagePath = reach.publishedPath
    // A proxy in front of this server may speak TLS.
    reach.ownOrigins = Set(
      ["http", "https"].flatMap { ["\($0)://\(received)", "\($0)://\(authority)"] }
    )
    guard let url = settings.publicURL, let origin = settings.publicOrigin else { return reach }
    reach.origin = origin
    reach.publishedPath = settings.publicPath
    reach.ownOrigins.insert(origin)
    let isPublic = HostMiddleware.host(of: authority) == url.host.map { HostName.spelling($0) }
    if isPublic, url.isSecure { reach.isSecure = true }
    // At another name, only the paths that this server has itself are certain to lead somewhere.
    if isPublic || settings.basePath.isEmpty { reach.pagePath = settings.publicPath }
    return reach
  }

  /// Removes the path of the public address where this server has none: a proxy may remove that path or leave it.
  private func takePublicPath(of request: inout Request) {
    let path = settings.publicPath
    guard settings.basePath.isEmpty, !path.isEmpty, let target = request.head.path,
      target == path || target.hasPrefix(path + "/") || target.hasPrefix(path + "?")
    else { return }
    let rest = target.dropFirst(path.count)
    request.take(path: rest.hasPrefix("/") ? String(rest) : "/\(rest)")
  }

  /// Takes the token out of an address such as `/iiif/~TOKEN/image/…`.
  ///
  /// Viewers of the IIIF Image API put their parameters behind an address, so no query can have the token.
  private func takePathToken(of request: inout Request, _ context: inout ServerContext) {
    let prefix = settings.basePath + "/iiif/~"
    guard let target = request.head.path, target.hasPrefix(prefix) else { return }
    let rest = target.dropFirst(prefix.count)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    context.pathToken = PercentEncoding.decode(String(rest[..<end]))
    request.take(path: "\(settings.basePath)/iiif/\(rest[end...].trimmingPrefix("/"))")
  }
}

extension Request {
  fileprivate mutating func take(path: String) {
    var head = head
    head.path = path
    self = Request(head: head, body: body)
  }
}

extension GalleryServer.Settings {
  /// The scheme, host and port of the public address; nil without one.
  var publicOrigin: String? { publicURL.map { "\($0.scheme)://\($0.hostAndPort)" } }

  /// The path of the public address, without a slash at its end.
  var publicPath: String {
    let path = publicURL?.path ?? ""
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
