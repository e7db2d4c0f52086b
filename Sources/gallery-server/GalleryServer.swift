import Composition
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import Scenes
import Web
import Workers

/// The web server of a library: its routes, and the objects that they share.
///
/// Each request has a separate scene, which lives only in the request's task. Workers are shared.
struct GalleryServer: Sendable {
  /// How clients reach the server.
  struct Settings: Sendable {
    /// The common beginning of all paths, such as `/gallery`; empty when there is none.
    var basePath = ""
    /// The title of the gallery; nil for none.
    var title: String?
    /// Host names of the server, in addition to those of the loopback interface.
    var hosts: Set<String> = []
    /// Whether it speaks TLS.
    var isSecure = false
    /// The address of everything that is published, at which hubs also reach it; nil when there is none.
    var publicURL: WebAddress?
    /// The proxies whose fields about clients count.
    var proxies = TrustedProxies()
    /// The field in which a trusted proxy names the person that it has logged in; nil when no proxy does.
    var userHeader: HTTPField.Name?
    /// Whether browsers are redirected to the object store for originals that only the store has.
    var redirectsOriginals = false
    /// Whether pages and the API tell where pictures were taken.
    var tellsPlaces = false
    /// Whether originals are sent without the places where they were taken.
    var removesPlaces = false
  }

  let root: CompositionRoot
  let settings: Settings
  let assets: SiteAssets
  let pages: PageAnswers
  let colours: ColourFill
  let jobs: SyncJobs
  let renderings = RenderingQueue()
  let removals = PlaceRemovals()
  let arriving = ArrivingOriginals()
  /// The turns of clients with what reads much of the library.
  let readings = Turns<Client>(
    of: Limits.readingsPerCore * max(1, System.coreCount),
    each: max(1, System.coreCount / Limits.coresPerReading)
  )
  let following: Following
  /// Nil when hubs do not reach the server.
  let subscriber: (any Subscribing)?
  let deliveries: Deliveries
  let metrics = ServerMetrics()
  let connections = ConnectionLimit()
  let requests = ClientLimit<Client>(each: Limits.requestsPerClient, all: Limits.requests)
  /// The bytes of answers that wait for their clients.
  let waitingBytes = ClientLimit<Client>(
    each: Limits.waitingBytesPerClient,
    all: Limits.waitingBytes
  )
  let feedTokens: FeedTokens
  let hosts: HostMiddleware
  let access: AccessMiddleware
  let kept: KeptAnswers

  init(
    _ root: CompositionRoot,
    _ settings: Settings,
    tokens: AccessTokens,
    serverToken: String
  ) {
    self.root = root
    self.settings = settings
    assets = SiteAssets.embedded
    let site = Site(basePath: settings.basePath, assetHash: assets.hash)
    let objects = settings.redirectsOriginals ? root.objectOrigin : nil
    pages = PageAnswers(site: site, objects: objects)
    colours = ColourFill(root)
    jobs = SyncJobs(root, colours)
    following = Following(root.changes, tokens, root.keys)
    subscriber = settings.callbacks.map(root.subscriber)
    deliveries = Deliveries(jobs, root.library)
    feedTokens = FeedTokens(serverToken: serverToken)
    hosts = HostMiddleware(
      hosts: settings.hosts,
      publicHost: settings.publicURL?.host.map { HostName.spelling($0) },
      hubs: settings.hubs
    )
    access = AccessMiddleware(
      tokens: tokens,
      serverToken: serverToken,
      basePath: settings.basePath,
      hubs: settings.hubs
    )
    let paths = KeptPaths(basePath: settings.basePath, assetHash: assets.hash)
    kept = KeptAnswers(root.changes, paths)
  }

  /// The site as the reader of a request sees it.
  func site(for context: ServerContext) -> Site {
    var site = pages.site
    site.basePath = context.reach.pagePath
    site.title = settings.title
    site.isAdmin = context.access.isAdmin
    site.isWhole = context.seesWholeLibrary
    site.tellsPlaces = settings.tellsPlaces
    return site
  }

