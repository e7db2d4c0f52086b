import Composition
import HTTPTypes
import Hummingbird
import Models
import Scenes
import Web
import Workers

/// The pages, which work without scripts.
extension GalleryServer {
  func addPages(to routes: Routes) {
    routes.get("/") { request, context in try await listPage(request, context) }
    routes.get("/search") { request, context in try await listPage(request, context) }
    routes.get("/feeds") { request, context in try await feedsPage(request, context) }
    routes.get("/feeds/:id") { request, context in
      try await listPage(request, context, feedID: id(in: context))
    }
    routes.get("/assets/:hash/:name") { request, context in try asset(request, context) }
    // Not among the assets, because a service worker controls only the pages below its own address (Service Workers,
    // section 2.2).
    routes.get("/worker.js") { request, _ in
      try answer(assets.worker, for: request, type: "text/javascript; charset=utf-8")
    }
  }

  /// A look at one image, which may wait for the drive of its original, and for a decoder.
  ///
  /// So these requests take a turn only while they read a list.
  func addImages(to routes: Routes) {
    routes.get("/frame") { request, context in try await framePage(request, context) }
    routes.get("/images/:id") { request, context in try await imagePage(request, context) }
    routes.get("/api/v1/images/:id") { request, context in
      let id = try id(in: context)
      return try answer(try await image(id, context), for: request)
    }
  }

  /// Answers with a page, or with 304 if the browser already has it.
  ///
  /// The page is compressed for a browser that takes it: it has no secret that its length could betray.
  private func answer(_ page: HTML, to request: Request) -> Response {
    var response = pages.answer(page)
    if let tag = response.headers[.eTag], isKnown(tag, by: request) { return Self.notModified(tag) }
    response.headers[.vary] = "Accept-Encoding"
    guard page.bytes.count >= Limits.leastCompressed, Self.takesGZip(request),
      let gzipped = GZip.compress(page.bytes, level: 6)
    else { return response }
    response.headers[.contentEncoding] = "gzip"
    response.body = .init(byteBuffer: ByteBuffer(bytes: gzipped))
    return response
  }

  private func listPage(
    _ request: Request,
    _ context: ServerContext,
    feedID: Int64? = nil
  ) async throws -> Response {
    let list = try list(of: request, context, feedID: feedID)
    var feed: DisplayedFeed?
    if let feedID = list.feedID {
      try await requireImages(of: feedID, in: list)
      guard let found = await feeds(context).feeds.first(where: { $0.id == feedID }) else {
        throw Self.notFound
      }
      feed = found
    }
    let page = ListImagesPage(list, on: site(for: context))
    var fetch = fetch(list, limit: Limits.imagesPerPage)
    fetch.hasPins = true
    await root.listImages(presenter: ListImagesPresenter(display: page)).fetchImages(request: fetch)
    if let failure = page.failure, failure.outcome != .done { throw WebProblem(failure) }
    var response = answer(page.html(of: feed), to: request)
    if response.status == .ok { response.headers[.link] = page.preloads }
    return response
  }

  /// Runs the scene of the feeds, and returns everything that it presented.
  private func feeds(_ context: ServerContext) async -> ListFeedsPage {
    let page = ListFeedsPage(on: site(for: context))
    await root.listFeeds(presenter: ListFeedsPresenter(display: page)).fetchFeeds()
    return page
  }

  private func feedsPage(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.requireWholeLibrary()
    let page = await feeds(context)
    if let failure = page.failure, failure.outcome != .done { throw WebProblem(failure) }
    return answer(page.html, to: request)
  }

  /// Shows an image by its id: the list's scene selects it, and its router passes it on, like `gallery show`.
  private func imagePage(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = try id(in: context)
    let list = try list(of: request, context)
    let page = ShowImagePage(imageID: id, from: list, on: site(for: context))
    try await show(id, context, ShowImagePresenter(display: page)) { interactor in
      await interactor.describeImage()
    }
    if let failure = page.failure { throw WebProblem(failure, ofImage: id) }
    let neighbours = try await readings.run(for: context.client) {
      try await self.neighbours(of: id, in: list)
    }
    guard let made = page.html(between: neighbours) else { throw Self.notFound }
    return answer(made, to: request)
  }

  /// Selects an image, and routes to the scene that shows it.
  ///
  /// - Parameters:
  ///   - id: The image.
  ///   - context: The context of the request; its token may be limited to a part of the library.
  ///   - presenter: The presenter of the scene that shows the image.
  ///   - body: Makes the requests of that scene.
  /// - Throws: when the image does not exist, or when the token may not see it.
  func show(
    _ id: Int64,
    _ context: ServerContext,
    _ presenter: any ShowImagePresentationLogic,
    _ body: @escaping (any ShowImageBusinessLogic) async -> Void
  ) async throws {
    let failures = RecordAnswer()
    let scene = root.showImages(
      listPresenter: ListImagesJSONPresenter(display: failures),
      presenter: presenter,
      opener: NoOpener(),
      details: ClientDetails(decoder: root.detailsDecoder, queue: renderings, context: context),
      body
    )
    let part = context.access.part
    await scene.showImage(id, in: part.isWhole ? nil : ImageQuery(part: part))
    if let failure = failures.failure { throw WebProblem(failure, ofImage: id) }
  }

  private func neighbours(
    of id: Int64,
    in list: ListAddress
  ) async throws -> ShowImagePage.Neighbours {
    let ids = try await root.timelines.buckets(of: list.query(limit: nil)).ids
    guard let index = ids.firstIndex(of: id) else { return ShowImagePage.Neighbours() }
    return ShowImagePage.Neighbours(
      previous: index > 0 ? ids[index - 1] : nil,
      next: index + 1 < ids.count ? ids[index + 1] : nil,
      place: index + 1,
      total: ids.count
    )
  }

  private func framePage(_ request: Request, _ context: ServerContext) async throws -> Response {
    let list = try list(of: request, context)
    let seconds = PercentEncoding.parameters(request.uri.query ?? "")["seconds"].flatMap { Int($0) }
    let page = FramePage(
      list,
      seconds: seconds,
      first: try await randomPicture(of: list, isForElement: true, context),
      isEmpty: try await imageIDs(of: list, context).isEmpty,
      on: site(for: context)
    )
    return answer(page.html, to: request)
  }

  private func asset(_ request: Request, _ context: ServerContext) throws -> Response {
    guard context.parameters.get("hash") == assets.hash, let name = context.parameters.get("name"),
      let asset = assets[name]
    else { throw Self.notFound }
    var response = Response(
      status: .ok,
      headers: [
        .contentType: asset.mediaType, .cacheControl: "public, max-age=31536000, immutable",
        .vary: "Accept-Encoding",
      ]
    )
    if let gzipped = asset.gzipped, Self.takesGZip(request) {
      response.headers[.contentEncoding] = "gzip"
      response.body = .init(byteBuffer: ByteBuffer(bytes: gzipped))
    } else {
      response.body = .init(byteBuffer: ByteBuffer(bytes: asset.bytes))
    }
    return response
  }
}

/// Opens no program, because a server has no desktop.
struct NoOpener: PictureOpening {
  func open(_ original: StoredOriginal) throws(OpeningError) {
    throw .noProgram(name: "xdg-open")
  }
}
