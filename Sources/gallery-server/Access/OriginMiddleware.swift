import HTTPTypes
import Hummingbird
import Web

/// Rejects changes that a page of another origin requests, and lets it ask whether it may read.
///
/// It checks `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), or else `Origin`. Programs other than browsers
/// send neither field, and have no cookie.
struct OriginMiddleware: RouterMiddleware {
  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    if isPreflight(request) { return Self.preflight }
    let isSafe = [.get, .head, .options].contains(request.method)
    guard isSafe || isOfSameOrigin(request, context) else {
      throw WebProblem.forbidden("another site asks for a change")
    }
    return try await next(request, context)
  }

  private func isOfSameOrigin(_ request: Request, _ context: ServerContext) -> Bool {
    if let site = request.headers[.secFetchSite] { return site == "same-origin" || site == "none" }
    guard let origin = request.headers[.origin] else { return true }
    return context.reach.ownOrigins.contains(origin)
  }

  // MARK: Preflights

  let basePath: String

  /// Whether a browser asks on behalf of a page of another origin (Fetch, "CORS-preflight fetch").
  ///
  /// Such a request never has a token. The answer tells only that programs may read here with a token of their own.
  private func isPreflight(_ request: Request) -> Bool {
    request.method == .options && request.headers[.origin] != nil
      && request.headers[.accessControlRequestMethod] != nil
      && request.isForPrograms(below: basePath)
  }

  private static let preflight = Response(
    status: .noContent,
    headers: [
      .accessControlAllowOrigin: "*", .accessControlAllowMethods: "GET, HEAD",
      .accessControlAllowHeaders:
        "Accept, Authorization, Cache-Control, If-Match, If-None-Match, If-Range, Last-Event-ID, Range",
      .accessControlMaxAge: "86400",
    ]
  )
}

extension Request {
  private static let programPaths = [
    "/api/", "/iiif/", "/t/", "/o/", "/p/", "/random", "/metrics", "/worker.js",
  ]

  /// Whether programs ask for this path: browsers do not navigate to it.
  func isForPrograms(below basePath: String) -> Bool {
    guard uri.path.hasPrefix(basePath) else { return false }
    let path = uri.path.dropFirst(basePath.count)
    return Self.programPaths.contains { path.hasPrefix($0) } || isForFeedReaders
      || path.hasPrefix("/images/") && path.hasSuffix("/original")
  }

  /// Whether the path is that of a list as a feed.
  var isForFeedReaders: Bool {
    [".json", ".rss", ".atom"].contains { uri.path.hasSuffix($0) }
  }
}
