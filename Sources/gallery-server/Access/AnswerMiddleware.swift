import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import Models
import NIOHTTP1
import Scenes
import Web
import Workers

/// Turns errors into answers, adds the common fields of all answers, and writes the access log.
struct AnswerMiddleware: RouterMiddleware {
  let pages: PageAnswers
  let metrics: ServerMetrics

  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      let problem = Self.problem(error)
      if let cause = problem.cause {
        context.logger.error("\(GalleryServer.logged(request.uri.path)): \(cause)")
      }
      response = pages.answer(to: problem, request, context.reach)
    }
    // Also of a problem: a client would read its body as the beginning of the next answer.
    if request.method == .head { response = response.createHeadResponse() }
    if response.headers[.xContentTypeOptions] == nil {
      response.headers[.xContentTypeOptions] = "nosniff"
    }
    if !isFromSecureContext(request, context) {
      response.headers[.crossOriginOpenerPolicy] = nil
    }
    response.headers[.date] = Wording.mailDate(Date())
    response.headers[.referrerPolicy] = "no-referrer"
    if response.headers[.crossOriginResourcePolicy] == nil {
      response.headers[.crossOriginResourcePolicy] = "same-origin"
    }
    metrics.note(
      status: response.status.code,
      of: request.method,
      // The query is never logged: it may contain a token or the words of a search.
      request.uri.path,
      since: start,
      context.logger
    )
    return response
  }

  /// Whether a browser follows all policies: over TLS and on this machine (Secure Contexts, section 3.1).
  ///
  /// Elsewhere it ignores that about openers, and complains in its console (HTML, section 7.1.3).
  private func isFromSecureContext(_ request: Request, _ context: ServerContext) -> Bool {
    if context.reach.isSecure { return true }
    let authority = context.reach.forwardedHost ?? request.head.authority ?? ""
    return HostMiddleware.host(of: authority).map(HostMiddleware.isLoopback) ?? false
  }

  /// The answer to an error.
  static func problem(_ error: any Error) -> WebProblem {
    switch error {
    case let problem as WebProblem: problem
    // No route has the path.
    case let error as HTTPError where error.status == .notFound && error.body == nil:
      GalleryServer.notFound
    case let error as HTTPError:
      WebProblem(
        status: error.status.code,
        title: error.status.reasonPhrase,
        detail: error.body
      )
    case is HTTPParserError: .misused("the body does not follow the rules of HTTP")
    case let error as any HTTPResponseError:
      WebProblem(status: error.status.code, title: error.status.reasonPhrase)
    case let error as StoreError:
      WebProblem(Fail.ViewModel(Fail.Response(failure: .library(error, .show))))
    default: WebProblem(status: 500, title: "Internal Server Error", cause: "\(error)")
    }
  }
}

/// Marks the problems of readers who see only a part of the library.
struct PartMiddleware: RouterMiddleware {
  @concurrent func handle(
    _ request: Request,
    context: ServerContext,
    next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      guard !context.seesWholeLibrary else { throw error }
      var problem = AnswerMiddleware.problem(error)
      problem.isOfPart = true
      throw problem
    }
  }
}

/// Makes the answers for browsers: pages, and errors in the form that the request accepts.
struct PageAnswers: Sendable {
  let site: Site

  /// The policy of pages (Content Security Policy Level 3).
  ///
  /// Everything is loaded from this server, and text never becomes script. `upgrade-insecure-requests` would break
  /// plain HTTP in a home network.
  private let policy: String

  private static let permissions = [
    "camera", "geolocation", "microphone", "payment", "usb",
  ].map { "\($0)=()" }.joined(separator: ", ")

  /// - Parameters:
  ///   - site: The location of the pages.
  ///   - objects: The origin of an object store that also serves pictures; nil when there is none.
  init(site: Site, objects: String?) {
    self.site = site
    policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'",
      "img-src 'self' blob:\(objects.map { " \($0)" } ?? "")",
      "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "form-action 'self'",
      "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")
  }

  /// Makes the answer for a page.
  func answer(_ page: HTML, status: HTTPResponse.Status = .ok) -> Response {
    var response = Response(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-cache"],
      body: .init(byteBuffer: ByteBuffer(bytes: page.bytes))
    )
    response.headers[.contentSecurityPolicy] = policy
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    response.headers[.permissionsPolicy] = Self.permissions
    response.headers[.eTag] = try? GalleryServer.entityTag(of: page.bytes)
    return response
  }

  /// Makes a page for a browser that navigates, or else a problem as JSON (RFC 9457).
  func answer(to problem: WebProblem, _ request: Request, _ reach: Reach) -> Response {
    let status = HTTPResponse.Status(code: problem.status)
    let isForAPI = request.uri.path.hasPrefix("\(site.basePath)/api/")
    let isPage = !isForAPI && request.headers[.accept]?.contains("text/html") == true
    var response: Response
    if isPage {
      var shown = site
      shown.basePath = reach.pagePath
      shown.isWhole = !problem.isOfPart
      let page =
        problem.status == 401
        ? TokenPage.html(
          at: reach.path(of: request, below: site.basePath),
          PercentEncoding.parameters(request.uri.query ?? ""),
          on: shown
        )
        : problem.html(on: shown)
      response = answer(page, status: status)
    } else {
      response = Response(
        status: status,
        headers: [.contentType: "application/problem+json"],
        body: .init(byteBuffer: ByteBuffer(bytes: problem.json))
      )
      if let tag = problem.entityTag { response.headers[.eTag] = tag }
    }
    response.headers[.cacheControl] = "no-store"
    if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
    if problem.status == 405 {
      response.headers[.allow] = problem.methods.joined(separator: ", ")
    }
    if problem.status == 401 {
      response.headers[values: .wwwAuthenticate] =
        (isPage || isOfPage(request) ? [] : [#"Basic realm="gallery", charset="UTF-8""#])
        + [#"Bearer realm="gallery""#]
    }
    return response
  }

  /// Whether a page of a browser has sent the request; for `Basic`, the browser would ask for a name and a password.
  ///
  /// Browsers tell it (https://www.w3.org/TR/fetch-metadata/) only over TLS and to this machine. No page asks for feeds.
  private func isOfPage(_ request: Request) -> Bool {
    if request.headers[.secFetchMode] != nil { return true }
    let isBrowser = request.headers[.userAgent]?.hasPrefix("Mozilla/") == true
    return isBrowser && !request.isForFeedReaders
  }
}

/// HTTP fields that the framework does not name.
extension HTTPField.Name {
  static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
  static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
  /// `Host`, beside the authority of a request.
  static let furtherHost = known("Host")
  static let forwarded = known("Forwarded")
  static let hubSignature = known("X-Hub-Signature")
  static let lastEventID = known("Last-Event-ID")
  static let link = known("Link")
  static let permissionsPolicy = known("Permissions-Policy")
  static let referrerPolicy = known("Referrer-Policy")
  static let secFetchMode = known("Sec-Fetch-Mode")
  static let secFetchSite = known("Sec-Fetch-Site")
  static let xAccelBuffering = known("X-Accel-Buffering")
  static let xForwardedFor = known("X-Forwarded-For")
  static let xForwardedHost = known("X-Forwarded-Host")
  static let xForwardedPrefix = known("X-Forwarded-Prefix")
  static let xForwardedProto = known("X-Forwarded-Proto")

  private static func known(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else {
      preconditionFailure("\(text) is not a field name")
    }
    return name
  }
}