  /// All routes, after the checks that every request passes.
  var router: Router<ServerContext> {
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RefusalLimitMiddleware())
    router.add(middleware: AnswerMiddleware(pages: pages, metrics: metrics))
    router.add(middleware: hosts)
    router.add(middleware: OriginMiddleware(basePath: settings.basePath))
    router.add(middleware: access)
    router.add(middleware: PartMiddleware())
    router.add(middleware: ConnectionTokenMiddleware(limit: connections))
    router.add(middleware: ExpectationMiddleware())
    let all = router.group(RouterPath(settings.basePath))
    // Event streams last long and cost little, so they have a separate limit.
    addEvents(to: all)
    let group = all.group()
      .add(middleware: RequestLimitMiddleware(limit: requests, bytes: waitingBytes))
    addForms(to: group)
    addPictures(to: group)
    addImageAPI(to: group)
    addImages(to: group)
    addChanges(to: group)
    addChangeLog(to: group)
    addOperations(to: group)
    // The routes that read much of the library, and wait for nothing else.
    let readers = group.group().add(middleware: ReadingTurnsMiddleware(turns: readings))
    addPages(to: readers)
    addFeedDocuments(to: readers)
    addAPI(to: readers)
    addTree(to: readers)
    addHubs(to: group)
    return router
  }

  /// Answers requests by the routes.
  ///
  /// For a method that a path does not support, it answers with the methods that the path supports (RFC 9110, section
  /// 15.5.6).
  var responder: ReachResponder {
    let router = router
    for (path, routes) in Dictionary(grouping: router.routes, by: \.path.description) {
      var methods = Set(routes.map(\.method))
      if methods.contains(.get) { methods.insert(.head) }
      let problem = WebProblem.methodNotAllowed(methods.map(\.rawValue).sorted())
      for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete]
      where !methods.contains(method) {
        router.on(RouterPath(path), method: method) { _, _ -> Response in throw problem }
      }
    }
    return ReachResponder(router.buildResponder(), settings)
  }

  typealias Routes = RouterGroup<ServerContext>

  // MARK: Functions for routes

  /// The list that a request names, limited to the images that its token may see.
  func list(
    of request: Request,
    _ context: ServerContext,
    feedID: Int64? = nil
  ) throws(WebProblem) -> ListAddress {
    var list: ListAddress
    do throws(ListAddress.Problem) {
      list = try ListAddress(
        PercentEncoding.parameters(request.uri.query ?? ""),
        mostImages: Limits.imagesPerAnswer
      )
    } catch {
      throw WebProblem.misused(error.text)
    }
    if let feedID { list.feedID = feedID }
    if let allowed = context.access.feedID {
      guard list.feedID == nil || list.feedID == allowed else { throw Self.notFound }
      list.feedID = allowed
    }
    list.part = context.access.part
    return list
  }

  /// The beginning of all addresses that an answer publishes, with a scheme and a host.
  func publishedAddress(for context: ServerContext) -> String {
    context.reach.origin + context.reach.publishedPath
  }

  /// The beginning of the published addresses of the IIIF Image API, with the token of the request's address.
  func imageServices(for context: ServerContext) -> String {
    publishedAddress(for: context) + imagePath(for: context)
  }

  func imagePath(for context: ServerContext) -> String {
    "/iiif\(context.feedToken.map { "/~\($0)" } ?? "")/image"
  }

  /// The id in the path of a route, such as `/images/:id`.
  func id(in context: ServerContext) throws(WebProblem) -> Int64 {
    guard let text = context.parameters.get("id"), let id = Int64(text) else { throw Self.notFound }
    return id
  }

  static let notFound = WebProblem(
    status: 404,
    title: "Not found",
    detail: "this gallery has nothing at this address"
  )

  /// The request for a page of a list.
  func fetch(_ list: ListAddress, limit: Int) -> ListImages.FetchImages.Request {
    ListImages.FetchImages.Request(query: list.query(limit: limit), after: list.after)
  }

  /// The entity tag of an answer (RFC 9110, section 8.8.3), made from its content.
  ///
  /// The number of the library's last change would not suffice. Some answers contain the outcome of a sync, which does
  /// not count as a change.
  static func entityTag(of bytes: [UInt8]) throws -> String {
    "\"\(try CompositionRoot.sha256(of: bytes).prefix(32))\""
  }

  /// Whether the client already has the state of a tag (If-None-Match, RFC 9110, section 13.1.2).
  func isKnown(_ entityTag: String, by request: Request) -> Bool {
    guard let field = request.headers[.ifNoneMatch] else { return false }
    return field.split(separator: ",").contains { known in
      let known = known.trimmingPrefix(while: \.isWhitespace)
      return known == "*" || known == entityTag || known == "W/\(entityTag)"
    }
  }

  static func notModified(_ entityTag: String) -> Response {
    Response(status: .notModified, headers: [.eTag: entityTag, .cacheControl: "no-cache"])
  }

  /// Makes an answer from text, compressed if it is long and the client supports that; 304 if the client already has
  /// it.
  func answer(
    _ bytes: [UInt8],
    for request: Request,
    type: String = "application/json"
  ) throws -> Response {
    let tag = try Self.entityTag(of: bytes)
    if isKnown(tag, by: request) { return Self.notModified(tag) }
    var response = Self.json(bytes, for: request, type: type)
    response.headers[.eTag] = tag
    return response
  }

  /// Makes an answer from JSON, compressed if it is long and the client supports that.
  static func json(
    _ bytes: [UInt8],
    for request: Request,
    type: String = "application/json"
  ) -> Response {
    var response = Response(
      status: .ok,
      headers: [.contentType: type, .cacheControl: "no-cache", .vary: "Accept-Encoding"]
    )
    if bytes.count >= Limits.leastCompressed, takesGZip(request),
      let gzipped = GZip.compress(bytes, level: 1)
    {
      response.headers[.contentEncoding] = "gzip"
      response.body = .init(byteBuffer: ByteBuffer(bytes: gzipped))
    } else {
      response.body = .init(byteBuffer: ByteBuffer(bytes: bytes))
    }
    return response
  }

  static func takesGZip(_ request: Request) -> Bool { takesGZip(request.headers) }

  /// Whether the fields of a request allow content that is compressed with gzip.
  static func takesGZip(_ fields: HTTPFields) -> Bool {
    fields[.acceptEncoding]?.contains("gzip") == true
  }
}

extension GalleryServer.Settings {
  /// The common beginning of the addresses of all callbacks.
  var callbacks: WebAddress? {
    publicURL.flatMap { url in
      let text = url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
      return WebAddress(text + GalleryServer.hubPath)
    }
  }

  /// The requests that hubs may make; nil when hubs do not reach the server.
  var hubs: HubEntrance? {
    publicURL?.host.map {
      HubEntrance(path: basePath + GalleryServer.hubPath, host: HostName.spelling($0))
    }
  }
}
